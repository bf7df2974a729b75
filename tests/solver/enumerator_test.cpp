// What every enumerator owes: at a point, the integrands of the cells around it add up to the
// weight of its models. So cells are disjoint, none is missing, and each carries the right
// polynomial.

#include "solver/enumerator.h"

#include <doctest/doctest.h>

#include "tests/solver/brute_force.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {
namespace {

bool inside(const std::vector<Halfspace>& sides, const std::vector<Rational>& point) {
  for (const Halfspace& side : sides) {
    Rational value;
    for (std::size_t i = 0; i < point.size(); ++i) value += side.normal[i] * point[i];
    if (value > side.bound) return false;
  }
  return true;
}

std::vector<Rational> restricted(const std::vector<Rational>& point,
                                 const std::vector<Variable>& coordinates) {
  std::vector<Rational> result;
  for (const Variable coordinate : coordinates) result.push_back(point[coordinate]);
  return result;
}

/// What the cell adds to each sum at a point. Of a product: the values of its parts, multiplied.
void add_at(const EnumeratorEntry& entry, const Cell& cell, const std::vector<Rational>& point,
            std::vector<Rational>& sums) {
  Rational factor = 1;
  if (const auto* const product = std::get_if<ProductCell>(&cell.kind)) {
    if (!inside(product->region.halfspaces(), restricted(point, product->coordinates))) return;
    for (const Part& part : product->parts) {
      const Goal goal{truth, {{Polynomial(1), 0}}, {}};
      std::vector<Rational> value(1);
      const auto cells = entry.make()->start(part.problem, std::span(&goal, 1), {});
      while (const std::optional<Cell> inner = cells->next())
        add_at(entry, *inner, restricted(point, part.coordinates), value);
      factor *= value[0];
    }
  } else if (!inside(halfspaces(std::get<PlainCell>(cell.kind).bounds), point)) {
    return;
  }
  for (std::size_t k = 0; k < cell.integrands.size(); ++k)
    for (const std::size_t sum : cell.sums[k]) sums[sum] += factor * cell.integrands[k].at(point);
}

/// The sum over the Booleans of the weight at a point, where the formula holds.
Rational weight_at(const Problem& problem, Formula event, const std::vector<Rational>& point) {
  const Terms& terms = problem.terms;
  Rational sum;
  for (std::size_t code = 0; code < (std::size_t{1} << terms.boolean_count()); ++code) {
    std::vector<bool> booleans;
    for (std::size_t i = 0; i < terms.boolean_count(); ++i) booleans.push_back((code >> i) & 1);
    bool model = holds(terms, event, point, booleans);
    for (const Formula assertion : problem.assertions)
      model = model && holds(terms, assertion, point, booleans);
    Rational weight = model ? 1 : 0;
    for (const Weight& factor : problem.weights)
      if (holds(terms, factor.condition, point, booleans))
        weight *= piece_at(terms, factor.value, point, booleans).at(point);
    sum += weight;
  }
  return sum;
}

TEST_CASE("at every point the cells add up to the weight of its models") {
  for (const EnumeratorEntry& entry : enumerators()) {
    CAPTURE(entry.name);
    Random random(50);
    MESSAGE("seed " << random.seed());
    for (int i = 0; i < 60; ++i) {
      CAPTURE(i);
      const int reals = random.integer(1, 5);
      Problem problem = random_problem(random, {reals, 2, 12, 2, true});
      const Formula event = random_formula(random, problem, 2);
      const std::vector<Goal> goals = {{truth, {{Polynomial(1), 0}}, {}},
                                       {event, {{Polynomial(1), 1}}, {}}};
      // Off every hyperplane with small coefficients.
      std::vector<std::vector<Rational>> points(20);
      for (std::vector<Rational>& point : points)
        for (int k = 0; k < reals; ++k)
          point.push_back(ratio(random.integer(-2'000'000, 2'000'000), 1'000'003));
      std::vector<std::vector<Rational>> sums(points.size(), std::vector<Rational>(2));
      const auto cells = entry.make()->start(problem, goals, {});
      while (const std::optional<Cell> cell = cells->next())
        for (std::size_t p = 0; p < points.size(); ++p) add_at(entry, *cell, points[p], sums[p]);
      for (std::size_t p = 0; p < points.size(); ++p) {
        CHECK(sums[p][0] == weight_at(problem, truth, points[p]));
        CHECK(sums[p][1] == weight_at(problem, event, points[p]));
      }
    }
  }
}

TEST_CASE("enumeration stops when it is told to") {
  for (const EnumeratorEntry& entry : enumerators()) {
    CAPTURE(entry.name);
    Random random(51);
    const Problem problem = random_problem(random, {3, 2, 12, 1, true});
    const Goal goal{truth, {{Polynomial(1), 0}}, {}};
    std::stop_source source;
    source.request_stop();
    CHECK_THROWS_AS(entry.make()->start(problem, std::span(&goal, 1), source.get_token()), Stopped);
  }
}

}  // namespace
}  // namespace wmi::tests
