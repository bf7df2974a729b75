#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "solver/rational.h"

namespace wmi::check {

using Exponents = std::vector<std::uint32_t>;  // of a monomial, by coordinate

/// The monomials whose integrals are needed and all that divide them, in an order in which each
/// comes after those that divide it; as the places of a power series that goes no further.
class Monomials {
 public:
  Monomials(std::size_t coordinates, const std::set<Exponents>& needed);

  std::size_t size() const { return degrees_.size(); }
  std::size_t place(const Exponents& monomial) const { return places_.at(monomial); }
  unsigned degree(std::size_t place) const { return degrees_[place]; }
  unsigned most() const { return degrees_.back(); }

  /// Divides the series by 1 - <t, point>: F[m] += sum over j of point_j F[m - e_j].
  void divide(std::vector<Integer>& series, const std::vector<Integer>& point) const;

  /// m! / (|m| + dimension)!
  Rational factor(std::size_t place, std::size_t dimension) const;

 private:
  struct Step {
    std::size_t target, source, coordinate;
  };

  std::map<Exponents, std::size_t> places_;
  std::vector<unsigned> degrees_;    // by place
  std::vector<Integer> factorials_;  // m!, by place
  std::vector<Step> steps_;          // those of one monomial after those of all below it
};

}  // namespace wmi::check
