#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solver/answer.h"
#include "solver/enumerators/goal.h"
#include "solver/laws/law.h"
#include "solver/terms/query.h"
#include "solver/terms/refusal.h"

namespace wmi {

/// The sums of a plan, and the laws once all cells are added.
struct Totals {
  std::vector<Interval> values;
  std::vector<std::size_t> counts;  // cells in each sum
  std::vector<Refusal> refusals;    // of each sum
  std::vector<Law> laws;
  std::vector<std::string> law_refusals;
};

/// Is it answered by a number?
bool asks_number(const Query& query);

/// The first refusal among the sums that an answer is made of, or empty.
Refusal refusal(const Plan::Parts& parts, const std::vector<Refusal>& refusals);

/// How many cells were integrated for an answer.
std::size_t cells_of(const Plan::Parts& parts, const std::vector<std::size_t>& counts);

/// Makes this the answer to a refused question.
void refuse(Answer& answer, const Refusal& refusal);

/// The answer to one query of the task, made of the sums of all cells. One that no rational number
/// holds has this many digits.
Answer query_answer(const Task& task, const Query& query, const Plan::Parts& parts,
                    const Totals& totals, unsigned digits);

}  // namespace wmi
