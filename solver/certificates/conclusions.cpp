#include "solver/certificates/conclusions.h"

#include <algorithm>
#include <utility>

#include "solver/answers/answer_accumulator.h"
#include "solver/answers/problem_bounds.h"

namespace wmi {
namespace {

/// The integrals of a query.
struct QuerySums {
  const IntegralSum &total, &first, &second;

  bool open() const { return total.open || first.open || second.open; }

  /// The bounds if regions are left open; nullopt if there are none.
  std::optional<Answer> bounds(Query::Kind kind) const {
    const Interval sum = first.value.total();
    const Interval z = kind == Query::Kind::wmi ? Rational(1) : total.value.total();
    Answer result;
    result.complete = false;
    result.cells = first.cells;
    if (z.contains(0) || first.unbounded) return result;
    Interval value = sum / z;
    if (kind == Query::Kind::density) {
      if (sum != Interval()) return std::nullopt;  // a point mass
      value = first.right.total() / z;
      result.left = first.left.total() / z;
    }
    if (kind == Query::Kind::variance) value = second.value.total() / z - power(value, 2);
    result.lower = value.lower;
    result.upper = value.upper;
    return result;
  }
};

/// One for each query; missing integrals are replaced by the first.
std::vector<QuerySums> of_queries(const Task& task, const std::vector<IntegralSum>& sums) {
  static const IntegralSum none;
  std::vector<QuerySums> result;
  auto next = sums.begin();
  for (const Query& query : task.queries) {
    const std::size_t count = integrals_of(query).size();
    if (count == 0)
      result.push_back({none, none, none});
    else
      result.push_back({next[0], next[count > 1 ? 1 : 0], next[count > 2 ? 2 : 0]});
    next += static_cast<std::ptrdiff_t>(count);
  }
  return result;
}

/// The answers by `AnswerAccumulator`, for queries without open regions.
std::vector<Answer> finished(const Task& task, const Plan& plan, const std::vector<QuerySums>& sums,
                             unsigned digits) {
  AnswerAccumulator answers(task, plan);
  std::vector<bool> added(plan.sums);
  const auto add = [&](const std::optional<std::size_t>& number, const Accumulator& sum,
                       std::size_t cells) {
    if (!number || added[*number]) return;
    added[*number] = true;
    Cell cell{{}};
    cell.sums = {{*number}};
    answers.add(cell, {{sum.total()}, cells});
  };
  for (std::size_t i = 0; i < task.queries.size(); ++i) {
    const auto& [total, first, second] = sums[i];
    const Plan::Parts& parts = plan.parts[i];
    add(parts.total, total.value, total.cells);
    add(parts.first, first.value, first.cells);
    add(parts.second, second.value, second.cells);
    add(parts.mass, first.value, first.cells);
    add(parts.left, first.left, first.cells);
    add(parts.right, first.right, first.cells);
  }
  return answers.finish(digits);
}

}  // namespace

std::vector<Answer> conclusions(const Task& task, const Plan& plan,
                                const std::vector<IntegralSum>& sums, unsigned digits) {
  const std::vector<QuerySums> found = of_queries(task, sums);
  std::vector<Answer> result = finished(task, plan, found, digits);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (found[i].open())
      if (std::optional<Answer> bounds = found[i].bounds(task.queries[i].kind))
        result[i] = std::move(*bounds);
  return result;
}

std::optional<Rational> widest(std::span<const Answer> answers) {
  Rational result = 0;
  for (const Answer& answer : answers) {
    if (answer.complete) continue;
    if (!answer.lower || !answer.upper) return std::nullopt;
    result = std::max(result, Rational(*answer.upper - *answer.lower));
    if (answer.left) result = std::max(result, Rational(answer.left->upper - answer.left->lower));
  }
  return result;
}

void clip(const Problem& problem, const Query& query, Answer& answer) {
  const bool probability = query.kind == Query::Kind::probability || query.kind == Query::Kind::cdf;
  if (answer.complete && !answer.within_gap) return;
  if (!probability && query.kind != Query::Kind::variance) return;
  if (answer.lower && *answer.lower >= 0 && (!probability || *answer.upper <= 1)) return;
  if (!ProblemBounds(problem).non_negative()) return;
  answer.lower = std::max(answer.lower.value_or(0), Rational(0));
  if (probability) answer.upper = std::min(answer.upper.value_or(1), Rational(1));
  if (answer.value) answer.value = Interval(*answer.lower, *answer.upper);
}

void accept_within(const Rational& gap, std::vector<Answer>& answers) {
  const std::optional<Rational> width = widest(answers);
  if (!width || *width > gap) return;
  for (Answer& answer : answers) {
    if (answer.complete) continue;
    answer.complete = answer.within_gap = true;
    answer.value = Interval(*answer.lower, *answer.upper);
  }
}

}  // namespace wmi
