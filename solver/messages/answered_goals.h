#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "solver/answers/answer_accumulator.h"
#include "solver/enumerator.h"
#include "solver/messages/message_passing.h"

namespace wmi {

/// The goals that messages answer, and the others.
struct AnsweredGoals {
  std::vector<MessagePassing::Result> results;
  std::vector<Goal> others;
  MessageCounts counts;

  void add_to(AnswerAccumulator& answers) {
    for (MessagePassing::Result& result : results)
      answers.add(result.cell, std::move(result.found));
    results.clear();
  }
};

/// With `significant_digits`, enclosures of integrals to so many digits are answers too.
AnsweredGoals answer_by_messages(const Problem& problem, const std::vector<Goal>& goals,
                                 const Enumerator& enumerator, const std::stop_token& stop,
                                 std::optional<unsigned> significant_digits = {});

/// Integrates the parts of products: by messages where blocks are small, as they may be after
/// decisions, or else by a search. The enumerator must outlive the result.
Evaluation::PartIntegrator integrate_parts(const Enumerator& enumerator, std::stop_token stop);

}  // namespace wmi
