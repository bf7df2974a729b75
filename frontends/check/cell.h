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

/// A cell as a certificate gives it: a product of polytopes in disjoint sets of coordinates, each
/// as its vertices, that is shown to be the region of some rows.
class Cell {
 public:
  /// In the given ones of so many reals. Throws Rejected unless it is the region where no row is
  /// above 0, bounded, and has volume. Like all forms below but terms, rows have integer
  /// coefficients.
  Cell(Bytes& in, std::size_t variables, Set reals, const std::vector<const LinearForm*>& rows);

  /// All values of the form, at the vertices and so between them; nothing if it has other reals.
  std::optional<Interval> range(const LinearForm& form) const;

  /// -1 where the form is nowhere above 0, 1 where it is nowhere below, 0 if it is both somewhere
  /// or has other reals.
  int side(const LinearForm& form) const;

  /// The term as a polynomial in new variables, its axes: one for each block that it has
  /// coordinates of. Powers of it then have fewer monomials.
  Polynomial in_axes(const LinearForm& term);

  /// Of polynomials in coordinates and axes. With a form (that has one side and is not constant),
  /// over form = 0, divided by the length of the form's gradient.
  std::vector<Rational> integrals(std::vector<Polynomial> integrands,
                                  const LinearForm* form = nullptr);

 private:
  struct Block {
    std::vector<std::size_t> coordinates;
    std::vector<Point> points;
    std::vector<Set> rows = {};  // the points where each is 0
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
