#pragma once

#include <cstddef>
#include <vector>

#include "solver/answers/evaluation.h"
#include "solver/certificates/proof_state.h"
#include "solver/enumerators/threshold.h"
#include "solver/solve.h"

namespace wmi {

/// Adds up what the leaves of a certificate have of each integral, as its reader will.
class Sums {
 public:
  /// All must outlive this.
  Sums(const Integrator& integrator, ProgressObserver* observer)
      : evaluation_(integrator), observer_(observer) {}

  /// Adds what a cell has of each active integral of its scope. Throws GaveUp where a derived real
  /// is not pinned.
  void add_cell(ProofState& place, Scope& scope);

  /// Adds what a place that is left open may have of them; adds nothing and says no where nobody
  /// can say, or the threshold does not cover it.
  bool leave_open(ProofState& place, Scope& scope, const Threshold& threshold);

  /// How many cells were integrated.
  std::size_t cells() const { return cells_; }
  /// The integrals of the weight, at most, over all that is left open.
  const Rational& left_open() const { return left_open_; }

 private:
  std::vector<Interval> integrals(const ProofState& place, const Scope& scope,
                                  std::vector<Polynomial> integrands) const;
  void add_slice(const ProofState& place, const LinearForm& form, const Polynomial& weight,
                 Tally& tally) const;
  bool bound(const ProofState& place, Scope& scope, const Threshold& threshold);

  const Evaluation evaluation_;
  ProgressObserver* const observer_;
  std::size_t cells_ = 0;
  Rational left_open_ = 0;
};

}  // namespace wmi
