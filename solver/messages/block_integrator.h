#pragma once

#include <cstddef>
#include <stop_token>
#include <vector>

#include "solver/answers/evaluation.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/laws/truncated_powers.h"
#include "solver/numeric/piecewise.h"
#include "solver/terms/error.h"
#include "solver/terms/problem.h"

namespace wmi {

/// Messages would have too many pieces or too high a degree, or a block is unbounded by itself.
class NoMessage : public GaveUp {
 public:
  using GaveUp::GaveUp;
};

/// A problem of few reals, whose weight is also multiplied by functions of single reals.
struct BlockProblem {
  Problem problem;
  std::vector<const Piecewise*> factors;  // of each declared real, or null
};

/// Integrates block problems: exactly, in the time that their own few reals need.
///
/// A block of two reals is enumerated without the factors: on a polygon the integral over y of the
/// weight times its factor is the antiderivative at the upper edges less that at the lower ones,
/// each a polynomial of x composed with an edge. In more dimensions cells are cut where pieces of
/// the factors meet.
class BlockIntegrator {
 public:
  /// The enumerator must outlive this.
  BlockIntegrator(const Enumerator& enumerator, std::stop_token stop);

  template <class Value>
  struct Found {
    Value value;
    std::size_t cells = 0;  // with volume
  };

  /// All of these throw NoMessage, Unbounded, Stopped and the errors of the enumerator.
  Found<Rational> integral(const BlockProblem& block) const;
  /// The unnormalised density of an integrated real that has no factor.
  Found<Piecewise> density(const BlockProblem& block, Variable target) const;
  /// The unnormalised law of a term.
  Found<TruncatedPowers> law(const BlockProblem& block, const Polynomial& term) const;

 private:
  Found<Piecewise> planar_density(const BlockProblem& block, Variable target) const;
  /// Cuts cells where pieces meet, and gives each part with its images.
  template <class Add>
  void each_part(const BlockProblem& block, const Polynomial& term, Add add) const;
  std::unique_ptr<Cells> cells(const BlockProblem& block, const Polynomial& term) const;

  const Enumerator& enumerator_;
  const std::unique_ptr<Enumerator> exact_enumerator_;
  const std::unique_ptr<Integrator> integrator_;
  const std::stop_token stop_;
  const Evaluation evaluation_;
};

}  // namespace wmi
