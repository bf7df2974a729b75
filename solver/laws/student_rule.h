#pragma once

#include <memory>
#include <vector>

namespace wmi {

/// Student's t law of `freedom` degrees of freedom as a mixture of normal laws around 0, whose
/// density differs from that of t by a relative error of at most `error`, at every point. So does
/// the integral of any non-negative function, for instance the density or the distribution function
/// of t plus an independent variable.
struct StudentRule {
  struct Node {
    double variance;
    double weight;
    double beyond;  ///< at least the sum of the weights of all later nodes, also of those left out
  };

  double freedom = 0;
  double error = 0;
  double before = 0;         ///< at least the sum of the weights that are left out before the first
  double before_factor = 0;  ///< likewise of terms of a density, as a multiple of the first one
  std::vector<Node> nodes;   ///< by ascending variance; numbers have a relative error of 8 units

  /// A value and a bound on its error.
  struct Value {
    double value = 0;
    double error = 0;
  };
  /// The density at x of deviation N + scale t, where N is standard normal. The sum ends where the
  /// rest is at most `enough` times the value.
  Value density(double x, double deviation, double scale, double enough) const;
  /// Its distribution function, where the rest is at most `enough`. x may have a relative error of
  /// 2^-52 in both.
  Value cdf(double x, double deviation, double scale, double enough) const;
};

/// To so many digits, at most 14; made once for each number. Throws Error unless freedom is from 1
/// to 1000.
std::shared_ptr<const StudentRule> student_rule(double freedom, double digits = 14);

/// A step for which the rule of student_rule.cpp has at most the relative error 10^-digits. A
/// multiple of 2^-16.
double student_step(double freedom, double digits);

}  // namespace wmi
