#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/certificates/scope.h"
#include "solver/enumerators/branch.h"
#include "solver/enumerators/coordinates.h"
#include "solver/enumerators/derived.h"
#include "solver/enumerators/weight_evaluator.h"
#include "solver/geometry/product_region.h"

namespace wmi {

/// An atom, as far as a place can tell.
struct AtomStatus {
  enum class Kind : std::uint8_t {
    derived,  // it has derived reals that are not pinned
    decided,  // by itself: a constant, or an equation, which has no volume
    implied,  // by the region alone
    open,     // the region has volume on both sides
  };
  Kind kind;
  LinearForm form;     // pinned reals replaced, primitive
  bool holds = false;  // if it is decided or implied

  bool known() const { return kind == Kind::decided || kind == Kind::implied; }
};

/// Where a search for a proof is: what is decided, which derived reals are pinned to which values,
/// and the region of all that is left, with its vertices.
struct ProofState {
  const Problem& problem;
  Coordinates coordinates;
  WeightEvaluator weighing;
  Branch branch;
  Elimination pins;
  ProductRegion region;

  /// Before anything is decided. The problem must outlive it.
  ProofState(const Problem& problem, std::span<const CertifiedIntegral> aims);

  bool has_derived(const LinearForm& form) const { return !in_integrated(problem, form); }
  /// Has every derived real a value?
  bool pinned() const;
  /// With the pinned reals replaced, and then primitive.
  LinearForm reduced(const LinearForm& form) const;
  /// A polynomial in the declared reals; pinned reals are replaced.
  Polynomial in_coordinates(const Polynomial& polynomial) const {
    return coordinates.from_reals(pins(polynomial));
  }
  /// Of a form in integrated reals that is primitive and not constant.
  Sides sides(const LinearForm& form) const { return region.sides(coordinates.from_reals(form)); }
  AtomStatus classify(const Atom& atom) const;

  /// Decides what matters to these and the region alone decides, as a reader does at a leaf; how
  /// many decisions there are to take back.
  std::size_t look_around(std::span<const Formula> formulas,
                          std::span<const Polynomial> polynomials);

  /// Is a formula of the scope false, or the weight 0?
  bool closed(const Scope& scope) const;
  /// Are the conditions of all its aims false?
  bool idle(const Scope& scope) const;
  /// Are its formulas true and its weights known, and has the region vertices?
  bool settled(const Scope& scope) const;
  /// Is all known that a cell must say of the aim?
  bool determined(const CertifiedIntegral& aim) const;
  /// What is left of the region of a part: has it vertices?
  bool bounded(const Scope& scope) const { return region.restricted(scope.coordinates).bounded(); }
  /// The form whose sign says on which side of an aim's slice a point is. Requires that the term is
  /// known; throws GaveUp where a derived real in it is not pinned.
  LinearForm slice(const CertifiedIntegral& aim) const;
};

}  // namespace wmi
