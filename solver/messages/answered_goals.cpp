#include "solver/messages/answered_goals.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "solver/answers/part_integrator.h"
#include "solver/messages/case_split.h"
#include "solver/messages/cut_box.h"
#include "solver/messages/discrete_sums.h"
#include "solver/messages/grid_messages.h"
#include "solver/messages/joint_coordinates.h"
#include "solver/messages/partial_sums.h"
#include "solver/messages/two_cuts.h"
#include "solver/messages/weighted_cut.h"
#include "solver/messages/weighted_two_cuts.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

/// The sums of a goal that one cell would have.
MessagePassing::Result as_one_cell(const Goal& goal, std::vector<Interval> integrals) {
  MessagePassing::Result result;
  for (const Summand& summand : goal.summands) result.cell.sums.push_back({summand.sum});
  result.found.integrals = std::move(integrals);
  result.found.cells = 1;
  return result;
}

/// So few Booleans have no more cases than a search has cells.
constexpr std::size_t least_booleans = 12;

std::optional<MessagePassing::Result> summed_over_booleans(const Problem& problem, const Goal& goal,
                                                           const std::stop_token& stop) {
  if (problem.terms.boolean_count() < least_booleans) return std::nullopt;
  std::optional<DiscreteSums> sums = sum_over_booleans(problem, goal, stop);
  if (!sums) return std::nullopt;
  MessagePassing::Result result;
  const auto add = [&](const Rational& number, std::size_t sum) {
    if (number != 0) result.found.cells = 1;
    result.found.integrals.emplace_back(number);
    result.cell.sums.push_back({sum});
  };
  for (std::size_t i = 0; i < goal.summands.size(); ++i)
    add(sums->integrals[i], goal.summands[i].sum);
  if (goal.slice) {
    add(sums->integrals.back(), goal.slice->mass);
    add(0, goal.slice->left);
    add(0, goal.slice->right);
  }
  std::vector<Image> images;
  for (std::size_t i = 0; i < goal.outputs.size(); ++i) {
    images.push_back({goal.outputs[i].law, {}, {}});
    result.found.laws.push_back(sums->laws[i].truncated_powers());
  }
  result.cell.kind = PlainCell{{}, std::move(images)};
  return result;
}

