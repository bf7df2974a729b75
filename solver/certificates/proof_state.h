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

/// What a proof state implies about an atom.
struct AtomStatus {
  enum class Kind : std::uint8_t {
    derived,  // it has derived reals that are not pinned
    decided,  // a constant, or an equation, which has no volume
    implied,  // by the region
    open,     // the region has volume on both sides
  };
  Kind kind;
  LinearForm form;     // pinned reals replaced, primitive
  bool holds = false;  // if decided or implied

  bool known() const { return kind == Kind::decided || kind == Kind::implied; }
};

/// The state of a search for a proof: the decisions, the values of pinned derived reals, and the
/// remaining region with its vertices.
struct ProofState {
  const Problem& problem;
  Coordinates coordinates;
  WeightEvaluator evaluator;
  Branch branch;
  Elimination pins;
  ProductRegion region;

  /// The initial state. The problem must outlive it.
  ProofState(const Problem& problem, std::span<const CertifiedIntegral> integrals);

  bool has_derived(const LinearForm& form) const { return !in_integrated(problem, form); }
  /// Whether every derived real has a value.
  bool pinned() const;
  /// With the pinned reals replaced, and then primitive.
  LinearForm reduced(const LinearForm& form) const;
  /// A polynomial in the declared reals; pinned reals are replaced.
  Polynomial in_coordinates(const Polynomial& polynomial) const {
    return coordinates.from_reals(pins(polynomial));
  }
  /// The form must be primitive, not constant, and in integrated reals.
  Sides sides(const LinearForm& form) const { return region.sides(coordinates.from_reals(form)); }
  AtomStatus classify(const Atom& atom) const;

  /// Decides the atoms of these formulas and polynomials that the region implies, as the checker
  /// does at a leaf. Returns the number of decisions, for undoing them.
  std::size_t decide_implied(std::span<const Formula> formulas,
                             std::span<const Polynomial> polynomials);

  /// Whether a formula of the scope is false, or the weight 0.
  bool closed(const Scope& scope) const;
  /// Whether the conditions of all its integrals are false.
  bool idle(const Scope& scope) const;
  /// Whether its formulas are true, its weights known, and its region bounded.
  bool settled(const Scope& scope) const;
  /// Whether the integrand over a cell is known.
  bool determined(const CertifiedIntegral& integral) const;
  /// Whether the region of the scope is bounded.
  bool bounded(const Scope& scope) const { return region.restricted(scope.coordinates).bounded(); }
  /// The form whose sign is the side of the integral's slice. Requires that the term is known;
  /// throws GaveUp if a derived real in it is not pinned.
  LinearForm slice(const CertifiedIntegral& integral) const;
};

}  // namespace wmi
