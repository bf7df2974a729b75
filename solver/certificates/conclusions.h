#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/answer.h"
#include "solver/certificates/scope.h"
#include "solver/enumerators/goal.h"

namespace wmi {

/// The answers to the queries of a task from its integrals, or bounds where regions were left open.
std::vector<Answer> conclusions(const Task& task, const Plan& plan,
                                const std::vector<IntegralSum>& sums, unsigned digits);

/// The width of the widest incomplete answer; nullopt if one is unbounded.
std::optional<Rational> widest(std::span<const Answer> answers);

/// Restricts bounds on a probability to [0, 1] and on a variance to [0, oo) if no weight is
/// negative. Certificates do not claim this.
void clip(const Problem& problem, const Query& query, Answer& answer);

/// Answers that are known to within the gap are complete.
void accept_within(const Rational& gap, std::vector<Answer>& answers);

}  // namespace wmi
