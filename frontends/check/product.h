#pragma once

#include <map>
#include <vector>

#include "frontends/check/bytes.h"
#include "frontends/check/place.h"

namespace wmi::check {

/// A node at which what is open falls apart, into parts that have no real and no Boolean in common.
///
/// Each row of the path, each formula and each weight belongs to one part; so does the condition of
/// the goals, if it is open, which must then be the same for all. Weights that are known may have
/// reals of several parts: with them and the terms of the goals, the integrands are sums of
/// products of monomials, one of each part, whose integrals are the goals of the parts.
class Product {
 public:
  /// Throws Rejected.
  Product(Bytes& in, const Place& here);

  std::vector<Part> parts;

  /// Adds what the goals of the parts have come to.
  void multiply(std::vector<Goal>& goals) const;

 private:
  /// Of a goal: a number times one goal of each part.
  struct Term {
    std::size_t goal;
    Rational coefficient;
    std::vector<std::size_t> goals;  // by part
  };

  void read_parts(Bytes& in, const Place& here);
  std::size_t owner(const Path& path, const Path::Waiting& waiting) const;
  void share_out(const Goal& goal, std::size_t number, const Place& here, const Polynomial& common);

  std::vector<std::size_t> part_of_;                      // by real
  std::map<std::uint32_t, std::size_t> boolean_parts_;    // by Boolean
  std::vector<std::map<Monomial, std::size_t>> numbers_;  // of the goals, by part
  std::vector<Term> terms_;
};

}  // namespace wmi::check
