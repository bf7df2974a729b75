#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/enumerators/branch.h"
#include "solver/enumerators/cell.h"
#include "solver/enumerators/coordinates.h"
#include "solver/enumerators/derived.h"

namespace wmi {

/// A branch on which formula and weights are determined, in the coordinates of its cell: the
/// integrated reals in order.
class Leaf {
 public:
  Leaf(const Problem& problem, Elimination elimination)
      : elimination_(std::move(elimination)), coordinates_(problem) {}

  /// The integrated reals, in order: the coordinates.
  const std::vector<Variable>& variables() const { return coordinates_.variables(); }
  const std::vector<Halfspace>& halfspaces() const { return halfspaces_; }

  /// A polynomial in the declared reals, in coordinates; a form in coordinates, in the reals.
  Polynomial in_coordinates(const Polynomial& polynomial) const {
    return coordinates_.from_reals(elimination_(polynomial));
  }
  LinearForm from_coordinates(LinearForm form) const {
    return coordinates_.to_reals(std::move(form));
  }

  /// The weight times a polynomial in the declared reals, in coordinates.
  Polynomial integrand(const Polynomial& factor) const { return weight_ * in_coordinates(factor); }

  const Polynomial& weight() const { return weight_; }

 private:
  friend std::optional<Leaf> make_leaf(const Problem&, const Branch&, Elimination);

  Elimination elimination_;
  Coordinates coordinates_;
  std::vector<Halfspace> halfspaces_;
  Polynomial weight_;
};

/// A cell cut by form = 0 (in coordinates, not constant): in one coordinate less, the weight
/// divided by the size of that coordinate's coefficient; nullopt if the cut is empty. `functions` are
/// those in the weight.
std::optional<Cell> slice_of(const std::vector<Halfspace>& halfspaces,
                             std::vector<Variable> variables, const Polynomial& weight,
                             const LinearForm& form, std::vector<std::size_t> sums,
                             std::vector<AppliedFunction> functions = {});

/// The leaf at a branch; nullopt if it has no models or no volume. Throws Error if a derived real is
/// not determined.
std::optional<Leaf> make_leaf(const Problem& problem, const Branch& branch,
                              Elimination elimination);

}  // namespace wmi
