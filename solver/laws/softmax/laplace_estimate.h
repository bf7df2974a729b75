#pragma once

#include <array>
#include <memory>
#include <optional>

#include "solver/laws/independent_sums/independent_sum.h"
#include "solver/laws/law.h"

namespace wmi {

/// What a softmax in doubles needs to know of a logit z: as `Laplace`, but without certificate.
///
/// Private to the solver's sources.
class LaplaceEstimate {
 public:
  virtual ~LaplaceEstimate() = default;

  /// E[exp(-t e^z)] and E[t e^z exp(-t e^z)], both to nearly all digits of a double.
  virtual void at(double log_t, double& value, long double& slope) = 0;
  /// E[e^(nz)] for n = 0 to 3.
  virtual const std::array<long double, 4>& moments() const = 0;
  /// E[e^(4z)] is about so many times E[e^(3z)].
  virtual long double growth() const = 0;
  /// e^z for the least z, or 0 where there is none.
  virtual long double least() const = 0;
};

/// Of z + shift, where z has the law divided by its mass.
std::unique_ptr<LaplaceEstimate> estimate_laplace(const Law& law, const Rational& shift);
/// Of z + shift, where z is the sum.
std::unique_ptr<LaplaceEstimate> estimate_laplace(const IndependentSum& sum, const Rational& shift);

/// e^z beyond the range of doubles, down to e^-11000.
long double exponential(double z);

/// The law of a sum that has few pieces, which is then the shorter way; nothing of any other.
std::optional<Law> short_law(const IndependentSum& sum);

}  // namespace wmi
