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

/// Over the region, in coordinates of the part.
std::vector<Interval> Sums::integrals(const ProofState& place, const Scope& scope,
                                      std::vector<Polynomial> integrands) const {
  Cell cell{scope.coordinates};
  cell.kind = PlainCell{place.region.restricted(scope.coordinates)};
  cell.integrands = std::move(integrands);
  cell.sums.resize(cell.integrands.size());
  return evaluation_(cell).integrals;
}

void Sums::add_cell(ProofState& place, Scope& scope) {
  if (!place.pinned()) throw GaveUp("no certificate: a derived real is not pinned");
  const auto of_part = [&](const Polynomial& polynomial) {
    return place.in_coordinates(polynomial).substitute([&](Variable coordinate) {
      const auto found =
          std::lower_bound(scope.coordinates.begin(), scope.coordinates.end(), coordinate);
      return Polynomial::variable(static_cast<Variable>(found - scope.coordinates.begin()));
    });
  };
  const Polynomial weight =
      of_part(place.weighing.weight(place.branch, scope.weights, scope.booleans));
  std::vector<Polynomial> integrands;
  std::vector<Tally*> tallies;
  for (const std::size_t i : scope.active) {
    const CertifiedIntegral& aim = scope.aims[i];
    if (condition(aim, place.branch) == Truth::no) continue;
    Tally& tally = scope.tallies[i];
    ++tally.cells;
    Polynomial integrand = weight;
    if (aim.term) {
      const Polynomial term = of_part(place.branch.resolved(*aim.term));
      if (!aim.sliced) {
        integrand = weight * power(term, aim.order);
      } else if (const LinearForm form(term - aim.at); !form.is_constant()) {
        add_slice(place, form, weight, tally);
        continue;
      } else if (form.constant != 0) {
        continue;
      }
    }
    integrands.push_back(std::move(integrand));
    tallies.push_back(&tally);
  }
  if (integrands.empty()) return;
  std::vector<Interval> found = integrals(place, scope, std::move(integrands));
  ++cells_;
  if (observer_ != nullptr) observer_->added(cells_);
  for (std::size_t i = 0; i < found.size(); ++i) tallies[i]->sum.add(std::move(found[i]));
}

/// A cell is on one side of form = 0. Slices are never in a product, whose parts would have
/// coordinates of their own.
void Sums::add_slice(const ProofState& place, const LinearForm& form, const Polynomial& weight,
                     Tally& tally) const {
  const std::optional<Cell> slice =
      slice_of(place.region.halfspaces(), place.coordinates.variables(), weight, form, {});
  if (!slice) return;
  LinearForm primitive = form;
  primitive.make_primitive();
  Accumulator& sum = place.region.sides(primitive) == Sides::below ? tally.left : tally.right;
  sum.add(evaluation_(*slice).integrals[0]);
}

bool Sums::leave_open(ProofState& place, Scope& scope, const Threshold& threshold) {
  if (!place.pinned() || !place.bounded(scope)) return false;
  std::vector<Formula> formulas;
  std::vector<Polynomial> polynomials;
  for (const std::uint32_t number : scope.weights) {
    formulas.push_back(place.problem.weights[number].condition);
    polynomials.push_back(place.problem.weights[number].value);
  }
  for (const std::size_t i : scope.active) {
    const CertifiedIntegral& aim = scope.aims[i];
    formulas.insert(formulas.end(), aim.conditions.begin(), aim.conditions.end());
    if (aim.term) polynomials.push_back(*aim.term);
  }
  std::size_t decided = place.look_around(formulas, polynomials);
  const bool left = bound(place, scope, threshold);
  for (; decided > 0; --decided) place.branch.undo();
  return left;
}

bool Sums::bound(const ProofState& place, Scope& scope, const Threshold& threshold) {
  RegionBounds prospect(place.problem, place.branch, place.region,
                        [&](const LinearForm& form) -> std::optional<LinearForm> {
                          LinearForm own = place.pins(form);
                          if (place.has_derived(own)) return std::nullopt;
                          return place.coordinates.from_reals(std::move(own));
                        });
  const auto volume = [&] { return integrals(place, scope, {Polynomial(1)})[0]; };
  const std::optional<Interval> weight = prospect.weight(scope.weights, scope.booleans);
  if (!weight || !threshold.covers(size(*weight), place.region, [&] { return volume().upper; }))
    return false;
  std::vector<std::pair<std::size_t, Interval>> ranges;
  for (const std::size_t i : scope.active) {
    const CertifiedIntegral& aim = scope.aims[i];
    if (condition(aim, place.branch) == Truth::no) continue;
    const std::optional<Interval> range =
        aim.term ? prospect.range(*aim.term) : Interval(Rational(1));
    if (!range) return false;
    ranges.emplace_back(i, *range);
  }
  const Interval most = *weight * volume();
  for (const auto& [i, range] : ranges) {
    const CertifiedIntegral& aim = scope.aims[i];
    Tally& tally = scope.tallies[i];
    if (!aim.sliced)
      tally.sum.add(aim.term ? signed_product_bounds(most, power(range, aim.order)) : most);
    else if (range.contains(aim.at))
      tally.unbounded = true;
    tally.open = true;
  }
  left_open_ += size(most);
  return true;
}

}  // namespace wmi
