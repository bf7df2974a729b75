#include "solver/smooth/marginal.h"

#include <map>

namespace wmi {
namespace {

/// A polynomial in l, the last variable, with polynomials in the others as coefficients, ascending.
std::vector<Polynomial> by_power(const Polynomial& polynomial, Variable last) {
  std::vector<std::vector<Polynomial::Term>> powers;
  for (const auto& [monomial, coefficient] : polynomial.terms()) {
    Monomial rest = monomial;
    std::size_t power = 0;
    if (!rest.empty() && rest.back().variable == last) {
      power = rest.back().exponent;
      rest.pop_back();
    }
    if (powers.size() <= power) powers.resize(power + 1);
    powers[power].push_back({std::move(rest), coefficient});
  }
  std::vector<Polynomial> result;
  for (auto& terms : powers) result.emplace_back(std::move(terms));
  return result;
}

}  // namespace

Point Marginal::lifted(const Point& point) const {
  Point result = point;
  result.insert(result.begin() + left_out, Rational(0));
  return result;
}

/// x = z + l * line, where z has no component in the pivot's direction; dx = |line_pivot| dz dl. With
/// q = a l^2 + b l + c, the law of l is normal with mean -b/2a and variance -1/2a.
std::optional<Marginal> integrate_out(const SmoothIntegrand& integrand,
                                      const std::vector<Halfspace>& halfspaces, const Point& line) {
  if (!integrand.exponential() || integrand.exponent.degree() > 2) return std::nullopt;
  const auto last = static_cast<Variable>(integrand.dimension - 1);
  Variable pivot = 0;
  while (line[pivot] == 0) ++pivot;
  const auto changed = [&](const Polynomial& polynomial) {
    return polynomial.substitute([&](Variable x) {
      Polynomial value = line[x] * Polynomial::variable(last);
      if (x != pivot) value += Polynomial::variable(x < pivot ? x : x - 1);
      return value;
    });
  };
  std::vector<Polynomial> exponent = by_power(changed(integrand.exponent), last);
  if (exponent.size() < 3 || exponent[2].constant_term() >= 0) return std::nullopt;
  const Rational a = exponent[2].constant_term();
  const Polynomial mean = Rational(-1 / (2 * a)) * exponent[1];
  const Rational variance = -1 / (2 * a);

  Marginal result;
  result.left_out = pivot;
  result.square = -line[pivot] * line[pivot] / a;
  result.integrand.dimension = last;
  result.integrand.normals = integrand.normals;
  result.integrand.exponent = exponent[0] - Rational(1 / (4 * a)) * (exponent[1] * exponent[1]);
  Polynomial before(1), moment(1);  // E[l^(k-1)], E[l^k] = mean E[l^(k-1)] + (k-1) var E[l^(k-2)]
  const std::vector<Polynomial> factor = by_power(changed(integrand.factor), last);
  for (std::size_t k = 0; k < factor.size(); ++k) {
    if (k == 1) {
      moment = mean;
    } else if (k > 1) {
      Polynomial next =
          mean * moment + Rational(variance * static_cast<unsigned long>(k - 1)) * before;
      before = std::move(moment);
      moment = std::move(next);
    }
    result.integrand.factor += factor[k] * moment;
  }
  for (const Halfspace& side : halfspaces) {
    Halfspace own = side;
    own.normal.erase(own.normal.begin() + pivot);
    result.halfspaces.push_back(std::move(own));
  }
  return result;
}

}  // namespace wmi
