#include "solver/certificates/sums.h"

#include <algorithm>
#include <utility>

#include "solver/enumerators/leaf.h"
#include "solver/enumerators/region_bounds.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

Rational size(const Interval& interval) {
  return std::max(Rational(abs(interval.lower)), Rational(abs(interval.upper)));
}

}  // namespace

/// Integrates over the region of the scope, in its own coordinates.
std::vector<Interval> Sums::integrate(const ProofState& state, const Scope& scope,
                                      std::vector<Polynomial> integrands) const {
  Cell cell{scope.coordinates};
  cell.kind = PlainCell{state.region.restricted(scope.coordinates)};
  cell.integrands = std::move(integrands);
  cell.sums.resize(cell.integrands.size());
  return evaluation_(cell).integrals;
}

void Sums::add_cell(ProofState& state, Scope& scope) {
  if (!state.pinned()) throw GaveUp("no certificate: a derived real is not pinned");
  const auto of_part = [&](const Polynomial& polynomial) {
    return state.in_coordinates(polynomial).substitute([&](Variable coordinate) {
      const auto found =
          std::lower_bound(scope.coordinates.begin(), scope.coordinates.end(), coordinate);
      return Polynomial::variable(static_cast<Variable>(found - scope.coordinates.begin()));
    });
  };
  const Polynomial weight =
      of_part(state.evaluator.weight(state.branch, scope.weights, scope.booleans));
  std::vector<Polynomial> integrands;
  std::vector<IntegralSum*> sums;
  for (const std::size_t i : scope.active) {
    const CertifiedIntegral& integral = scope.integrals[i];
    if (condition(integral, state.branch) == Truth::no) continue;
    IntegralSum& sum = scope.sums[i];
    ++sum.cells;
    Polynomial integrand = weight;
    if (integral.term) {
      const Polynomial term = of_part(state.branch.resolved(*integral.term));
      if (!integral.sliced) {
        integrand = weight * power(term, integral.order);
      } else if (const LinearForm form(term - integral.at); !form.is_constant()) {
        add_slice(state, form, weight, sum);
        continue;
      } else if (form.constant != 0) {
        continue;
      }
    }
    integrands.push_back(std::move(integrand));
    sums.push_back(&sum);
  }
  if (integrands.empty()) return;
  std::vector<Interval> found = integrate(state, scope, std::move(integrands));
  ++cells_;
  if (observer_ != nullptr) observer_->added(cells_);
  for (std::size_t i = 0; i < found.size(); ++i) sums[i]->value.add(std::move(found[i]));
}

/// The cell is on one side of form = 0. Slices never occur in products, so coordinates need no
/// translation.
void Sums::add_slice(const ProofState& state, const LinearForm& form, const Polynomial& weight,
                     IntegralSum& sum) const {
  const std::optional<Cell> slice =
      slice_of(state.region.halfspaces(), state.coordinates.variables(), weight, form, {});
  if (!slice) return;
  LinearForm primitive = form;
  primitive.make_primitive();
  Accumulator& side = state.region.sides(primitive) == Sides::below ? sum.left : sum.right;
  side.add(evaluation_(*slice).integrals[0]);
}

bool Sums::add_open(ProofState& state, Scope& scope, const Threshold& threshold) {
  if (!state.pinned() || !state.bounded(scope)) return false;
  std::vector<Formula> formulas;
  std::vector<Polynomial> polynomials;
  for (const std::uint32_t number : scope.weights) {
    formulas.push_back(state.problem.weights[number].condition);
    polynomials.push_back(state.problem.weights[number].value);
  }
  for (const std::size_t i : scope.active) {
    const CertifiedIntegral& integral = scope.integrals[i];
    formulas.insert(formulas.end(), integral.conditions.begin(), integral.conditions.end());
    if (integral.term) polynomials.push_back(*integral.term);
  }
  std::size_t decided = state.decide_implied(formulas, polynomials);
  const bool left = bound(state, scope, threshold);
  for (; decided > 0; --decided) state.branch.undo();
  return left;
}

bool Sums::bound(const ProofState& state, Scope& scope, const Threshold& threshold) {
  RegionBounds bounds(state.problem, state.branch, state.region,
                      [&](const LinearForm& form) -> std::optional<LinearForm> {
                        LinearForm own = state.pins(form);
                        if (state.has_derived(own)) return std::nullopt;
                        return state.coordinates.from_reals(std::move(own));
                      });
  const auto volume = [&] { return integrate(state, scope, {Polynomial(1)})[0]; };
  const std::optional<Interval> weight = bounds.weight(scope.weights, scope.booleans);
  if (!weight || !threshold.covers(size(*weight), state.region, [&] { return volume().upper; }))
    return false;
  std::vector<std::pair<std::size_t, Interval>> ranges;
  for (const std::size_t i : scope.active) {
    const CertifiedIntegral& integral = scope.integrals[i];
    if (condition(integral, state.branch) == Truth::no) continue;
    const std::optional<Interval> range =
        integral.term ? bounds.range(*integral.term) : Interval(Rational(1));
    if (!range) return false;
    ranges.emplace_back(i, *range);
  }
  const Interval most = *weight * volume();
  for (const auto& [i, range] : ranges) {
    const CertifiedIntegral& integral = scope.integrals[i];
    IntegralSum& sum = scope.sums[i];
    if (!integral.sliced)
      sum.value.add(integral.term ? signed_product_bounds(most, power(range, integral.order))
                                  : most);
    else if (range.contains(integral.at))
      sum.unbounded = true;
    sum.open = true;
  }
  left_open_ += size(most);
  return true;
}

}  // namespace wmi