/// The goals of boxes with cuts that this function answers.
void answer_boxes(const Problem& problem, AnsweredGoals& result,
                  const std::function<std::optional<Interval>(const CutBox&)>& integral) {
  std::erase_if(result.others, [&](const Goal& goal) {
    const std::optional<CutBox> box = cut_box(problem, goal);
    const std::optional<Interval> found = box ? integral(*box) : std::nullopt;
    if (!found) return false;
    result.results.push_back(
        as_one_cell(goal, std::vector<Interval>(goal.summands.size(), *found)));
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
  if (box.cuts.size() != 2 || box.weighted() || box.cuts[0].form.coefficients.size() < least_reals)
    return std::nullopt;
  const std::optional<Rational> found = integral_between_two_cuts(box);
  return found ? std::optional(Interval(*found)) : std::nullopt;
}

/// Messages would have long pieces.
std::optional<Interval> under_weighted_cut(const CutBox& box) {
  constexpr std::size_t least_reals = 9;
  if (box.cuts.size() != 1 || !box.weighted() || box.cuts[0].form.coefficients.size() < least_reals)
    return std::nullopt;
  const std::optional<Rational> found = integral_under_cut(box);
  return found ? std::optional(Interval(*found)) : std::nullopt;
}

std::optional<Interval> between_weighted_cuts(const CutBox& box, const std::stop_token& stop) {
  constexpr std::size_t least_reals = 5;
  if (box.cuts.size() != 2 || !box.weighted() || box.cuts[0].form.coefficients.size() < least_reals)
    return std::nullopt;
  const std::optional<Rational> found = integral_between_weighted_cuts(box, stop);
  return found ? std::optional(Interval(*found)) : std::nullopt;
}

/// Does a search decide the conditions of many terms of a sum together? The moment of a sum is a sum
/// of moments, each of few terms.
bool sums_choices(const Problem& problem, const Goal& goal) {
  constexpr std::ptrdiff_t many = 4;
  return std::ranges::any_of(goal.summands, [&](const Summand& summand) {
    return std::ranges::count_if(summand.term.terms(), [&](const Polynomial::Term& term) {
             return std::ranges::any_of(term.monomial, [&](const Power& power) {
               return problem.terms.defining_node(power.variable) != 0;
             });
           }) >= many;
  });
}

/// A goal whose problem has small blocks in each of a few cases: the sums over the cases.
std::vector<MessagePassing::Result> case_by_case(const Problem& problem, const Goal& goal,
                                                 const Enumerator& enumerator,
                                                 const std::stop_token& stop,
                                                 MessageCounts& counts) {
  const std::optional<std::vector<Problem>> cases = split_into_cases(problem, goal);
  if (!cases) return {};
  std::vector<MessagePassing::Result> results;
  MessageCounts found;
  for (const Problem& one : *cases) {
    MessagePassing messages(one, enumerator, stop, {.least_reals = 0, .least_gain = 0});
    std::optional<MessagePassing::Result> result = messages({truth, goal.summands, {}});
    if (!result) return {};
    results.push_back(*std::move(result));
    found += messages.counts();
  }
  found.cases = cases->size();
  counts += found;
  return results;
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
      problem.terms.size() > most_nodes)
    return result;
  std::erase_if(result.others, [&](const Goal& goal) {
    std::optional<MessagePassing::Result> found = summed_over_booleans(problem, goal, stop);
    if (!found) return false;
    result.results.push_back(*std::move(found));
    ++result.counts.discrete_sums;
    return true;
  });
  if (result.others.empty() || static_cast<std::size_t>(reals) < rules.least_reals) return result;
  const auto answer = [&](const Problem& in, const std::vector<Goal>& wanted) {
    MessagePassing messages(in, enumerator, stop, rules);
    MessageRules of_sums = rules;
    of_sums.together = true;
    MessagePassing by_terms(in, enumerator, stop, of_sums);
    std::vector<Goal> others;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      std::optional<MessagePassing::Result> found = messages(wanted[i]);
      if (!found && sums_choices(in, wanted[i])) found = by_terms(wanted[i]);
      if (found)
        result.results.push_back(*std::move(found));
      else
        others.push_back(result.others[i]);
    }
    if (others.size() < wanted.size()) {
      result.counts += messages.counts();
      result.counts += by_terms.counts();
    }
    result.others = std::move(others);
  };
  if (significant_digits)
    answer_boxes(problem, result,
                 [&](const CutBox& box) { return enclosed_sum(box, *significant_digits); });
  answer_boxes(problem, result, between_two_cuts);
  answer_boxes(problem, result, under_weighted_cut);
  answer_boxes(problem, result,
               [&](const CutBox& box) { return between_weighted_cuts(box, stop); });
  if (result.others.empty()) return result;
  answer(problem, std::vector<Goal>(result.others));
  if (result.others.empty()) return result;
  try {
    if (const std::optional<PartialSums> sums = in_partial_sums(problem, result.others))
      answer(sums->problem, sums->goals);
    if (result.others.empty()) return result;
    if (const std::optional<JointCoordinates> joint = in_joint_coordinates(problem, result.others))
      answer(joint->problem, joint->goals);
  } catch (const Error&) {  // too long in other coordinates
  }
  if (goals.size() > few_goals) return result;
  std::erase_if(result.others, [&](const Goal& goal) {
    const auto found = integrate_on_grid(problem, goal, stop, result.counts);
    if (found) result.results.push_back(as_one_cell(goal, {found->begin(), found->end()}));
    return found.has_value();
  });
  std::erase_if(result.others, [&](const Goal& goal) {
    std::vector<MessagePassing::Result> found =
        case_by_case(problem, goal, enumerator, stop, result.counts);
    std::ranges::move(found, std::back_inserter(result.results));
    return !found.empty();
  });
  return result;
}

Evaluation::PartIntegrator integrate_parts(const Enumerator& enumerator, std::stop_token stop) {
  return
      [&enumerator, stop, search = enumerate_parts(enumerator, stop)](
          const Part& part, std::span<const Polynomial> monomials, const Evaluation& evaluation) {
        constexpr std::size_t most_monomials = 4;
        const MessageRules rules;
        Goal goal;
        for (std::size_t i = 0; i < monomials.size(); ++i)
          goal.summands.push_back({monomials[i], i});
        if (enumerator.separates())
          if (auto found = summed_over_booleans(part.problem, goal, stop))
            return std::move(found->found);
        if (enumerator.separates() && part.coordinates.size() >= rules.least_reals &&
            monomials.size() <= most_monomials && !part.problem.terms.smooth()) {
          MessagePassing messages(part.problem, enumerator, stop, rules);
          if (std::optional<MessagePassing::Result> found = messages(goal))
            return std::move(found->found);
        }
        return search(part, monomials, evaluation);
      };
}

}  // namespace wmi
