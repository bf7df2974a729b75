#pragma once

#include "frontends/check/factored.h"
#include "frontends/check/place.h"

namespace wmi::check {

/// A node at which what is open falls apart, into parts that have no real and no Boolean in common.
///
/// Each row of the path, each formula and each weight belongs to one part; so does the condition of
/// the goals, if it is open, which must then be the same for all. Weights that are known may have
/// reals of several parts: with them and the terms of the goals, the integrands are sums of
/// products of monomials, one of each part, whose integrals are the goals of the parts.
struct Product {
  std::vector<Part> parts;
  std::vector<std::size_t> goals;  // of the whole, those that are not 0
  Factored integrands;             // of these

  /// Adds what the goals of the parts have come to.
  void multiply(std::vector<Goal>& whole) const;
};

/// Throws Rejected.
Product read_product(const Place& here);

}  // namespace wmi::check
