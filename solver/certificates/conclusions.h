#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/answer.h"
#include "solver/certificates/scope.h"
#include "solver/enumerators/goal.h"

namespace wmi {

/// What the tallies of a task's aims say of its queries: answers, or bounds where something is left
/// open.
std::vector<Answer> conclusions(const Task& task, const Plan& plan,
                                const std::vector<Tally>& tallies, unsigned digits);

/// How much is unknown of the answer of which least is known; nothing if that is no number.
std::optional<Rational> widest(std::span<const Answer> answers);

/// A probability is between 0 and 1 and a variance not negative, if no weight is: that needs no
/// proof, and it is not claimed.
void clip(const Problem& problem, const Query& query, Answer& answer);

}  // namespace wmi
