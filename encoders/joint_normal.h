#pragma once

#include <string>
#include <vector>

#include "encoders/encode.h"

namespace wmi::encoders {

/// Entries with a joint normal law.
struct JointNormal {
  std::vector<std::string> names;
  std::vector<Rational> mean;
  std::vector<std::vector<Rational>> covariance;
};

/// x = mean + factors * z, with independent z of mean 0 and these variances, which are above 0.
struct IndependentFactors {
  std::vector<Rational> variances;
  std::vector<std::vector<Rational>> factors;  // a row for each x
};

/// Of a symmetric matrix that is positive semi-definite: L D L', without roots, so that all numbers
/// are rational. A singular matrix has fewer factors than rows. Throws Error.
IndependentFactors independent_factors(const std::vector<std::vector<Rational>>& covariance);

/// The entries as unknowns that are sums of independent hidden ones, which come first.
std::vector<Unknown> unknowns_of(const JointNormal& law);

}  // namespace wmi::encoders
