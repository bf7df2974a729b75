#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "frontends/check/bytes.h"
#include "solver/problem.h"

namespace wmi::check {

/// A cell as a certificate gives it: a product of polytopes in disjoint sets of coordinates, each
/// with vertices and simplices, that is claimed to be the region of some rows.
class Cell {
 public:
  /// In the integrated reals of the problem. Throws Rejected.
  Cell(Bytes& in, const Problem& problem);

  /// Throws Rejected unless the simplices tile the region where no row is above 0. Then the region
  /// is bounded and has volume, and every vertex is in it.
  void check(std::span<const LinearForm> rows) const;

  /// -1 where the form is nowhere above 0, 1 where it is nowhere below, 0 if it is both somewhere.
  int side(const LinearForm& form) const;

  std::vector<Rational> integrals(std::span<const Polynomial> integrands) const;
  /// The integral over form = 0, divided by the length of the form's gradient. Requires a form with
  /// one side that is not constant.
  Rational slice(const Polynomial& integrand, const LinearForm& form) const;

  std::size_t simplices() const;

 private:
  struct Block {
    std::vector<Variable> coordinates;
    std::vector<std::vector<Integer>> vertices;  // (q, q x) with q > 0
    std::vector<std::vector<std::uint32_t>> simplices;

    void check(std::span<const std::vector<Integer>> rows) const;
    void check_facets(const std::vector<std::vector<bool>>& tight) const;
    void check_covered_once(const std::vector<std::vector<bool>>& tight) const;
    /// The row of a form that has no other coordinates: its constant, then its coefficients.
    std::vector<Integer> row(const LinearForm& form) const;
    /// Constant and coefficients as they are; other coordinates are left out.
    std::pair<Rational, Rational> range(const LinearForm& form) const;
  };

  const std::vector<std::uint32_t>& touched(const LinearForm& form) const;

  std::vector<Block> blocks_;
  std::vector<std::uint32_t> block_of_;  // by variable
  mutable std::vector<std::uint32_t> touched_;
};

}  // namespace wmi::check
