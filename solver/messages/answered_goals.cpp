#include "solver/messages/answered_goals.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "solver/messages/cut_box.h"
#include "solver/messages/partial_sums.h"
#include "solver/messages/two_cuts.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

/// The goals of boxes with cuts that this function answers.
void answer_boxes(const Problem& problem, AnsweredGoals& result,
                  const std::function<std::optional<Interval>(const CutBox&)>& integral) {
  std::erase_if(result.others, [&](const Goal& goal) {
    const std::optional<CutBox> box = cut_box(problem, goal);
    const std::optional<Interval> found = box ? integral(*box) : std::nullopt;
    if (!found) return false;
    MessagePassing::Result& added = result.results.emplace_back();
    for (const Summand& summand : goal.summands) {
      added.cell.sums.push_back({summand.sum});
      added.found.integrals.push_back(*found);
    }
    added.found.cells = 1;
    ++result.counts.cut_boxes;
    return true;
  });
}

/// A sum of so many unrelated reals has too many pieces, but can be enclosed.
std::optional<Interval> enclosed_sum(const CutBox& box, unsigned digits) {
  constexpr std::size_t least_reals = 24;
  if (box.cuts.size() != 1 || box.cuts[0].form.coefficients.size() < least_reals)
    return std::nullopt;
  return enclose(box, digits);
}

/// A box of so many reals has too many vertices.
std::optional<Interval> between_two_cuts(const CutBox& box) {
  constexpr std::size_t least_reals = 9;
  if (box.cuts.size() != 2 || box.cuts[0].form.coefficients.size() < least_reals)
    return std::nullopt;
  const std::optional<Rational> found = integral_between_two_cuts(box);
  return found ? std::optional(Interval(*found)) : std::nullopt;
}

}  // namespace

AnsweredGoals answer_by_messages(const Problem& problem, const std::vector<Goal>& goals,
                                 const Enumerator& enumerator, const std::stop_token& stop,
                                 std::optional<unsigned> significant_digits) {
  AnsweredGoals result{{}, goals, {}};
  constexpr std::size_t few_goals = 4, most_nodes = 20'000;  // each factor takes a walk
  const MessageRules rules{.to_the_middle = goals.size() <= few_goals};
  const auto reals = std::count(problem.integrated.begin(), problem.integrated.end(), true);
  if (!enumerator.separates() || problem.terms.smooth() || goals.empty() ||
      problem.terms.size() > most_nodes || static_cast<std::size_t>(reals) < rules.least_reals)
    return result;
  const auto answer = [&](const Problem& in, const std::vector<Goal>& wanted) {
    MessagePassing messages(in, enumerator, stop, rules);
    std::vector<Goal> others;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (std::optional<MessagePassing::Result> found = messages(wanted[i]))
        result.results.push_back(*std::move(found));
      else
        others.push_back(result.others[i]);
    }
    if (others.size() < wanted.size()) result.counts += messages.counts();
    result.others = std::move(others);
  };
  if (significant_digits)
    answer_boxes(problem, result,
                 [&](const CutBox& box) { return enclosed_sum(box, *significant_digits); });
  answer_boxes(problem, result, between_two_cuts);
  if (result.others.empty()) return result;
  answer(problem, std::vector<Goal>(result.others));
  if (result.others.empty()) return result;
  try {
    if (const std::optional<PartialSums> sums = in_partial_sums(problem, result.others))
      answer(sums->problem, sums->goals);
  } catch (const Error&) {  // too long in other coordinates
  }
  return result;
}

}  // namespace wmi
