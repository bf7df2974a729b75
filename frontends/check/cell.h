#pragma once

#include <array>
#include <optional>
#include <set>
#include <vector>

#include "frontends/check/bytes.h"
#include "frontends/check/integral.h"
#include "solver/terms/interval.h"
#include "solver/terms/linear_form.h"

namespace wmi::check {

/// A cell of a certificate: a product of polytopes ("blocks") in disjoint sets of coordinates,
/// given by their vertices, and checked to be the region where all rows are <= 0.
class Cell {
 public:
  /// Reads a cell in `reals`, of so many variables. Throws Rejected unless it is the region where
  /// all rows are <= 0, bounded, and has volume. Like all forms below except terms, rows have
  /// integer coefficients.
  Cell(Bytes& in, std::size_t variables, Set reals, const std::vector<const LinearForm*>& rows);

  /// The range of the form, from its values at the vertices; nullopt if it has other reals.
  std::optional<Interval> range(const LinearForm& form) const;

  /// -1 if the form is <= 0 everywhere, 1 if it is >= 0 everywhere, 0 if it has both signs or has
  /// other reals.
  int side(const LinearForm& form) const;

  /// The term as a polynomial in new variables ("axes"), one for its part in each block, so that
  /// its powers have fewer monomials.
  Polynomial in_axes(const LinearForm& term);

  /// The integrals of polynomials in coordinates and axes. With a form (which has one side and is
  /// not constant), the integrals over form = 0, divided by the length of the form's gradient.
  std::vector<Rational> integrals(std::vector<Polynomial> integrands,
                                  const LinearForm* form = nullptr);

 private:
  struct Block {
    std::vector<std::size_t> coordinates;
    std::vector<Point> points;
    std::vector<Set> rows = {};  // for each row, the points where it is 0
    std::optional<Faces> faces = {};
  };

  std::set<std::size_t> touched(const LinearForm& form) const;
  void evaluate(Integer& result, const LinearForm& form, const Point& point) const;
  std::array<Set, 3> signs(const LinearForm& form, const Block& block) const;

  std::vector<Block> blocks_;
  std::vector<std::size_t> block_of_;   // by variable, axes included
  std::vector<std::size_t> column_of_;  // in the points of its block, likewise
};

}  // namespace wmi::check
