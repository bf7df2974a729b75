#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solver/answer.h"
#include "solver/enumerators/goal.h"
#include "solver/laws/law.h"
#include "solver/terms/query.h"

namespace wmi {

/// The sums of a plan, and the laws once all cells are added.
struct Totals {
  std::vector<Interval> values;
  std::vector<std::size_t> counts;    // cells in each sum
  std::vector<std::string> refusals;  // of each sum: why it cannot be computed, or empty
  std::vector<Law> laws;
  std::vector<std::string> law_refusals;
};

/// Is it answered by a number?
bool asks_number(const Query& query);

/// The first refusal among the sums that an answer is made of, or empty.
std::string refusal(const Plan::Parts& parts, const std::vector<std::string>& refusals);

/// How many cells were integrated for an answer.
std::size_t cells_of(const Plan::Parts& parts, const std::vector<std::size_t>& counts);

/// The answer to one query of the task, made of the sums of all cells. One that no rational number
/// holds has this many digits.
Answer query_answer(const Task& task, const Query& query, const Plan::Parts& parts,
                    const Totals& totals, unsigned digits);

}  // namespace wmi
