#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "solver/rational.h"

namespace wmi::check {

using Exponents = std::vector<std::uint32_t>;  // of a monomial, by coordinate

/// The monomials whose integrals are needed and all that divide them, as the places of a power
/// series that goes no further.
class Monomials {
 public:
  explicit Monomials(std::set<Exponents> needed);

  std::size_t size() const { return degrees_.size(); }
  std::size_t place(const Exponents& monomial) const { return places_.at(monomial); }
  unsigned degree(std::size_t place) const { return degrees_[place]; }
  unsigned most() const { return most_; }

  /// Divides the series by 1 - scale <t, point>: F[m] += sum over j of scale point_j F[m - e_j].
  void divide(std::vector<Integer>& series, const std::vector<Integer>& point,
              const Integer& scale) const;

  /// m! / (|m| + dimension)!
  Rational factor(std::size_t place, std::size_t dimension) const;

 private:
  struct Step {
    std::size_t target, source, coordinate;
  };

  std::map<Exponents, std::size_t> places_;
  std::vector<unsigned> degrees_;    // by place
  std::vector<Integer> factorials_;  // m!, by place
  std::vector<Step> steps_;          // those of one monomial after those of all that divide it
  unsigned most_ = 0;                // of the degrees
};

}  // namespace wmi::check
