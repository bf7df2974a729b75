#pragma once

#include "frontends/check/check_state.h"

namespace wmi::check {

/// A node that decomposes into parts without common reals and Booleans.
///
/// Each row of the path, each formula and each weight belongs to one part; so does the condition of
/// the goals, if it is undecided, and then it must be the same for all. Known weights may have
/// reals of several parts: together with the terms of the goals, the integrands are sums of
/// products of monomials, one for each part, whose integrals are the goals of the parts.
struct Product {
  /// A summand of a goal: a number times one goal of each part.
  struct Term {
    std::size_t goal;
    Rational coefficient;
    std::vector<std::size_t> factors;  // by part
  };

  std::vector<Part> parts;
  std::vector<Term> terms;

  /// Adds the products of the parts' goals to those of the whole.
  void multiply(std::vector<Goal>& whole) const;
};

/// Throws Rejected.
Product read_product(const CheckState& state);

}  // namespace wmi::check
