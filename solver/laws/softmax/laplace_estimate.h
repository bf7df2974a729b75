#pragma once

#include <array>
#include <memory>
#include <optional>

#include "solver/laws/independent_sums/independent_sum.h"
#include "solver/laws/law.h"

namespace wmi {

/// The Laplace transform of e^z for a random logit z, like `LaplaceTransform`, in doubles and
/// without guarantee.
///
/// Private to the solver's sources.
class LaplaceEstimate {
 public:
  virtual ~LaplaceEstimate() = default;

  /// E[exp(-t e^z)] and E[t e^z exp(-t e^z)], both to nearly the precision of a double.
  virtual void at(double log_t, double& value, long double& slope) = 0;
  /// E[e^(nz)] for n = 0 to 3.
  virtual const std::array<long double, 4>& moments() const = 0;
  /// Approximately E[e^(4z)] / E[e^(3z)].
  virtual long double growth() const = 0;
  /// e^z for the least z, or 0 if there is none.
  virtual long double least() const = 0;
};

/// Of z + shift, where z has the normalised law.
std::unique_ptr<LaplaceEstimate> estimate_laplace(const Law& law, const Rational& shift);
/// Of z + shift, where z is the sum.
std::unique_ptr<LaplaceEstimate> estimate_laplace(const IndependentSum& sum, const Rational& shift);

/// e^z beyond the range of doubles, down to e^-11000.
long double exponential(double z);

/// The law of a sum with few pieces, for which it is the faster method; otherwise nullopt.
std::optional<Law> short_law(const IndependentSum& sum);

}  // namespace wmi
