#include "solver/integrators/evaluation.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "solver/integrators/factored.h"
#include "solver/laws/pushforward.h"
#include "solver/terms/accumulator.h"

namespace wmi {
namespace {

Unbounded embedded(const Unbounded& error, const std::vector<Variable>& coordinates,
                   std::size_t dimension) {
  Point direction(dimension);
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    direction[coordinates[i]] = error.direction()[i];
  return Unbounded(std::move(direction));
}

/// All of a part that its integrals depend on, as text: equal texts, equal integrals.
std::string spelt(const Part& part, std::span<const Polynomial> monomials) {
  std::string result;
  const auto number = [&](std::size_t value) { (result += std::to_string(value)) += ' '; };
  const auto rational = [&](const Rational& value) { (result += value.get_str(62)) += ' '; };
  const auto formula = [&](Formula value) { number(2 * value.node() + value.negated()); };
  const auto polynomial = [&](const Polynomial& value) {
    for (const Polynomial::Term& term : value.terms()) {
      rational(term.coefficient);
      for (const Power& power : term.monomial) {
        number(power.variable);
        number(power.exponent);
      }
      result += '+';
    }
    result += ';';
  };
  const Terms& terms = part.problem.terms;
  number(part.problem.integrated.size());
  number(terms.boolean_count());
  for (std::uint32_t i = 0; i < terms.size(); ++i) {
    const Node& node = terms.node(i);
    number(static_cast<std::size_t>(node.kind));
    number(node.index);
    for (const Formula child : node.children) formula(child);
    if (node.kind == Kind::atom) {
      number(static_cast<std::size_t>(terms.atom(node.index).comparison));
      polynomial(terms.atom(node.index).form.polynomial());
    } else if (node.kind == Kind::definition) {
      const Definition& definition = terms.definition(node.index);
      number(definition.variable);
      formula(definition.condition);
      polynomial(definition.then);
      polynomial(definition.otherwise);
    }
    result += ';';
  }
  for (const Formula assertion : part.problem.assertions) formula(assertion);
  result += ';';
  for (const Weight& weight : part.problem.weights) {
    formula(weight.condition);
    polynomial(weight.value);
  }
  result += ';';
  for (const Polynomial& monomial : monomials) polynomial(monomial);
  return result;
}

}  // namespace

Evaluation::Result Evaluation::operator()(const Cell& cell) const {
  std::optional<Unbounded> unbounded;  // unless another factor has no volume
  Region region;
  try {
    region = cell.region();
    if (region.flat)
      return {std::vector<Interval>(cell.integrands.size()), 0,
              std::vector<TruncatedPowers>(cell.images.size())};
  } catch (const Unbounded& error) {
    if (cell.parts.empty()) throw;
    unbounded = embedded(error, cell.coordinates, cell.variables.size());
  }
  std::vector<TruncatedPowers> laws;
  for (const Image& image : cell.images)
    laws.push_back(pushforward(region, image.weight, image.form));
  if (cell.parts.empty() && region.factors.size() == 1)
    return {integrator_.integrate(cell.integrands, region.factors[0].polytope), 1, std::move(laws)};
  assert(cell.parts.empty() || cell.images.empty());

  std::vector<std::vector<Variable>> coordinates;
  for (const Region::Factor& factor : region.factors) {
    coordinates.push_back(factor.coordinates);
    if (!cell.parts.empty())
      for (Variable& coordinate : coordinates.back()) coordinate = cell.coordinates[coordinate];
  }
  for (const Part& part : cell.parts) coordinates.push_back(part.coordinates);
  Factored factored(std::move(coordinates));
  for (const Polynomial& integrand : cell.integrands) factored.add(integrand);
  std::size_t cells = cell.parts.empty() ? 1 : 0;
  bool flat = false;
  std::vector<std::vector<Interval>> integrals;
  for (std::size_t i = 0; i < factored.factor_count(); ++i) {
    const std::vector<Polynomial>& monomials = factored.monomials(i);
    if (i < region.factors.size()) {
      integrals.push_back(integrator_.integrate(monomials, region.factors[i].polytope));
      continue;
    }
    try {
      Result found = evaluate(cell.parts[i - region.factors.size()], monomials);
      flat = flat || found.cells == 0;
      cells += found.cells;
      integrals.push_back(std::move(found.integrals));
    } catch (const Unbounded& error) {
      if (!unbounded) unbounded = embedded(error, factored.coordinates(i), cell.variables.size());
      integrals.emplace_back(monomials.size());
    }
  }
  if (flat) return {std::vector<Interval>(cell.integrands.size()), 0};
  if (unbounded) throw *unbounded;
  return {factored.integrals(integrals), cells, std::move(laws)};
}

Evaluation::Result Evaluation::evaluate(const Part& part,
                                        std::span<const Polynomial> monomials) const {
  std::string key = spelt(part, monomials);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
  }
  Result result = enumerate(part, monomials);
  std::size_t size = key.size();
  for (const Interval& value : result.integrals)
    size += mpz_sizeinbase(value.lower.get_num_mpz_t(), 256) * 4;
  const std::lock_guard lock(mutex_);
  if (bytes_ + size <= most_bytes && known_.try_emplace(std::move(key), result).second)
    bytes_ += size;
  return result;
}

Evaluation::Result Evaluation::enumerate(const Part& part,
                                         std::span<const Polynomial> monomials) const {
  Goal goal;
  for (std::size_t i = 0; i < monomials.size(); ++i) goal.summands.push_back({monomials[i], i});
  std::vector<Accumulator> sums(monomials.size());
  Result result;
  const auto cells = enumerator_.start(part.problem, std::span(&goal, 1), stop_);
  while (const std::optional<Cell> cell = cells->next()) {
    const Result found = (*this)(*cell);
    result.cells += found.cells;
    for (std::size_t i = 0; i < cell->integrands.size(); ++i)
      for (const std::size_t sum : cell->sums[i]) sums[sum].add(found.integrals[i]);
  }
  for (const Accumulator& sum : sums) result.integrals.push_back(sum.total());
  return result;
}

namespace {

bool has_volume(const Cell& cell, const Enumerator& enumerator, const std::stop_token& stop) {
  try {
    if (cell.region().flat) return false;
  } catch (const Unbounded&) {  // a lot of it
  }
  return std::all_of(cell.parts.begin(), cell.parts.end(), [&](const Part& part) {
    return wmi::has_volume(part.problem, enumerator, stop);
  });
}

}  // namespace

bool has_volume(const Problem& problem, const Enumerator& enumerator, const std::stop_token& stop) {
  Problem unweighted = problem;
  unweighted.weights.clear();
  const Goal volume{truth, {{Polynomial(1), 0}}, {}};
  const auto cells = enumerator.start(unweighted, std::span(&volume, 1), stop);
  while (const std::optional<Cell> cell = cells->next())
    if (has_volume(*cell, enumerator, stop)) return true;
  return false;
}

}  // namespace wmi
