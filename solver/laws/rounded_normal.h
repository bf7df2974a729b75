#pragma once

namespace wmi {

/// A number in doubles, and a bound on its error.
struct RoundedValue {
  double value = 0;
  double error = 0;
};

/// The distribution function and the density at x of a normal law around 0, for a deviation above 0.
/// x may have a relative error of 2^-52, and the deviation one of 2^-50, in both.
RoundedValue rounded_normal_cdf(double x, double deviation);
RoundedValue rounded_normal_density(double x, double deviation);

/// The standard normal distribution function of z, to an error of 2^-51.
double tabled_normal_cdf(double z);

}  // namespace wmi
