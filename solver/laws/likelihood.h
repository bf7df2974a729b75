#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "solver/laws/law.h"
#include "solver/terms/interval.h"

namespace wmi {

/// The law of an outcome y around its prediction f: p(y|f) = k(y - f), with a symmetric kernel k of
/// mass 1. With the law of f, p(y) is the integral of k(y - f) over it: a sum over its point
/// masses, and a closed form for each polynomial piece of its density.
///
/// The law is normalised first; a law of mass 0 throws Error.
class Likelihood {
 public:
  virtual ~Likelihood() = default;

  /// p(y), exactly or as an enclosure whose width is at most 10^-digits of the value. A value below
  /// 2^-100000 is only bounded by that; see `log_density`.
  virtual Interval density(const Law& law, const Rational& y, unsigned digits) const = 0;

  /// The natural logarithm of p(y), to 10^-digits, also far in the tails; nullopt if p(y) is 0.
  /// Throws Error if it is negative, as under negative weights, and GaveUp if cancellation hides
  /// its sign.
  virtual std::optional<Interval> log_density(const Law& law, const Rational& y,
                                              unsigned digits) const = 0;
};

struct LikelihoodOptions {
  Rational scale = 1;    // sigma, radius or b; above 0
  Rational freedom = 4;  // degrees of freedom of Student's t; above 0
};

struct LikelihoodEntry {
  std::string_view name;
  std::string_view description;
  /// Throws Error unless scale and freedom are above 0.
  std::unique_ptr<Likelihood> (*make)(const LikelihoodOptions& options);
};

/// The table of likelihoods; the first is the default.
std::span<const LikelihoodEntry> likelihoods();

std::unique_ptr<Likelihood> make_gaussian(const LikelihoodOptions& options);
std::unique_ptr<Likelihood> make_triangular(const LikelihoodOptions& options);
std::unique_ptr<Likelihood> make_uniform(const LikelihoodOptions& options);
std::unique_ptr<Likelihood> make_laplace(const LikelihoodOptions& options);
std::unique_ptr<Likelihood> make_student(const LikelihoodOptions& options);

/// The mean of 1/(1 + e^-f), the probability of the class with logit f, to 10^-digits of the value,
/// also if that is tiny.
Interval mean_sigmoid(const Law& law, unsigned digits);

}  // namespace wmi
