#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "frontends/check/bytes.h"
#include "frontends/check/polytope.h"
#include "solver/interval.h"
#include "solver/linear_form.h"

namespace wmi::check {

/// weight * term^order
struct Integrand {
  Polynomial weight;
  LinearForm term = {};
  unsigned order = 0;

  friend bool operator==(const Integrand&, const Integrand&) = default;
};

/// A cell as a certificate gives it: a product of polytopes in disjoint sets of coordinates, each
/// as its vertices, that is claimed to be the region of some rows.
class Cell {
 public:
  /// In the given reals of the problem. Throws Rejected.
  Cell(Bytes& in, const std::vector<bool>& coordinates);

  /// Throws Rejected unless the cell is the region where no row is above 0. Then the region is
  /// bounded and has volume.
  void check(std::span<const LinearForm> rows);

  /// All values of the form, at the vertices and so between them; nothing if it has other reals.
  std::optional<Interval> range(const LinearForm& form) const;

  /// -1 where the form is nowhere above 0, 1 where it is nowhere below, 0 if it is both somewhere
  /// or has other reals.
  int side(const LinearForm& form) const;

  /// Require that it was checked. With a form (that has one side and is not constant), over
  /// form = 0, divided by the length of the form's gradient.
  std::vector<Rational> integrals(std::span<const Integrand> integrands,
                                  const LinearForm* form = nullptr);

  std::size_t faces() const;

 private:
  struct Block {
    std::vector<Variable> coordinates;
    Polytope body;
  };

  std::set<std::size_t> touched(const LinearForm& form) const;
  Vector row(const LinearForm& form, std::size_t block) const;

  std::vector<Block> blocks_;
  std::vector<std::size_t> block_of_;  // by variable
};

}  // namespace wmi::check
