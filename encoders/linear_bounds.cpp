#include "encoders/linear_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "encoders/dyadic_sum.h"

namespace wmi::encoders {
namespace {

/// Rounded to a double, towards 0.
Rational shortened(const Rational& value) {
  const double near = value.get_d();
  return std::isfinite(near) ? Rational(near) : value;
}

}  // namespace

Rational LinearBounds::extreme(const Form& form, bool above) const {
  Rational result = form.constant;
  for (std::size_t i = 0; i < box_.size(); ++i)
    result += form.coefficients[i] *
              ((form.coefficients[i] > 0) == above ? box_[i].upper : box_[i].lower);
  return result;
}

void LinearBounds::round(Form& form, bool above) const {
  for (std::size_t i = 0; i < box_.size(); ++i) {
    const Rational near = shortened(form.coefficients[i]), off = form.coefficients[i] - near;
    form.constant += off * ((off > 0) == above ? box_[i].upper : box_[i].lower);
    form.coefficients[i] = near;
  }
  double near = form.constant.get_d();
  if (!std::isfinite(near)) return;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (above ? Rational(near) < form.constant : Rational(near) > form.constant)
    near = std::nextafter(near, above ? infinity : -infinity);
  if (std::isfinite(near)) form.constant = near;
}

LinearBounds::Form LinearBounds::bound(std::size_t choice, const Polynomial& polynomial, bool above,
                                       const std::function<Interval(const Monomial&)>& range,
                                       const Rational& factor) const {
  std::vector<DyadicSum> coefficients(box_.size());
  DyadicSum constant;
  for (const Polynomial::Term& term : polynomial.terms()) {
    const Rational& c = term.coefficient;
    const bool upper = (c > 0) == above;
    if (term.monomial.empty()) {
      constant.add(c, 1);
      continue;
    }
    if (degree(term.monomial) == 1) {
      const Variable variable = term.monomial.front().variable;
      if (variable < box_.size()) {
        coefficients[variable].add(c, 1);
        continue;
      }
      if (const auto unit = units_[choice].find(variable); unit != units_[choice].end()) {
        const Form& form = upper ? unit->second.upper : unit->second.lower;
        for (std::size_t i = 0; i < box_.size(); ++i) coefficients[i].add(c, form.coefficients[i]);
        constant.add(c, form.constant);
        continue;
      }
    }
    const Interval values = range(term.monomial);
    constant.add(c, upper ? values.upper : values.lower);
  }
  Form result{{}, constant.value() * factor};
  for (const DyadicSum& sum : coefficients) result.coefficients.emplace_back(sum.value() * factor);
  round(result, above);
  return result;
}

std::optional<Interval> LinearBounds::range(
    const Polynomial& polynomial, const std::function<Interval(const Monomial&)>& range) const {
  const std::vector<Variable> variables = polynomial.variables();
  if (std::none_of(variables.begin(), variables.end(),
                   [&](Variable variable) { return units_[0].contains(variable); }))
    return std::nullopt;
  std::optional<Interval> result;
  for (std::size_t choice = 0; choice < choices; ++choice) {
    const Rational lower = extreme(bound(choice, polynomial, false, range), false);
    const Rational upper = extreme(bound(choice, polynomial, true, range), true);
    result = result ? Interval(std::max(result->lower, lower), std::min(result->upper, upper))
                    : Interval(lower, upper);
  }
  return result;
}

void LinearBounds::add_larger(Variable variable, const Polynomial& a, const Polynomial& b,
                              const Interval& difference,
                              const std::function<Interval(const Monomial&)>& range) {
  if (box_.size() > most_unknowns) return;
  const Rational &l = difference.lower, &u = difference.upper;
  // max(a, b) <= b + slope (a - b) + gap on all of [l, u], for any slope between 0 and 1.
  const Rational slope = shortened(u / (u - l));
  const Rational gap = std::max(Rational(-slope * l), Rational((1 - slope) * u));
  const bool multiple = b.zero() && slope > 0;  // of a
  const Polynomial chord = multiple ? Polynomial() : b + Polynomial(slope) * (a - b);
  for (std::size_t choice = 0; choice < choices; ++choice) {
    const Polynomial& least = choice == 0 ? a : choice == 1 ? b : u > -l ? a : b;
    Bounds bounds{bound(choice, least, false, range), multiple
                                                          ? bound(choice, a, true, range, slope)
                                                          : bound(choice, chord, true, range)};
    bounds.upper.constant += gap;
    units_[choice].emplace(variable, std::move(bounds));
  }
}

}  // namespace wmi::encoders
