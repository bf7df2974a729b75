#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "solver/answer.h"
#include "solver/answers/missing_mass.h"
#include "solver/answers/problem_bounds.h"
#include "solver/answers/query_answer.h"
#include "solver/enumerators/goal.h"
#include "solver/terms/query.h"

namespace wmi {

/// Bounds of answers while sums are without the contribution of some regions. The weights must be
/// nowhere negative.
class PartialBounds {
 public:
  /// `missing` is that of each sum. All others must outlive this.
  PartialBounds(const ProblemBounds& bounds, const Plan& plan, const Totals& totals,
                std::vector<MissingMass> missing)
      : bounds_(bounds), plan_(plan), totals_(totals), missing_(std::move(missing)) {}

  /// An answer with `lower` and `upper`, as far as there are bounds.
  Answer answer(const Query& query, const Plan::Parts& parts) const;

 private:
  Answer wmi(std::size_t sum) const;
  Answer ratio(const Interval& part, const std::optional<Rational>& missing, std::size_t total,
               const std::optional<Rational>& most) const;
  Answer ratio(std::size_t sum, std::size_t total, const std::optional<Rational>& most) const;
  Answer range(const Polynomial& term) const;
  Answer mean(std::size_t sum, std::size_t total, const Polynomial& term) const;
  Answer variance(const Query& query, const Plan::Parts& parts) const;
  Answer density(const Plan::Parts& parts) const;
  Answer cdf(const Query& query, const Plan::Parts& parts) const;
  bool same_goal(std::size_t a, std::size_t b) const;

  const ProblemBounds& bounds_;
  const Plan& plan_;
  const Totals& totals_;
  const std::vector<MissingMass> missing_;
};

/// Tightens the bounds of the answer by other bounds of the same number.
void narrow(Answer& answer, const Answer& known);

}  // namespace wmi
