// With q(x) = -x'Qx + ..., Q = L D L' and L unit triangular, y = L'x gives q = -sum of d_k y_k^2 + ... .
// All numbers are rational, and the volume is the same.

#include "solver/smooth/density_quadrature.h"

#include <cmath>
#include <utility>
#include <vector>

#include "solver/numeric/reals.h"
#include "solver/smooth/density_integral.h"

namespace wmi {
namespace {

/// y_k = x_k + sum over j > k of rows[k][j] x_j; nullopt if q is not concave.
std::optional<std::vector<std::vector<Rational>>> separating(const Polynomial& exponent,
                                                             std::size_t n) {
  std::vector<std::vector<Rational>> rest(n, std::vector<Rational>(n)), rows = rest;
  for (const auto& [monomial, coefficient] : exponent.terms()) {
    unsigned degree = 0;
    for (const Power& power : monomial) degree += power.exponent;
    if (degree > 2) return std::nullopt;
    if (degree < 2) continue;
    const Variable a = monomial.front().variable, b = monomial.back().variable;
    if (a == b) {
      rest[a][a] = -coefficient;
    } else {
      rest[a][b] = rest[b][a] = -coefficient / 2;
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    const Rational pivot = rest[k][k];
    if (pivot < 0) return std::nullopt;
    for (std::size_t j = k + 1; j < n; ++j) {
      if (rest[k][j] == 0) continue;
      if (pivot == 0) return std::nullopt;
      rows[k][j] = rest[k][j] / pivot;
    }
    for (std::size_t i = k + 1; i < n; ++i)
      for (std::size_t j = k + 1; j < n; ++j) rest[i][j] -= rows[k][i] * rest[k][j];
  }
  return rows;
}

/// The x of these y.
std::vector<Polynomial> inverse(const std::vector<std::vector<Rational>>& rows) {
  const std::size_t n = rows.size();
  std::vector<Polynomial> result(n);
  for (std::size_t k = n; k-- > 0;) {
    result[k] = Polynomial::variable(static_cast<Variable>(k));
    for (std::size_t j = k + 1; j < n; ++j) result[k] += Rational(-rows[k][j]) * result[j];
  }
  return result;
}

}  // namespace

std::optional<Ball> integrate_by_density(const SmoothIntegrand& integrand, const Polytope& region,
                                         unsigned digits) {
  constexpr std::size_t least_dimension = 3, most_dimension = 8, most_vertices = 512;
  constexpr unsigned most_digits = 9, most_degree = 3;
  const std::size_t n = integrand.dimension;
  if (n < least_dimension || n > most_dimension || digits > most_digits ||
      !integrand.exponential() || integrand.factor.degree() > most_degree ||
      region.vertex_count() > most_vertices)
    return std::nullopt;
  const auto rows = separating(integrand.exponent, n);
  if (!rows) return std::nullopt;
  const std::vector<Polynomial> x = inverse(*rows);
  SmoothIntegrand changed = integrand;
  changed.normals = 0;  // as all integrators here, without their constants
  changed.exponent = integrand.exponent.substitute([&](Variable k) { return x[k]; });
  changed.factor = integrand.factor.substitute([&](Variable k) { return x[k]; });
  const auto density = ExponentialDensity::of(changed);
  if (!density) return std::nullopt;

  std::vector<Point> vertices = region.vertices();
  std::vector<Interval> ranges;
  for (std::size_t k = 0; k < n; ++k) {
    for (Point& vertex : vertices)
      for (std::size_t j = k + 1; j < n; ++j) vertex[k] += (*rows)[k][j] * vertex[j];
    Interval range(vertices[0][k]);
    for (const Point& vertex : vertices) range = hull(range, Interval(vertex[k]));
    ranges.push_back(range);
  }
  const std::optional<NormalisedBox> box = NormalisedBox::around(ranges);
  if (!box) return std::nullopt;
  EnclosedPolytope enclosed;
  enclosed.dimension = n;
  enclosed.centre.assign(n, 0);
  enclosed.half_width.assign(n, 1);
  for (const Point& vertex : vertices) {
    for (std::size_t k = 0; k < n; ++k)
      enclosed.vertices.push_back(box->normalised(k, vertex[k]).get_d());
    enclosed.radii.push_back(0x1p-52);  // get_d truncates; no coordinate is above 1
  }
  for (std::size_t i = 0; i < region.facet_count(); ++i)
    enclosed.incidences.insert(enclosed.incidences.end(), region.incidence(i).begin(),
                               region.incidence(i).end());
  const EnclosedPolynomial factor(changed.factor.substitute([&](Variable k) {
    return Polynomial(Rational(box->centre[k])) +
           Rational(box->half_width[k]) * Polynomial::variable(k);
  }));
  const DensityAim aim{std::pow(10, -static_cast<double>(digits) - 2), 4'000};
  const auto found =
      integrate_under_density(std::span(&factor, 1), enclosed, density->in(*box), aim);
  if (!found) return std::nullopt;
  const Reals r{bits_of(digits) + 64};
  Ball result = ball((*found)[0], r.bits);
  for (const double half_width : box->half_width)
    result = r.product(result, r(Rational(half_width)));
  return has_digits(result, digits) ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace wmi
