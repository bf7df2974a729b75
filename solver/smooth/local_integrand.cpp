#include "solver/smooth/local_integrand.h"

#include <map>

#include "solver/numeric/smooth_functions.h"

namespace wmi {
namespace {

void multiply(Ball& a, const Ball& b, slong bits) { arb_mul(a, a, b, bits); }
void multiply(ComplexBall& a, const ComplexBall& b, slong bits) { acb_mul(a, a, b, bits); }
void add(Ball& a, const Ball& b, slong bits) { arb_add(a, a, b, bits); }
void add(ComplexBall& a, const ComplexBall& b, slong bits) { acb_add(a, a, b, bits); }
void add(ComplexBall& a, const Ball& b, slong bits) { acb_add_arb(a, a, b, bits); }
void subtract(Ball& a, const Ball& b, slong bits) { arb_sub(a, a, b, bits); }
void subtract(ComplexBall& a, const Ball& b, slong bits) { acb_sub_arb(a, a, b, bits); }
void set(Ball& a, const Ball& b) { arb_set(a, b); }
void set(ComplexBall& a, const Ball& b) { acb_set_arb(a, b); }

/// An even power of a ball around 0 is not negative.
Ball power(const Ball& base, std::uint32_t exponent, slong bits) {
  Ball result;
  arb_pow_ui(result, base, exponent, bits);
  return result;
}
ComplexBall power(const ComplexBall& base, std::uint32_t exponent, slong bits) {
  ComplexBall result;
  acb_pow_ui(result, base, exponent, bits);
  return result;
}

/// The argument of a root that is known not to be negative; a complex one is left as it is.
void drop_negative(Ball& argument) { arb_nonnegative_part(argument, argument); }
void drop_negative(ComplexBall&) {}

using Terms = std::map<Monomial, Ball>;

/// Multiplies by constant + sum_k slopes[k] * d_k.
Terms product(const Terms& terms, const Ball& constant, const std::vector<Ball>& slopes,
              slong bits) {
  Terms result;
  for (const auto& [monomial, coefficient] : terms) {
    arb_addmul(result[monomial], coefficient, constant, bits);
    for (Variable k = 0; k < slopes.size(); ++k) {
      Monomial longer = monomial;
      auto place = longer.begin();
      while (place != longer.end() && place->variable < k) ++place;
      if (place != longer.end() && place->variable == k)
        ++place->exponent;
      else
        longer.insert(place, {k, 1});
      arb_addmul(result[longer], coefficient, slopes[k], bits);
    }
  }
  return result;
}

}  // namespace

LocalIntegrand::LocalIntegrand(const SmoothIntegrand& integrand, const EnclosedSimplex& simplex,
                               slong bits)
    : dimension_(integrand.dimension),
      has_exponent_(!integrand.exponent.zero()),
      roots_defined_(integrand.roots_defined),
      powers_(integrand.powers) {
  const auto corners = static_cast<long>(dimension_ + 1);
  for (std::size_t k = 0; k < dimension_; ++k)
    centre_.push_back(ball(ratio(static_cast<long>(dimension_ - k), corners), bits));
  factor_ = expanded(integrand.factor, simplex, bits);
  exponent_ = expanded(integrand.exponent, simplex, bits);
  for (const AppliedFunction& applied : integrand.functions) {
    arguments_.push_back(expanded(applied.argument, simplex, bits));
    functions_.push_back(applied.function);
  }
}

LocalIntegrand::Local LocalIntegrand::expanded(const Polynomial& polynomial,
                                               const EnclosedSimplex& simplex, slong bits) const {
  Terms sum;
  for (const Polynomial::Term& term : polynomial.terms()) {
    Terms part;
    Monomial functions;
    for (const Power& power : term.monomial)
      if (power.variable >= dimension_) functions.push_back(power);
    part.emplace(functions, ball(term.coefficient, bits));
    for (const Power& power : term.monomial) {
      const std::size_t j = power.variable;
      if (j >= dimension_) continue;
      Ball centroid;
      std::vector<Ball> slopes(dimension_);
      for (std::size_t k = 0; k <= dimension_; ++k)
        arb_add(centroid, centroid, simplex.corners[k][j], bits);
      arb_div_ui(centroid, centroid, dimension_ + 1, bits);
      for (std::size_t k = 0; k < dimension_; ++k)
        arb_sub(slopes[k], simplex.corners[k + 1][j], simplex.corners[k][j], bits);
      for (std::uint32_t i = 0; i < power.exponent; ++i)
        part = product(part, centroid, slopes, bits);
    }
    for (const auto& [monomial, coefficient] : part)
      arb_add(sum[monomial], sum[monomial], coefficient, bits);
  }
  Local result;
  for (auto& [monomial, coefficient] : sum) {
    const bool coordinate = !monomial.empty() && monomial[0].variable < dimension_;
    if (monomial.empty()) {
      arb_add(result.constant, result.constant, coefficient, bits);
    } else if (coordinate && monomial.size() == 1 && monomial[0].exponent == 1) {
      const Variable k = monomial[0].variable;
      if (result.linear.empty()) result.linear.resize(dimension_);
      arb_submul(result.constant, coefficient, centre_[k], bits);
      result.linear[k] = coefficient;
    } else if (!arb_is_zero(coefficient)) {
      result.rest.push_back({coefficient, monomial});
    }
  }
  return result;
}

template <class Number>
Number LocalIntegrand::value(const Local& local, std::span<const Number> u,
                             const std::vector<Number>& variables, slong bits) const {
  Number result;
  if (!local.linear.empty())
    for (std::size_t k = dimension_; k-- > 0;) {
      add(result, local.linear[k], bits);
      multiply(result, u[k], bits);
    }
  add(result, local.constant, bits);
  for (const Term& term : local.rest) {
    Number product;
    set(product, term.coefficient);
    for (const Power& factor : term.monomial) {
      const Number& base = variables[factor.variable];
      if (factor.exponent == 1)
        multiply(product, base, bits);
      else
        multiply(product, power(base, factor.exponent, bits), bits);
    }
    add(result, product, bits);
  }
  return result;
}

/// The deviations of w from the centroid, then the functions one after the other.
template <class Number>
Number LocalIntegrand::value(std::span<const Number> u, slong bits) const {
  std::vector<Number> variables(dimension_);
  Number w;
  for (std::size_t k = 0; k < dimension_; ++k) {
    if (k == 0)
      w = u[0];
    else
      multiply(w, u[k], bits);
    variables[k] = w;
    subtract(variables[k], centre_[k], bits);
  }
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    Number found = value(arguments_[i], u, variables, bits);
    if (functions_[i] == Function::sqrt && roots_defined_) drop_negative(found);
    evaluate(found, functions_[i], found, bits);
    variables.push_back(std::move(found));
  }
  Number result = value(factor_, u, variables, bits);
  for (const Power& factor : powers_)
    multiply(result, power(variables[factor.variable], factor.exponent, bits), bits);
  if (has_exponent_) {
    Number exponential = value(exponent_, u, variables, bits);
    evaluate(exponential, Function::exp, exponential, bits);
    multiply(result, exponential, bits);
  }
  return result;
}

Ball LocalIntegrand::at(std::span<const Ball> u, slong bits) const { return value(u, bits); }

ComplexBall LocalIntegrand::at(std::span<const ComplexBall> u, slong bits) const {
  return value(u, bits);
}

}  // namespace wmi
