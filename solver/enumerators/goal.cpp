#include "solver/enumerators/goal.h"

#include <algorithm>
#include <string>

#include "solver/terms/caps.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

/// Refuses a degree that no integrator can integrate, before the search.
void check_degree(const Polynomial& term, unsigned order) {
  if (!term.constant() && order * std::size_t{term.degree()} > caps::degree)
    throw Error("a term of degree " + std::to_string(term.degree()) + " to the power of " +
                std::to_string(order) + "; at most degree " + std::to_string(caps::degree) +
                " is allowed");
}

class Planner {
 public:
  explicit Planner(Task& task)
      : terms_(task.problem.terms), smooth_(has_smooth_weights(task.problem)) {}

  /// The sum for the integral of weight * term^order where the condition holds. Terms whose pieces
  /// are the same share a goal, and so the cells.
  std::size_t sum(Formula condition, const Polynomial& term, unsigned order = 1) {
    check_degree(term, order);
    return sum_in(goal(condition, term), term, order);
  }

  /// The law of the term where the condition holds; with its mass, whose refusal and number of cells
  /// are those of the law.
  void law(Plan::Parts& parts, Formula condition, const Polynomial& term) {
    Goal& found = goal(condition, term);
    parts.total = parts.first = sum_in(found, Polynomial(1), 1);
    for (const Output& output : found.outputs)
      if (output.term == term) parts.law = output.law;
    if (parts.law) return;
    parts.law = plan_.laws;
    found.outputs.push_back({term, plan_.laws++});
  }

  Plan::Parts parts(const Query& query) {
    Plan::Parts result;
    const Polynomial one(1);
    switch (query.kind) {
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
        result.first = sum(query.given, query.term, query.order);
        break;
      case Query::Kind::variance:
        result.total = sum(query.given, one);
        result.first = sum(query.given, query.term);
        result.second = sum(query.given, query.term, 2);
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
      case Query::Kind::cdf:
        if (smooth_) {  // it has no law: an event
          result.total = sum(query.given, one);
          result.first = sum(
              terms_.both(terms_.less_equal(query.term, Polynomial(query.at)), query.given), one);
          break;
        }
        [[fallthrough]];
      case Query::Kind::distribution:
      case Query::Kind::quantile:
        law(result, query.given, query.term);
        break;
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
  /// The goal with this condition and the pieces of this polynomial.
  Goal& goal(Formula condition, const Polynomial& polynomial) {
    std::vector<std::uint32_t> pieces = terms_.below({}, std::span(&polynomial, 1));
    for (std::size_t i = 0; i < plan_.goals.size(); ++i)
      if (plan_.goals[i].condition == condition && !plan_.goals[i].slice && pieces_[i] == pieces)
        return plan_.goals[i];
    add({condition, {}, {}}, std::move(pieces));
    return plan_.goals.back();
  }

  std::size_t sum_in(Goal& goal, const Polynomial& term, unsigned order) {
    for (const Summand& summand : goal.summands)
      if (summand.term == term && summand.order == order) return summand.sum;
    goal.summands.push_back({term, plan_.sums, order});
    return plan_.sums++;
  }

  void add(Goal goal, std::vector<std::uint32_t> pieces) {
    plan_.goals.push_back(std::move(goal));
    pieces_.push_back(std::move(pieces));
  }

  Terms& terms_;
  const bool smooth_;
  Plan plan_;
  std::vector<std::vector<std::uint32_t>> pieces_;  // of each goal: the nodes its terms need
};

}  // namespace

Plan make_plan(Task& task) { return Planner(task).plan(task.queries); }

std::vector<std::uint32_t> cone(const Problem& problem, std::span<const Goal> goals) {
  return cone(problem, problem.weights, goals);
}

std::vector<std::uint32_t> cone(const Problem& problem, std::span<const Weight> weights,
                                std::span<const Goal> goals) {
  std::vector<Formula> formulas = problem.assertions;
  std::vector<Polynomial> polynomials;
  for (const Weight& weight : weights) {
    formulas.push_back(weight.condition);
    polynomials.push_back(weight.value);
  }
  for (const Goal& goal : goals) {
    formulas.push_back(goal.condition);
    for (const Summand& summand : goal.summands) polynomials.push_back(summand.term);
    if (goal.slice) polynomials.push_back(goal.slice->term);
    for (const Output& output : goal.outputs) polynomials.push_back(output.term);
  }
  return problem.terms.below(formulas, polynomials);
}

}  // namespace wmi
