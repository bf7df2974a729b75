#pragma once

#include <string_view>

namespace wmi::bnn {

/// The shape of the noise of a regression: normal, Student's t law, or a normal law that is
/// `outlier_scale` times as wide with the probability `outliers` (Tukey's contaminated normal law).
/// The variance that a network gives is that of the normal law, the square of Student's scale, and
/// the variance of the usual outcomes.
struct Tails {
  enum class Kind { normal, student, two_scale };

  Kind kind = Kind::normal;
  double freedom = 4;  // degrees of freedom of Student's law
  double outliers = 0.05;
  double outlier_scale = 5;
};

/// `normal`, `student`, `two-scale`; and the kind of such a name. Throws Error for others.
std::string_view name(Tails::Kind kind);
Tails::Kind tails_kind(std::string_view name);

/// log p of an error whose square is `square` variances, at the variance 1.
double log_density(const Tails& tails, double square);
/// -2 d log p / d square: how much an outcome at this distance counts beside one of normal noise,
/// and its expected precision as a part of a scale mixture of normal laws.
double precision(const Tails& tails, double square);

}  // namespace wmi::bnn
