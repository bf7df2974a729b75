#include "solver/smooth/term_bounds.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "solver/geometry/polytope.h"
#include "solver/terms/error.h"

namespace wmi {

std::optional<Rational> least_on(const Point& b, std::span<const Halfspace> region) {
  try {
    for (Rational bound = 1;; bound *= 16) {
      std::vector<Halfspace> sides(region.begin(), region.end());
      sides.push_back({b, bound});
      const Polytope cut(b.size(), sides);
      if (cut.flat()) continue;
      Rational least = bound;
      for (const Point& vertex : cut.vertices())
        least = std::min(
            least, Rational(std::inner_product(b.begin(), b.end(), vertex.begin(), Rational(0))));
      return least;
    }
  } catch (const Unbounded&) {
    return std::nullopt;
  }
}

const AppliedFunction& TermBounds::function(Variable variable) const {
  return integrand_.functions[variable - integrand_.dimension];
}

TermBounds::Range TermBounds::range(const AppliedFunction& applied) const {
  switch (applied.function) {
    case Function::erf:
    case Function::tanh:
      return {-1, 1};
    case Function::sigmoid:
    case Function::normal:
      return {0, 1};
    case Function::sqrt:
      return {0, {}};
    case Function::exp: {
      const std::optional<Rational> exponent = most(applied.argument);
      return {0, exponent && *exponent <= 0 ? std::optional<Rational>(1) : std::nullopt};
    }
    case Function::reciprocal:
      if (const auto positive = least(applied.argument); positive && *positive > 0)
        return {0, Rational(1 / *positive)};
      if (const auto negative = most(applied.argument); negative && *negative < 0)
        return {Rational(1 / *negative), 0};
      return {};
    default:
      return {};
  }
}

/// The product of ranges of which none is below 0, or of which all are bounded.
TermBounds::Range TermBounds::range(const Monomial& monomial) const {
  Range result{1, 1};
  for (const Power& power : monomial) {
    const Range one = range(function(power.variable));
    for (std::uint32_t i = 0; i < power.exponent; ++i) {
      if (result.least && one.least && *result.least >= 0 && *one.least >= 0) {
        result.least = Rational(*result.least * *one.least);
        result.most = result.most && one.most ? std::optional(Rational(*result.most * *one.most))
                                              : std::nullopt;
      } else if (result.least && result.most && one.least && one.most) {
        const Rational products[] = {*result.least * *one.least, *result.least * *one.most,
                                     *result.most * *one.least, *result.most * *one.most};
        result = {*std::ranges::min_element(products), *std::ranges::max_element(products)};
      } else {
        return {};
      }
    }
  }
  return result;
}

std::optional<Rational> TermBounds::least(const Polynomial& term) const {
  Rational sum = 0;
  Point slope(integrand_.dimension);
  bool sloped = false;
  for (const auto& [monomial, coefficient] : term.terms()) {
    Monomial functions;
    bool even = true;
    std::uint32_t degree = 0;  // in coordinates
    for (const Power& power : monomial) {
      if (power.variable >= integrand_.dimension) {
        functions.push_back(power);
      } else {
        degree += power.exponent;
        even = even && power.exponent % 2 == 0;
      }
    }
    if (degree == 1 && functions.empty()) {
      slope[monomial[0].variable] = coefficient;
      sloped = true;
      continue;
    }
    const Range values = range(functions);
    if (degree == 0) {
      const std::optional<Rational>& end = coefficient > 0 ? values.least : values.most;
      if (!end) return std::nullopt;
      sum += coefficient * *end;
    } else if (!even || coefficient < 0 || !values.least || *values.least < 0) {
      return std::nullopt;
    }
  }
  if (!sloped) return sum;
  const std::optional<Rational> linear = least_on(slope, region_);
  return linear ? std::optional(Rational(sum + *linear)) : std::nullopt;
}

std::optional<Rational> TermBounds::most(const Polynomial& term) const {
  const std::optional<Rational> opposite = least(-term);
  return opposite ? std::optional(Rational(-*opposite)) : std::nullopt;
}

Univariate TermBounds::size(const Polynomial& term,
                            const std::vector<Univariate>& coordinates) const {
  Univariate result;
  for (const auto& [monomial, coefficient] : term.terms()) {
    Univariate product = Univariate::constant(abs(coefficient));
    for (const Power& power : monomial) product = product * size(power, coordinates);
    result += product;
  }
  return result;
}

Univariate TermBounds::size(const Power& power, const std::vector<Univariate>& coordinates) const {
  const auto one = [&] {
    if (power.variable < integrand_.dimension) return coordinates[power.variable];
    const AppliedFunction& applied = function(power.variable);
    const Range values = range(applied);
    if (values.least && values.most)
      return Univariate::constant(std::max(abs(*values.least), abs(*values.most)));
    Univariate argument = size(applied.argument, coordinates);
    if (applied.function == Function::sqrt) {  // at most (1 + t) / 2
      argument += Univariate::constant(1);
      argument *= ratio(1, 2);
      return argument;
    }
    if (applied.function == Function::log)  // 1 - 1/t <= log t <= t
      if (const auto least_argument = least(applied.argument);
          least_argument && *least_argument > 0) {
        argument += Univariate::constant(1 / *least_argument);
        return argument;
      }
    throw Error("'" + std::string(name_of(applied.function)) + "' may be large there");
  };
  Univariate result = Univariate::constant(1);
  const Univariate factor = one();
  for (std::uint32_t i = 0; i < power.exponent; ++i) result = result * factor;
  return result;
}

}  // namespace wmi
