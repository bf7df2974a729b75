#include "solver/smooth/gaussian_line.h"

#include "solver/numeric/reals.h"

namespace wmi {
namespace {

using End = std::optional<Rational>;

/// The coefficients of a polynomial in one variable, up to this degree at least.
std::vector<Rational> coefficients(const Polynomial& polynomial, std::size_t degree) {
  std::vector<Rational> result(degree + 1);
  for (const auto& [monomial, coefficient] : polynomial.terms()) {
    const std::size_t power = monomial.empty() ? 0 : monomial[0].exponent;
    if (power >= result.size()) result.resize(power + 1);
    result[power] = coefficient;
  }
  return result;
}

/// The integral of e^(-s^2/2) from a to b, each relative to its size: no difference of numbers near 1.
Ball normal_integral(const Reals& r, const std::optional<Ball>& a, const std::optional<Ball>& b) {
  const auto beyond = [&](const Ball& end) {  // of e^(-s^2/2), from `end` on
    const Ball scaled = r.quotient(end, r.root(r(2)));
    Ball result;
    arb_hypgeom_erfc(result, scaled, r.bits);
    return r.product(result, r.root(r.quotient(r.pi(), r(2))));
  };
  const Ball whole = r.root(r.product(r(2), r.pi()));
  if (!a && !b) return whole;
  if (!a) return beyond(r.negative(*b));
  if (!b) return beyond(*a);
  if (arb_is_positive(*a)) return r.difference(beyond(*a), beyond(*b));
  if (arb_is_negative(*b)) return r.difference(beyond(r.negative(*b)), beyond(r.negative(*a)));
  return r.difference(whole, r.sum(beyond(r.negative(*a)), beyond(*b)));
}

/// a < 0: with x = mean + deviation * s, moments of e^(-s^2/2) follow by partial integration.
Ball gaussian(const Reals& r, const std::vector<Rational>& polynomial,
              const std::vector<Rational>& exponent, const End& from, const End& to) {
  const Rational mean = -exponent[1] / (2 * exponent[2]);
  const Ball deviation = r.root(r(Rational(-1 / (2 * exponent[2]))));
  const auto standard = [&](const End& end) -> std::optional<Ball> {
    if (!end) return std::nullopt;
    return r.quotient(r(Rational(*end - mean)), deviation);
  };
  const std::optional<Ball> a = standard(from), b = standard(to);
  const auto weighted = [&](const std::optional<Ball>& end, std::size_t power) {
    if (!end) return Ball();
    Ball result;
    arb_pow_ui(result, *end, power, r.bits);
    return r.product(result, r.exp(r.quotient(r.negative(r.square(*end)), r(2))));
  };
  const std::vector<Rational> shifted = Univariate(polynomial).composed(1, mean).coefficients();
  std::vector<Ball> moments;
  Ball sum, scale = deviation;
  for (std::size_t k = 0; k < shifted.size(); ++k) {
    if (k == 0) {
      moments.push_back(normal_integral(r, a, b));
    } else {
      Ball moment = r.difference(weighted(a, k - 1), weighted(b, k - 1));
      if (k > 1)
        moment = r.sum(moment,
                       r.product(r(Rational(static_cast<unsigned long>(k - 1))), moments[k - 2]));
      moments.push_back(std::move(moment));
    }
    sum = r.sum(sum, r.product(r.product(r(shifted[k]), scale), moments[k]));
    scale = r.product(scale, deviation);
  }
  const Rational height = exponent[0] - exponent[1] * exponent[1] / (4 * exponent[2]);
  return r.product(sum, r.exp(r(height)));
}

/// a = 0, b not 0: e^(bx) (P/b - P'/b^2 + P''/b^3 - ...).
Ball exponential(const Reals& r, const std::vector<Rational>& polynomial,
                 const std::vector<Rational>& exponent, const End& from, const End& to) {
  const Rational rate = exponent[1];
  const auto antiderivative = [&](const Rational& x) {
    Univariate derivative(polynomial);
    Rational sum = 0, factor = 1 / rate;
    for (; !derivative.zero(); derivative = derivative.derivative(), factor /= -rate)
      sum += factor * derivative.at(x);
    return r.product(r(sum), r.exp(r(Rational(exponent[0] + rate * x))));
  };
  return r.difference(to ? antiderivative(*to) : Ball(), from ? antiderivative(*from) : Ball());
}

}  // namespace

std::optional<Ball> integrate_gaussian(const SmoothIntegrand& integrand, const End& from,
                                       const End& to, unsigned digits) {
  if (integrand.dimension != 1 || !integrand.exponential() || integrand.exponent.degree() > 2)
    return std::nullopt;
  const std::vector<Rational> polynomial = coefficients(integrand.factor, 0),
                              exponent = coefficients(integrand.exponent, 2);
  const bool is_gaussian = exponent[2] < 0;
  if (exponent[2] > 0) return std::nullopt;
  if (!is_gaussian && exponent[1] >= 0 && !to) return std::nullopt;
  if (!is_gaussian && exponent[1] <= 0 && !from) return std::nullopt;
  constexpr slong most_bits = 1 << 13;  // a sum may be 0
  for (slong bits = bits_of(digits) + 64;; bits *= 2) {
    const Reals r{bits};
    Ball result;
    if (is_gaussian)
      result = gaussian(r, polynomial, exponent, from, to);
    else if (exponent[1] != 0)
      result = exponential(r, polynomial, exponent, from, to);
    else
      result = r.product(r.exp(r(exponent[0])), r(Univariate(polynomial).integral(*from, *to)));
    if (bits > most_bits || has_digits(result, digits)) return result;
  }
}

}  // namespace wmi
