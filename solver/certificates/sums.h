#pragma once

#include <cstddef>
#include <vector>

#include "solver/answers/evaluation.h"
#include "solver/certificates/proof_state.h"
#include "solver/enumerators/threshold.h"
#include "solver/solve.h"

namespace wmi {

/// Adds up each integral over the leaves of a certificate, as the checker will.
class Sums {
 public:
  /// All must outlive this.
  Sums(const Integrator& integrator, ProgressObserver* observer)
      : evaluation_(integrator), observer_(observer) {}

  /// Adds the active integrals of the scope over a cell. Throws GaveUp if a derived real is not
  /// pinned.
  void add_cell(ProofState& state, Scope& scope);

  /// Adds bounds on the integrals over an open region. Adds nothing and returns false if there are
  /// no bounds, or if the threshold does not cover them.
  bool add_open(ProofState& state, Scope& scope, const Threshold& threshold);

  /// The number of cells integrated.
  std::size_t cells() const { return cells_; }
  /// An upper bound on the integral of |weight| over all open regions.
  const Rational& left_open() const { return left_open_; }

 private:
  std::vector<Interval> integrate(const ProofState& state, const Scope& scope,
                                  std::vector<Polynomial> integrands) const;
  void add_slice(const ProofState& state, const LinearForm& form, const Polynomial& weight,
                 IntegralSum& sum) const;
  bool bound(const ProofState& state, Scope& scope, const Threshold& threshold);

  const Evaluation evaluation_;
  ProgressObserver* const observer_;
  std::size_t cells_ = 0;
  Rational left_open_ = 0;
};

}  // namespace wmi
