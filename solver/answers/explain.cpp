// The goal is the sum of all the definitions, so that every cell decides them; a point inside a cell
// then determines which cases hold on it.

#include "solver/answers/explain.h"

#include <algorithm>
#include <map>
#include <span>

#include "solver/answers/evaluation.h"
#include "solver/enumerators/goal.h"
#include "solver/geometry/region.h"
#include "solver/terms/accumulator.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

/// The values of definitions at a point, and the truth of what they depend on.
class Valuation {
 public:
  Valuation(const Problem& problem, std::span<const std::uint32_t> nodes,
            const std::vector<Rational>& point)
      : terms_(problem.terms), truths_(terms_.size()), reals_(terms_.real_count()) {
    std::copy(point.begin(), point.end(), reals_.begin());
    truths_[truth.node()] = true;
    for (const std::uint32_t number : nodes) visit(number);
  }

  bool holds(Formula formula) const { return truths_[formula.node()] != formula.negated(); }

 private:
  void visit(std::uint32_t number) {
    const Node& node = terms_.node(number);
    const auto child = [&](std::size_t i) { return holds(node.children[i]); };
    switch (node.kind) {
      case Kind::constant:
      case Kind::boolean:
        break;
      case Kind::atom: {
        const Atom& atom = terms_.atom(node.index);
        truths_[number] = wmi::holds(atom.form.at(reals_), atom.comparison);
        break;
      }
      case Kind::conjunction:
        truths_[number] = std::all_of(node.children.begin(), node.children.end(),
                                      [&](const Formula part) { return holds(part); });
        break;
      case Kind::choice:
        truths_[number] = child(0) ? child(1) : child(2);
        break;
      case Kind::definition: {
        const Definition& definition = terms_.definition(node.index);
        reals_[definition.variable] =
            (holds(definition.condition) ? definition.then : definition.otherwise).at(reals_);
        break;
      }
    }
  }

  const Terms& terms_;
  std::vector<bool> truths_;  // of each node that was visited
  std::vector<Rational> reals_;
};

/// The mean of the vertices, factor by factor.
std::vector<Rational> inner_point(const Cell& cell, const Region& region, std::size_t reals) {
  std::vector<Rational> result(reals);
  for (const Region::Factor& factor : region.factors) {
    const std::vector<Point> vertices = factor.polytope.vertices();
    for (std::size_t i = 0; i < factor.coordinates.size(); ++i) {
      Rational sum;
      for (const Point& vertex : vertices) sum += vertex[i];
      result[cell.variables[factor.coordinates[i]]] = sum / Rational(Integer(vertices.size()));
    }
  }
  return result;
}

bool about_booleans(const Terms& terms, Formula condition) {
  for (const std::uint32_t node : terms.below(std::span(&condition, 1), {}))
    if (terms.node(node).kind == Kind::boolean) return true;
  return false;
}

}  // namespace

Explanation explain(const Problem& problem, const std::vector<Variable>& defined,
                    const Enumerator& enumerator, const Integrator& integrator,
                    const std::stop_token& stop) {
  const Terms& terms = problem.terms;
  if (terms.smooth())
    throw Error(
        "patterns are those of piecewise polynomial terms; this problem has smooth functions");
  if (std::find(problem.integrated.begin(), problem.integrated.end(), false) !=
      problem.integrated.end())
    throw Error("patterns are those of defined terms; write derived reals as (define-fun ...)");
  Explanation result;
  std::vector<Formula> conditions;
  Polynomial sum;
  for (const Variable variable : defined) {
    const Definition& definition =
        terms.definition(terms.node(terms.defining_node(variable)).index);
    if (about_booleans(terms, definition.condition)) continue;
    result.definitions.push_back(variable);
    conditions.push_back(definition.condition);
    sum += Polynomial::variable(variable);
  }
  // The integral of the sum decides all definitions; a goal with a law, even of 0, has no products.
  const Goal goal{truth, {{Polynomial(1), 0}, {sum, 1}}, {}, {{Polynomial(), 0}}};
  const std::vector<std::uint32_t> nodes = terms.below(conditions, std::span(&sum, 1));
  std::map<std::vector<bool>, Pattern> found;
  std::map<std::vector<bool>, Accumulator> masses;
  const Evaluation evaluation(integrator);
  const auto cells = enumerator.start(problem, std::span(&goal, 1), stop);
  while (const std::optional<Cell> cell = cells->next()) {
    if (std::holds_alternative<OpenCell>(cell->kind)) continue;
    const CellBounds& bounds = std::get<PlainCell>(cell->kind).bounds;
    const Region region = make_region(cell->variables.size(), bounds);
    if (region.flat) continue;
    Cell weight_only{cell->variables, PlainCell{bounds}};
    for (std::size_t i = 0; i < cell->integrands.size(); ++i)
      if (cell->sums[i][0] == 0) {
        weight_only.integrands.push_back(cell->integrands[i]);
        weight_only.sums.push_back(cell->sums[i]);
      }
    if (weight_only.integrands.empty()) continue;  // the weight is 0
    const Interval mass = evaluation(weight_only).integrals[0];
    const Valuation valuation(problem, nodes,
                              inner_point(*cell, region, problem.integrated.size()));
    std::vector<bool> holds;
    holds.reserve(conditions.size());
    for (const Formula condition : conditions) holds.push_back(valuation.holds(condition));
    Pattern& pattern = found[holds];
    pattern.holds = holds;
    ++pattern.cells;
    masses[holds].add(mass);
  }
  for (auto& [holds, pattern] : found) {
    pattern.mass = masses[holds].total();
    result.patterns.push_back(std::move(pattern));
  }
  std::stable_sort(
      result.patterns.begin(), result.patterns.end(),
      [](const Pattern& a, const Pattern& b) { return a.mass.midpoint() > b.mass.midpoint(); });
  return result;
}

}  // namespace wmi
