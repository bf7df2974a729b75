#include "solver/smooth/ridge.h"

#include <algorithm>

namespace wmi {
namespace {

/// The direction in which a polynomial in the coordinates changes: its gradient at some point; empty
/// if that is 0 at all points that are tried.
std::vector<Rational> gradient(const Polynomial& polynomial, std::size_t dimension) {
  for (long attempt = 0; attempt < 3; ++attempt) {
    std::vector<Rational> result(dimension);
    const auto point = [&](std::size_t i) {  // not on a hyperplane with small coefficients
      return attempt == 0 ? Rational(0)
                          : Rational(ratio(static_cast<long>(7 * i + 3), 5 + attempt));
    };
    for (const auto& [monomial, coefficient] : polynomial.terms())
      for (const Power& power : monomial) {
        Rational product = coefficient * Rational(static_cast<unsigned long>(power.exponent));
        for (const Power& other : monomial) {
          const unsigned exponent = other.exponent - (other.variable == power.variable ? 1 : 0);
          for (unsigned i = 0; i < exponent; ++i) product *= point(other.variable);
        }
        result[power.variable] += product;
      }
    if (std::ranges::any_of(result, [](const Rational& entry) { return entry != 0; }))
      return result;
  }
  return {};
}

/// The polynomial as one in s = a.x, if it is: s is the coordinate 0, functions are renumbered.
std::optional<Polynomial> in_form(const Polynomial& polynomial, const std::vector<Rational>& a,
                                  const Polynomial& form) {
  const auto dimension = static_cast<Variable>(a.size());
  Variable pivot = 0;
  while (a[pivot] == 0) ++pivot;
  const auto function = [&](Variable variable) {
    return Polynomial::variable(variable - dimension + 1);
  };
  // At x = (s / a_pivot) e_pivot; then compare.
  Polynomial along = polynomial.substitute([&](Variable variable) {
    if (variable >= dimension) return function(variable);
    return variable == pivot ? Rational(1 / a[pivot]) * Polynomial::variable(0) : Polynomial();
  });
  const Polynomial back = along.substitute([&](Variable variable) {
    return variable == 0 ? form : Polynomial::variable(variable + dimension - 1);
  });
  if (back != polynomial) return std::nullopt;
  return along;
}

}  // namespace

std::optional<Ridge> find_ridge(const SmoothIntegrand& integrand) {
  const std::size_t n = integrand.dimension;
  const auto in_coordinates = [&](const Polynomial& polynomial) {
    return !polynomial.constant() &&
           std::ranges::all_of(polynomial.variables(),
                               [&](Variable variable) { return variable < n; });
  };
  std::vector<Rational> a;
  if (in_coordinates(integrand.exponent)) a = gradient(integrand.exponent, n);
  for (const AppliedFunction& applied : integrand.functions)
    if (a.empty() && in_coordinates(applied.argument)) a = gradient(applied.argument, n);
  if (a.empty()) return std::nullopt;
  Ridge result;
  Polynomial form;
  for (Variable i = 0; i < n; ++i) form += a[i] * Polynomial::variable(i);
  result.form = LinearForm(form);
  SmoothIntegrand& along = result.along;
  along.dimension = 1;
  along.factor = Polynomial(1);
  along.normals = integrand.normals;
  std::optional<Polynomial> exponent = in_form(integrand.exponent, a, form);
  if (!exponent) return std::nullopt;
  along.exponent = *std::move(exponent);
  const auto renumbered = [&](Variable variable) {
    return static_cast<Variable>(variable - n + 1);
  };
  for (const AppliedFunction& applied : integrand.functions) {
    std::optional<Polynomial> argument = in_form(applied.argument, a, form);
    if (!argument) return std::nullopt;
    along.functions.push_back(
        {renumbered(applied.variable), applied.function, *std::move(argument)});
  }
  for (const Power& power : integrand.powers)
    along.powers.push_back({renumbered(power.variable), power.exponent});
  return result;
}

}  // namespace wmi
