#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "solver/laws/law.h"
#include "solver/terms/interval.h"

namespace wmi {

/// How an outcome y spreads around the quantity f that predicts it: p(y|f) = k(y - f), with k
/// symmetric and of mass 1. With the law of f, p(y) is the integral of k(y - f) over it: the point
/// masses give a sum, each polynomial piece of the density a closed form.
///
/// The law is taken divided by its mass. Bad arguments (a law of mass 0) throw Error.
class Likelihood {
 public:
  virtual ~Likelihood() = default;

  /// p(y), exactly or as an enclosure whose width is at most 10^-digits of the value; of less than
  /// 2^-100000 only that is said: `log_density` says more.
  virtual Interval density(const Law& law, const Rational& y, unsigned digits) const = 0;

  /// The natural logarithm of p(y), to 10^-digits; right however far out y is. Nothing where p(y)
  /// is 0. Throws Error where it is negative, as under negative weights, and GaveUp where so much
  /// cancels that its sign does not show.
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
  /// Throws Error for a scale or a freedom that is not above 0.
  std::unique_ptr<Likelihood> (*make)(const LikelihoodOptions& options);
};

/// The table of likelihoods; the first is the default.
std::span<const LikelihoodEntry> likelihoods();

std::unique_ptr<Likelihood> make_gaussian(const LikelihoodOptions& options);
std::unique_ptr<Likelihood> make_triangular(const LikelihoodOptions& options);
std::unique_ptr<Likelihood> make_uniform(const LikelihoodOptions& options);
std::unique_ptr<Likelihood> make_laplace(const LikelihoodOptions& options);
std::unique_ptr<Likelihood> make_student(const LikelihoodOptions& options);

/// The mean of 1/(1 + e^-f): the probability of the class that a logit f stands for. To 10^-digits
/// of the value, also where that is tiny.
Interval mean_sigmoid(const Law& law, unsigned digits);

}  // namespace wmi
