#include "solver/answers/evaluation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "solver/integrators/enclosed_faces.h"
#include "solver/integrators/factored.h"
#include "solver/laws/pushforward.h"
#include "solver/smooth/density_integral.h"
#include "solver/smooth/smooth_integrator.h"
#include "solver/smooth/stop_scope.h"

namespace wmi {
namespace {

/// The direction in the coordinates of the whole cell.
Unbounded embedded(const Unbounded& error, const std::vector<Variable>& coordinates,
                   std::size_t dimension) {
  Point direction(dimension);
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    direction[coordinates[i]] = error.direction()[i];
  return Unbounded(direction);
}

/// The problem of a part and the monomials as text: equal texts, equal integrals.
std::string memo_key(const Part& part, std::span<const Polynomial> monomials) {
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
      number(static_cast<std::size_t>(definition.function));
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
  return std::visit([&](const auto& kind) { return evaluate(cell, kind); }, cell.kind);
}

std::optional<Rational> Evaluation::most_weight(const Cell& cell) const {
  const std::optional<OpenCell::Bound>& bound = std::get<OpenCell>(cell.kind).bound;
  if (!bound) return std::nullopt;
  if (const auto* const enclosed = std::get_if<EnclosedPolytope>(&bound->region)) {
    const EnclosedPolynomial weight{Polynomial(bound->weight)};
    const auto found = enclose_integrals(std::span(&weight, 1), *enclosed);
    return found ? std::optional((*found)[0].upper) : std::nullopt;
  }
  const Polynomial weight(bound->weight);
  const Region region = make_region(cell.variables.size(), std::get<CellBounds>(bound->region));
  return integrals(region, std::span(&weight, 1))[0].upper;
}

std::vector<Interval> Evaluation::integrals(const Region& region,
                                            std::span<const Polynomial> integrands) const {
  if (region.flat) return std::vector<Interval>(integrands.size());
  if (region.factors.size() == 1)
    return integrator_.integrate(integrands, region.factors[0].polytope);
  std::vector<std::vector<Variable>> coordinates;
  for (const Region::Factor& factor : region.factors) coordinates.push_back(factor.coordinates);
  Factored factored(std::move(coordinates));
  for (const Polynomial& integrand : integrands) factored.add(integrand);
  std::vector<std::vector<Interval>> of_factors;
  for (std::size_t i = 0; i < region.factors.size(); ++i)
    of_factors.push_back(integrator_.integrate(factored.monomials(i), region.factors[i].polytope));
  return factored.integrals(of_factors);
}

SmoothAim smooth_aim(unsigned digits, const std::optional<Rational>& gap, std::stop_token stop) {
  const auto share_of = [](unsigned n) { return std::pow(10, -static_cast<double>(n)); };
  const double of_gap = gap ? gap->get_d() / 3 : 0;
  const double least = std::max(1.0, of_gap / share_of(SmoothAim().digits));
  return {digits, std::clamp(share_of(digits) * least, 1e-15, 1e-2), std::move(stop)};
}

Evaluation::Result Evaluation::smooth(const Cell& cell,
                                      const std::vector<Halfspace>& halfspaces) const {
  const StopScope scope(aim_.stop);
  SmoothIntegrals found = integrate_smooth(cell.integrands, cell.functions, cell.variables.size(),
                                           halfspaces, aim_.digits);
  return {
      std::move(found.integrals), found.flat ? std::size_t{0} : 1, {}, std::move(found.refusals)};
}

Evaluation::Result Evaluation::evaluate(const Cell& cell, const PlainCell& plain) const {
  if (!cell.functions.empty() && plain.images.empty())
    return smooth(cell, halfspaces(plain.bounds));
  const Region region = make_region(cell.variables.size(), plain.bounds);
  if (region.flat)
    return {std::vector<Interval>(cell.integrands.size()), 0,
            std::vector<TruncatedPowers>(plain.images.size())};
  std::vector<TruncatedPowers> laws;
  for (const Image& image : plain.images)
    laws.push_back(pushforward(region, image.weight, image.form));
  if (!cell.functions.empty()) {
    Result result = smooth(cell, halfspaces(plain.bounds));
    result.cells = 1;
    result.laws = std::move(laws);
    return result;
  }
  if (cell.weight != nullptr) return {nested(*cell.weight, cell.integrands, region), 1};
  return {integrals(region, cell.integrands), 1, std::move(laws)};
}

std::vector<Interval> Evaluation::nested(const NestedPolynomial& weight,
                                         std::span<const Polynomial> factors,
                                         const Region& region) const {
  if (auto found = integrator_.enclose(weight, factors, region)) return *std::move(found);
  const Polynomial product = expanded(weight);
  std::vector<Polynomial> integrands;
  for (const Polynomial& factor : factors) integrands.push_back(product * factor);
  return integrals(region, integrands);
}

Evaluation::Result Evaluation::evaluate(const Cell& cell, const EnclosedCell& enclosed) const {
  const StopScope scope(aim_.stop);
  if (auto found = enclosed.density ? integrate_under_density(enclosed.integrands, enclosed.region,
                                                              *enclosed.density, {aim_.share})
                                    : integrator_.enclose(enclosed.integrands, enclosed.region))
    return {std::move(*found), 1};
  Result result{std::vector<Interval>(cell.sums.size()), 1};
  for (const Cell& exact : enclosed.exact->cells()) {
    const Result found = (*this)(exact);
    for (std::size_t i = 0; i < exact.sums.size(); ++i) {
      const auto same = std::ranges::find(cell.sums, exact.sums[i]);
      assert(same != cell.sums.end());
      result.integrals[static_cast<std::size_t>(same - cell.sums.begin())] += found.integrals[i];
    }
  }
  return result;
}

Evaluation::Result Evaluation::evaluate(const Cell& cell, const SliceCell& slice) const {
  if (!cell.functions.empty()) return smooth(cell, slice.halfspaces);
  const Region region = make_region(cell.variables.size(), slice.halfspaces);
  return {integrals(region, cell.integrands), region.flat ? std::size_t{0} : 1};
}

Evaluation::Result Evaluation::evaluate(const Cell& cell, const ProductCell& product) const {
  std::optional<Unbounded> unbounded;  // unless another factor has no volume
  Region region;
  try {
    region = product.region.region();
    if (region.flat) return {std::vector<Interval>(cell.integrands.size()), 0};
  } catch (const Unbounded& error) {
    unbounded = embedded(error, product.coordinates, cell.variables.size());
  }
  std::vector<std::vector<Variable>> coordinates;
  for (const Region::Factor& factor : region.factors) {
    coordinates.push_back(factor.coordinates);
    for (Variable& coordinate : coordinates.back()) coordinate = product.coordinates[coordinate];
  }
  for (const Part& part : product.parts) coordinates.push_back(part.coordinates);
  Factored factored(std::move(coordinates));
  for (const Polynomial& integrand : cell.integrands) factored.add(integrand);
  std::vector<std::vector<Interval>> of_factors;
  for (std::size_t i = 0; i < region.factors.size(); ++i)
    of_factors.push_back(integrator_.integrate(factored.monomials(i), region.factors[i].polytope));
  std::size_t cells = 0;
  bool flat = false;
  for (const Part& part : product.parts) {
    const std::size_t factor = of_factors.size();
    const std::vector<Polynomial>& monomials = factored.monomials(factor);
    try {
      Result found = integrate(part, monomials);
      flat = flat || found.cells == 0;
      cells += found.cells;
      of_factors.push_back(std::move(found.integrals));
    } catch (const Unbounded& error) {
      if (!unbounded)
        unbounded = embedded(error, factored.coordinates(factor), cell.variables.size());
      of_factors.emplace_back(monomials.size());
    }
  }
  if (flat) return {std::vector<Interval>(cell.integrands.size()), 0};
  if (unbounded) throw *unbounded;
  return {factored.integrals(of_factors), cells};
}

Evaluation::Result Evaluation::evaluate(const Cell&, const OpenCell&) const { return {}; }

Evaluation::Result Evaluation::integrate(const Part& part,
                                         std::span<const Polynomial> monomials) const {
  assert(integrate_part_);
  std::string key = memo_key(part, monomials);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = memo_.find(key); found != memo_.end()) return found->second;
  }
  Result result = integrate_part_(part, monomials, *this);
  std::size_t size = key.size();
  for (const Interval& value : result.integrals)
    size += mpz_sizeinbase(value.lower.get_num_mpz_t(), 256) * 4;
  const std::lock_guard lock(mutex_);
  if (bytes_ + size <= most_bytes && memo_.try_emplace(std::move(key), result).second)
    bytes_ += size;
  return result;
}

}  // namespace wmi
