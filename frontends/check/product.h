#pragma once

#include "frontends/check/check_state.h"

namespace wmi::check {

/// A node at which what is open falls apart, into parts that have no real and no Boolean in common.
///
/// Each row of the path, each formula and each weight belongs to one part; so does the condition of
/// the goals, if it is open, which must then be the same for all. Weights that are known may have
/// reals of several parts: with them and the terms of the goals, the integrands are sums of
/// products of monomials, one of each part, whose integrals are the goals of the parts.
struct Product {
  /// Of a goal: a number times one goal of each part.
  struct Term {
    std::size_t goal;
    Rational coefficient;
    std::vector<std::size_t> factors;  // by part
  };

  std::vector<Part> parts;
  std::vector<Term> terms;

  /// Adds what the goals of the parts have come to.
  void multiply(std::vector<Goal>& whole) const;
};

/// Throws Rejected.
Product read_product(const CheckState& here);

}  // namespace wmi::check
