#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "frontends/check/bytes.h"
#include "frontends/check/moments.h"
#include "frontends/check/numbers.h"
#include "solver/problem.h"

namespace wmi::check {

/// A cell as a certificate gives it: a product of polytopes in disjoint sets of coordinates, each
/// with vertices and simplices, that is claimed to be the region of some rows.
class Cell {
 public:
  /// In the given reals of the problem. Throws Rejected.
  Cell(Bytes& in, const std::vector<bool>& coordinates);

  /// Throws Rejected unless the simplices tile the region where no row is above 0. Then the region
  /// is bounded and has volume, and every vertex is in it.
  void check(std::span<const LinearForm> rows);

  /// -1 where the form is nowhere above 0, 1 where it is nowhere below, 0 if it is both somewhere.
  int side(const LinearForm& form) const;

  /// Require that it was checked.
  std::vector<Rational> integrals(std::span<const Polynomial> integrands) const;
  /// The integral over form = 0, divided by the length of the form's gradient. Requires a form with
  /// one side that is not constant.
  Rational slice(const Polynomial& integrand, const LinearForm& form) const;

  std::size_t simplices() const;

 private:
  struct Block {
    std::vector<Variable> coordinates;
    std::vector<Vector> vertices;
    std::vector<std::vector<std::uint32_t>> simplices;
    std::vector<Integer> determinants;  // of the simplices

    void check(std::span<const Vector> rows);
    void check_facets(std::span<const std::vector<bool>> tight);
    void check_covered_once(std::span<const std::vector<bool>> tight) const;
    std::vector<const Vector*> corners(const std::vector<std::uint32_t>& simplex) const;
    /// Where it stands among the coordinates, from 1 on; 0 if it does not.
    std::size_t place(Variable variable) const;
    Vector row(const LinearForm& form) const;
    Exponents restricted(const Monomial& monomial) const;
    Moments moments(std::span<const Polynomial> integrands, const LinearForm* form) const;
  };

  std::vector<std::uint32_t> touched(const LinearForm& form) const;
  Rational integral(const Polynomial& integrand, std::span<const Moments> moments) const;

  std::vector<Block> blocks_;
  std::vector<std::uint32_t> block_of_;  // by variable
};

}  // namespace wmi::check
