// The recurrence of FacePlan in intervals of doubles. The processor rounds upwards throughout, and
// an interval is stored as (-lower, upper), so that both ends move outwards. The file is compiled
// with -frounding-math, and all computations in this rounding mode are in one function that is not
// inlined. Weights are positive, so volumes suffer no cancellation.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "solver/integrators/methods.h"
#include "solver/integrators/simplex_moments.h"
#include "solver/integrators/upward_rounding.h"

namespace wmi {
namespace {

/// An enclosed number with a known sign, so that a product needs no case distinction.
struct Factor {
  double least = 0;  // of its magnitude
  double most = 0;
  bool negative = false;

  UpwardInterval times(const UpwardInterval& other) const {
    const UpwardInterval result = {
        std::max(least * other.negated_lower, most * other.negated_lower),
        std::max(least * other.upper, most * other.upper)};
    return negative ? UpwardInterval{result.upper, result.negated_lower} : result;
  }

  /// Requires a positive divisor.
  Factor over(const Factor& other) const {
    return {-(-least / other.most), most / other.least, negative};
  }
};

Factor factor(std::int64_t value) {
  return {std::abs(-static_cast<double>(-std::abs(value))), static_cast<double>(std::abs(value)),
          value < 0};
}
/// GMP rounds towards 0.
Factor factor(const Integer& value) {
  const double towards_zero = std::abs(value.get_d());
  if (!std::isfinite(towards_zero))
    return {std::numeric_limits<double>::max(), HUGE_VAL, value < 0};
  const bool exact = mpz_cmpabs_d(value.get_mpz_t(), towards_zero) == 0;
  return {towards_zero, exact ? towards_zero : std::nextafter(towards_zero, HUGE_VAL), value < 0};
}
Factor factor(const Integers& numbers, std::size_t i) {
  return numbers.small() ? factor(numbers.words()[i]) : factor(numbers.large()[i]);
}
Factor factor(const Rational& value) {
  return factor(value.get_num()).over(factor(value.get_den()));
}

[[gnu::noinline]] bool enclose(std::span<const Polynomial> integrands, const Polytope& region,
                               const FacePlan& plan, const MomentTable& table,
                               std::span<const Rational> units, std::span<UpwardInterval> results) {
  const std::size_t n = region.dimension(), size = table.size();
  std::vector<Factor> denominators, points;
  for (std::size_t v = 0; v < region.vertex_count(); ++v) {
    denominators.push_back(factor(region.homogeneous_vertices(), v * (n + 1)));
    for (std::size_t j = 1; j <= n; ++j)
      points.push_back(
          factor(region.homogeneous_vertices(), v * (n + 1) + j).over(denominators[v]));
  }
  std::vector<UpwardInterval> series(plan.slots() * size);
  for (const FacePlan::Face& face : plan.faces()) {
    UpwardInterval* const own = &series[face.slot * size];
    std::fill_n(own, size, UpwardInterval());
    if (face.first == face.last) {
      const Factor inverse = factor(std::int64_t{1}).over(denominators[face.apex]);
      own[0] = {-inverse.least, inverse.most};
    }
    for (std::size_t i = face.first; i < face.last; ++i) {
      const Factor weight = factor(plan.weights(), i).over(denominators[face.apex]);
      const UpwardInterval* const part = &series[plan.faces()[plan.part(i)].slot * size];
      for (std::size_t m = 0; m < size; ++m) own[m].add(weight.times(part[m]));
    }
    const Factor* const point = points.data() + face.apex * n;
    for (const MomentTable::Step& step : table.steps())
      own[step.target].add(point[step.coordinate].times(own[step.source]));
  }

  const UpwardInterval* const top = &series[plan.faces().back().slot * size];
  const Factor scale = factor(plan.scale());
  std::size_t term_number = 0;
  for (std::size_t i = 0; i < integrands.size(); ++i) {
    UpwardInterval sum;
    for (const Polynomial::Term& term : integrands[i].terms()) {
      const std::size_t m = table.terms()[term_number++];
      sum.add(factor(term.coefficient).times(factor(units[m]).times(top[m])));
    }
    results[i] = scale.times(sum);
  }
  return !UpwardRounding::left_range();
}

}  // namespace

std::optional<std::vector<Interval>> enclose_faces(std::span<const Polynomial> integrands,
                                                   const Polytope& region, const FacePlan& plan) {
  const std::size_t n = region.dimension();
  const std::shared_ptr<const MomentTable> table = MomentTable::of(integrands, n);
  check_plan_memory(plan.slots() * table->size() * sizeof(UpwardInterval));
  std::vector<Rational> units;  // m!/(|m|+n)!
  units.reserve(table->size());
  for (unsigned k = 0; k <= table->degree(); ++k) {
    Integer factorial;
    mpz_fac_ui(factorial.get_mpz_t(), k + n);
    for (std::size_t m = table->start(k); m < table->start(k + 1); ++m)
      units.push_back(ratio(table->factorial(m), factorial));
  }
  std::vector<UpwardInterval> found(integrands.size());
  {
    const UpwardRounding upwards;
    if (!enclose(integrands, region, plan, *table, units, found)) return std::nullopt;
  }
  std::vector<Interval> result;
  for (const UpwardInterval& enclosure : found) {
    if (!std::isfinite(enclosure.negated_lower) || !std::isfinite(enclosure.upper))
      return std::nullopt;
    result.emplace_back(-Rational(enclosure.negated_lower), Rational(enclosure.upper));
  }
  return result;
}

}  // namespace wmi
