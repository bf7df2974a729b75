#include "solver/answers/problem_bounds.h"

#include <algorithm>

#include "solver/enumerators/filtered/factored_weights.h"
#include "solver/enumerators/smt.h"
#include "solver/numeric/function_range.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

/// The literals among the conjuncts of the formula.
std::vector<Formula> literals_of(const Problem& problem) {
  std::vector<Formula> result = conjuncts(problem);
  std::erase_if(result, [&](Formula formula) {
    return problem.terms.node(formula.node()).kind != Kind::atom;
  });
  return result;
}

/// Of a piecewise affine weight. The caller may be about to stop, so the check has a time limit.
bool may_be_negative(const Problem& problem, const Weight& weight) {
  constexpr unsigned time_limit = 200;  // milliseconds
  try {
    Smt smt(problem.terms, {}, std::span(&weight.value, 1));
    smt.limit(time_limit);
    for (const Formula assertion : problem.assertions) smt.add(assertion);
    smt.add(weight.condition);
    smt.add(LinearForm(weight.value), Comparison::less);
    return smt.check().has_value();
  } catch (const GaveUp&) {
    return true;
  }
}

}  // namespace

ProblemBounds::ProblemBounds(const Problem& problem) : problem_(problem) {
  bound_reals();
  bound_definitions();
  bound_weight();
}

/// Each literal sum a_i x_i + c <= 0 bounds each x_i by the bounds of the others; a few rounds.
void ProblemBounds::bound_reals() {
  const Terms& terms = problem_.terms;
  lower_.resize(terms.real_count());
  upper_.resize(terms.real_count());
  constexpr int rounds = 4;
  const std::vector<Formula> literals = literals_of(problem_);
  const auto tighten = [&](const LinearForm& form, int sign) {  // sign * form <= 0
    for (const auto& [variable, coefficient] : form.coefficients) {
      std::optional<Rational> rest = Rational(sign * form.constant);  // least value of the others
      for (const auto& [other, factor] : form.coefficients) {
        if (other == variable || !rest) continue;
        const auto& end = sign * factor > 0 ? lower_[other] : upper_[other];
        if (end)
          *rest += sign * factor * *end;
        else
          rest.reset();
      }
      if (!rest) continue;
      const Rational bound = -*rest / (sign * coefficient);
      auto& end = sign * coefficient > 0 ? upper_[variable] : lower_[variable];
      if (!end || (sign * coefficient > 0 ? bound < *end : bound > *end)) end = bound;
    }
  };
  for (int round = 0; round < rounds; ++round)
    for (const Formula literal : literals) {
      const Atom& atom = terms.atom(terms.node(literal.node()).index);
      if (atom.comparison == Comparison::equal) {
        if (literal.negated()) continue;
        tighten(atom.form, 1);
        tighten(atom.form, -1);
      } else {
        tighten(atom.form, literal.negated() ? -1 : 1);
      }
    }
}

void ProblemBounds::bound_definitions() {
  const Terms& terms = problem_.terms;
  defined_.resize(terms.real_count());
  for (Variable variable = 0; variable < problem_.integrated.size(); ++variable)
    if (lower_[variable] && upper_[variable] && *lower_[variable] <= *upper_[variable])
      defined_[variable] = Interval(*lower_[variable], *upper_[variable]);
  for (std::uint32_t i = 0; i < terms.size(); ++i) {
    if (terms.node(i).kind != Kind::definition) continue;
    const Definition& definition = terms.definition(terms.node(i).index);
    if (definition.function != Function::none) {
      const std::optional<Interval> argument = range(definition.then);
      std::optional<Interval>& value = defined_[definition.variable];
      if (argument) value = wmi::range(definition.function, *argument);
      if (!value) value = everywhere(definition.function);
      continue;
    }
    const std::optional<Interval> then = range(definition.then),
                                  otherwise = range(definition.otherwise);
    if (then && otherwise) defined_[definition.variable] = hull(*then, *otherwise);
  }
}

std::optional<Interval> ProblemBounds::range(const Polynomial& polynomial) const {
  Interval result;
  for (const Polynomial::Term& term : polynomial.terms()) {
    Interval product(term.coefficient);
    for (const Power& factor : term.monomial) {
      if (!defined_[factor.variable]) return std::nullopt;
      product = product * power(*defined_[factor.variable], factor.exponent);
    }
    result = result + product;
  }
  return result;
}

/// Z3 decides whether a piecewise affine weight is negative anywhere; others are bounded by their
/// ranges.
void ProblemBounds::bound_weight() {
  std::optional<Interval> product = Interval(Rational(1));
  for (const Weight& weight : problem_.weights) {
    std::optional<Interval> factor = range(weight.value);
    bool negative = !factor || factor->lower < 0;
    if (negative && weight.value.degree() <= 1 && problem_.terms.degree(weight.value) <= 1) {
      negative = may_be_negative(problem_, weight);
      if (!negative && factor) factor->lower = std::max(factor->lower, Rational(0));
      if (!negative && factor) factor->upper = std::max(factor->upper, Rational(0));
    }
    if (negative) non_negative_ = false;
    if (factor && weight.condition != truth) factor = hull(*factor, Interval(Rational(1)));
    if (product && factor)
      product = *product * *factor;
    else
      product.reset();
  }
  if (!non_negative_) return;
  if (product) most_ = most_in_box(product->upper);
  const std::optional<Rational> mass = most_under_density();
  if (mass && (!most_ || *mass < *most_)) most_ = mass;
}

std::optional<Rational> ProblemBounds::most_in_box(const Rational& weight) const {
  Rational result = weight;
  mpq_mul_2exp(result.get_mpq_t(), result.get_mpq_t(), problem_.terms.boolean_count());
  for (Variable variable = 0; variable < problem_.integrated.size(); ++variable) {
    if (!problem_.integrated[variable]) continue;
    if (!lower_[variable] || !upper_[variable]) return std::nullopt;
    result *= std::max(Rational(*upper_[variable] - *lower_[variable]), Rational(0));
  }
  return result;
}

/// The mass of the normal densities and exponentials among the weights, in the box or without bounds,
/// times the greatest value of the others.
std::optional<Rational> ProblemBounds::most_under_density() const {
  const std::vector<bool>& integrated = problem_.integrated;
  if (!problem_.terms.smooth() || std::ranges::find(integrated, false) != integrated.end())
    return std::nullopt;
  const auto weights = FactoredWeights::of(problem_);
  if (!weights || !weights->density) return std::nullopt;
  Interval others(Rational(1));
  for (const Weight& weight : weights->polynomials) {
    std::optional<Interval> factor = range(weight.value);
    if (!factor) return std::nullopt;
    others = others * (weight.condition == truth ? *factor : hull(*factor, Interval(Rational(1))));
  }
  const std::span<const std::optional<Rational>> lower(lower_), upper(upper_);
  const auto mass =
      weights->density->mass(lower.first(integrated.size()), upper.first(integrated.size()));
  if (!mass) return std::nullopt;
  Rational result = interval(*mass).upper * std::max(others.upper, Rational(0));
  mpq_mul_2exp(result.get_mpq_t(), result.get_mpq_t(), problem_.terms.boolean_count());
  return result;
}

}  // namespace wmi
