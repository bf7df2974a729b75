#include "solver/goal.h"

#include <algorithm>

namespace wmi {
namespace {

class Planner {
 public:
  explicit Planner(Task& task) : terms_(task.problem.terms) {}

  /// The sum for the integral of weight * factor where the condition holds. Factors whose pieces
  /// are the same share a goal, and so the cells.
  std::size_t sum(Formula condition, const Polynomial& factor) {
    const std::vector<std::uint32_t> pieces = terms_.below({}, std::span(&factor, 1));
    std::size_t number = 0;
    while (number < plan_.goals.size() && (plan_.goals[number].condition != condition ||
                                           plan_.goals[number].slice || pieces_[number] != pieces))
      ++number;
    if (number == plan_.goals.size()) add({condition, {}, {}}, pieces);
    for (const Summand& summand : plan_.goals[number].summands)
      if (summand.factor == factor) return summand.sum;
    plan_.goals[number].summands.push_back({factor, plan_.sums});
    return plan_.sums++;
  }

  Plan::Parts parts(const Query& query) {
    Plan::Parts result;
    const Polynomial one(1);
    switch (query.kind) {
      case Query::Kind::echo:
      case Query::Kind::satisfiable:
        break;
      case Query::Kind::wmi:
        result.first = sum(query.event, one);
        break;
      case Query::Kind::probability:
        result.total = sum(query.given, one);
        result.first = sum(terms_.both(query.event, query.given), one);
        break;
      case Query::Kind::expectation:
      case Query::Kind::moment:
        result.total = sum(query.given, one);
        result.first = sum(query.given, power(query.term, query.order));
        break;
      case Query::Kind::variance:
        result.total = sum(query.given, one);
        result.first = sum(query.given, query.term);
        result.second = sum(query.given, power(query.term, 2));
        break;
      case Query::Kind::density: {
        result.total = sum(query.given, one);
        result.mass = plan_.sums++;
        result.left = plan_.sums++;
        result.right = plan_.sums++;
        add({query.given,
             {},
             Slice{query.term, query.at, *result.mass, *result.left, *result.right}},
            {});
        break;
      }
    }
    return result;
  }

  Plan plan(const std::vector<Query>& queries) {
    for (const Query& query : queries) {
      try {
        plan_.parts.push_back(parts(query));
      } catch (const Error& error) {
        throw Error(error.what(), query.where);
      }
    }
    return std::move(plan_);
  }

 private:
  void add(Goal goal, std::vector<std::uint32_t> pieces) {
    plan_.goals.push_back(std::move(goal));
    pieces_.push_back(std::move(pieces));
  }

  Terms& terms_;
  Plan plan_;
  std::vector<std::vector<std::uint32_t>> pieces_;  // of each goal: the nodes its factors need
};

}  // namespace

Plan make_plan(Task& task) { return Planner(task).plan(task.queries); }

std::vector<std::uint32_t> cone(const Problem& problem, std::span<const Goal> goals) {
  std::vector<Formula> formulas = problem.assertions;
  std::vector<Polynomial> polynomials;
  for (const Weight& weight : problem.weights) {
    formulas.push_back(weight.condition);
    polynomials.push_back(weight.value);
  }
  for (const Goal& goal : goals) {
    formulas.push_back(goal.condition);
    for (const Summand& summand : goal.summands) polynomials.push_back(summand.factor);
    if (goal.slice) polynomials.push_back(goal.slice->term);
  }
  return problem.terms.below(formulas, polynomials);
}

}  // namespace wmi
