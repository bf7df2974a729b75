#pragma once

#include <map>
#include <memory>

#include "solver/laws/independent_sums/independent_sum.h"
#include "solver/laws/law.h"

namespace wmi {

class Ball;

/// The Laplace transform of e^z for a random logit z, which determines its part in a softmax.
///
/// Private to the solver's sources, like `Ball`.
class LaplaceTransform {
 public:
  virtual ~LaplaceTransform() = default;

  /// Encloses E[exp(-t e^z)] and E[t e^z exp(-t e^z)] for t > 0. An approximate logarithm of t
  /// selects the method.
  virtual void at(const Ball& t, double log_t, Ball& value, Ball& slope) const = 0;
  /// Encloses E[e^(order z)].
  virtual Ball moment(unsigned order) const = 0;
  /// Encloses e^z for the least z, or 0 if there is none.
  virtual Ball least() const = 0;
};

/// Makes transforms with shared tables.
class LaplaceMaker {
 public:
  /// With the precision of the transforms, and the highest order of moments.
  LaplaceMaker(long bits, unsigned moments);
  ~LaplaceMaker();

  /// Of z + shift, where z has the normalised law, which must be nowhere negative.
  std::unique_ptr<LaplaceTransform> make(const Law& law, const Rational& shift);
  /// Of z + shift, where z is the sum.
  std::unique_ptr<LaplaceTransform> make(const IndependentSum& sum, const Rational& shift);

 private:
  struct Rule;
  class WideUniform;
  class Points;
  struct GammaLine;
  class Sum;
  const Rule& rule(unsigned points);
  std::unique_ptr<LaplaceTransform> make_points(const Law& law, const Rational& shift);

  long bits_;
  unsigned moments_;
  std::map<unsigned, std::unique_ptr<Rule>> rules_;
  std::shared_ptr<GammaLine> gamma_line_;
};

}  // namespace wmi
