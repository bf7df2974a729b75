#include "solver/smooth/exponential_density.h"

#include <algorithm>
#include <cmath>

#include "solver/numeric/reals.h"
#include "solver/smooth/gaussian_line.h"
#include "solver/terms/enclosed_polynomial.h"

namespace wmi {
namespace {

constexpr unsigned digits = 17;
constexpr slong bits = bits_of(digits) + 32;

}  // namespace

std::optional<ExponentialDensity> ExponentialDensity::of(const SmoothIntegrand& integrand) {
  if (!integrand.exponential()) return std::nullopt;
  ExponentialDensity result{std::vector<Exponent>(integrand.dimension), integrand.normals, 0, 0};
  for (const auto& [monomial, coefficient] : integrand.exponent.terms()) {
    if (monomial.empty()) {
      result.constant = coefficient;
      continue;
    }
    if (monomial.size() > 1 || monomial[0].exponent > 2) return std::nullopt;
    Exponent& exponent = result.exponents[monomial[0].variable];
    (monomial[0].exponent == 1 ? exponent.linear : exponent.square) += coefficient;
  }
  const auto rises = [](const Exponent& exponent) { return exponent.square > 0; };
  if (std::ranges::any_of(result.exponents, rises)) return std::nullopt;
  return result;
}

Ball ExponentialDensity::factor() const {
  const Reals r{bits};
  const Ball root = r.root(r.product(r(2), r.pi()));
  Ball result = r.exp(r(constant));
  for (unsigned i = 0; i < normals; ++i) result = r.quotient(result, root);
  return result;
}

ExponentialDensity ExponentialDensity::in(const NormalisedBox& box) const {
  ExponentialDensity result{{}, normals, 0, constant};
  for (std::size_t k = 0; k < exponents.size(); ++k) {
    const auto& [a, b, c] = exponents[k];
    const Rational m(box.centre[k]), h(box.half_width[k]);
    Exponent own{a * h * h, (2 * a * m + b) * h, 0};
    const Rational end = own.linear > 0 ? Rational(1) : Rational(-1);
    Rational top = end;  // where the exponent is greatest
    if (own.square < 0)
      top = std::clamp(Rational(-own.linear / (2 * own.square)), Rational(-1), Rational(1));
    own.constant = -(own.square * top + own.linear) * top;
    result.constant += (a * m + b) * m + c - own.constant;
    result.exponents.push_back(std::move(own));
  }
  const std::vector<Rational> lower(dimension(), -1), upper(dimension(), 1);
  const Ball mass = ExponentialDensity{result.exponents, 0, 0, 0}.mass(lower, upper);
  result.average = std::ldexp(arf_get_d(arb_midref(static_cast<arb_srcptr>(mass)), ARF_RND_NEAR),
                              -static_cast<int>(dimension()));
  return result;
}

Ball ExponentialDensity::mass(std::span<const Rational> lower,
                              std::span<const Rational> upper) const {
  const std::vector<std::optional<Rational>> from(lower.begin(), lower.end()),
      to(upper.begin(), upper.end());
  return *mass(from, to);
}

std::optional<Ball> ExponentialDensity::mass(std::span<const std::optional<Rational>> lower,
                                             std::span<const std::optional<Rational>> upper) const {
  const Reals r{bits};
  Ball result = factor();
  for (std::size_t k = 0; k < exponents.size(); ++k) {
    if (lower[k] && upper[k] && *lower[k] >= *upper[k]) return Ball();
    const auto& [a, b, c] = exponents[k];
    const SmoothIntegrand own{1, 1, Polynomial({{{{0, 2}}, a}, {{{0, 1}}, b}, {{}, c}}), 0, {}, {}};
    if (a == 0 && (!lower[k] || !upper[k])) {
      if (b == 0 || !(b > 0 ? upper[k] : lower[k])) return std::nullopt;
    }
    result = r.product(result, *integrate_gaussian(own, lower[k], upper[k], digits));
  }
  return result;
}

/// Each exponent is concave: the greatest value is at its top, if that is inside, or else at the end
/// nearest to it.
Rational ExponentialDensity::most(std::span<const double> lower,
                                  std::span<const double> upper) const {
  const Reals r{bits};
  Rational exponent = 0;
  for (std::size_t k = 0; k < exponents.size(); ++k) {
    const auto& [a, b, c] = exponents[k];
    const Rational from(lower[k]), to(upper[k]);
    Rational at = b > 0 ? to : from;
    if (a < 0) at = std::clamp(Rational(-b / (2 * a)), from, to);
    exponent += (a * at + b) * at + c;
  }
  return interval(r.product(factor(), r.exp(r(exponent)))).upper;
}

}  // namespace wmi
