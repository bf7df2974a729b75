// The tail of an integrand P(x) e^T(x), T a concave quadratic: T lies below each of its tangent planes.
//
// Let T(x) = c + g.x - x.Ax/2. A tangent plane has the slope -t b, t > 0, where b.x grows in all
// directions in which the region is unbounded; on the part b.x = R + s, s >= 0, of the region,
// T <= E - t s. If A is positive definite, there is a point with such a slope on the plane b.x = R for
// every b; otherwise slopes are looked for along one ray. Of the points of the region with b.x = R + s,
// those with s = 0 are known (the vertices of the cut), and the others follow by convexity: with q a
// vertex below the cut by h, they are in the image of the cut under the homothety at q with factor
// 1 + s/h. So each coordinate is at most linear in s, and the integral is one of a polynomial in s
// times e^(E - t s).

#include "solver/smooth/tail.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solver/geometry/polytope.h"
#include "solver/laws/univariate.h"
#include "solver/smooth/term_bounds.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

using Matrix = std::vector<std::vector<Rational>>;

Rational dot(const Point& a, const Point& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), Rational(0));
}
Point times(const Matrix& matrix, const Point& vector) {
  Point result;
  for (const std::vector<Rational>& row : matrix) result.push_back(dot(row, vector));
  return result;
}
Point along(const Point& from, const Rational& factor, const Point& direction) {
  Point result = from;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] += factor * direction[i];
  return result;
}

[[noreturn]] void refuse(const std::string& why) {
  throw Error("an integral over an unbounded region cannot be shown to converge: " + why);
}

/// c + g.x - x.Ax/2
struct Quadratic {
  Rational constant;
  Point slope;
  Matrix matrix;

  Quadratic(const SmoothIntegrand& integrand, const TermBounds& bounds)
      : slope(integrand.dimension),
        matrix(integrand.dimension, std::vector<Rational>(integrand.dimension)) {
    std::vector<Polynomial::Term> others;
    for (const auto& [monomial, coefficient] : integrand.exponent.terms()) {
      if (std::ranges::any_of(monomial, [&](const Power& power) {
            return power.variable >= integrand.dimension;
          })) {
        others.push_back({monomial, coefficient});
        continue;
      }
      if (degree(monomial) > 2) refuse("the exponent is no quadratic polynomial");
      if (monomial.empty()) {
        constant = coefficient;
      } else if (degree(monomial) == 1) {
        slope[monomial[0].variable] = coefficient;
      } else {
        const Variable i = monomial.front().variable, j = monomial.back().variable;
        matrix[i][j] -= coefficient;
        matrix[j][i] -= coefficient;
      }
    }
    const std::optional<Rational> most = bounds.most(Polynomial(std::move(others)));
    if (!most) refuse("the exponent has functions without bounds in it");
    constant += *most;
  }

  /// Adds a polynomial of degree 1.
  void add(const Polynomial& line) {
    for (const auto& [monomial, coefficient] : line.terms())
      (monomial.empty() ? constant : slope[monomial[0].variable]) += coefficient;
  }

  Rational at(const Point& x) const {
    return constant + dot(slope, x) - dot(x, times(matrix, x)) / 2;
  }
};

enum class Definite { positive, semi, no };

/// By elimination with the diagonal as pivots.
Definite definiteness(Matrix a) {
  Definite result = Definite::positive;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i][i] < 0) return Definite::no;
    if (a[i][i] == 0) {
      for (std::size_t j = i; j < a.size(); ++j)
        if (a[i][j] != 0) return Definite::no;
      result = Definite::semi;
      continue;
    }
    for (std::size_t k = i + 1; k < a.size(); ++k) {
      const Rational factor = a[k][i] / a[i][i];
      for (std::size_t j = i; j < a.size(); ++j) a[k][j] -= factor * a[i][j];
    }
  }
  return result;
}

/// The solution of a x = b for a positive definite matrix.
Point solution(Matrix a, Point b) {
  const std::size_t n = a.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) {
      if (k == i) continue;
      const Rational factor = a[k][i] / a[i][i];
      for (std::size_t j = i; j < n; ++j) a[k][j] -= factor * a[i][j];
      b[k] -= factor * b[i];
    }
  for (std::size_t i = 0; i < n; ++i) b[i] /= a[i][i];
  return b;
}

/// A number with few bits near this one.
Rational short_number(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return Rational(std::ldexp(std::round(mantissa * 1024) / 1024, exponent));
}

/// The vector divided by the sum of its entries' sizes, in short numbers.
Point short_vector(const Point& vector) {
  Rational size = 0;
  for (const Rational& entry : vector) size += abs(entry);
  Point result;
  for (const Rational& entry : vector)
    result.push_back(short_number(Rational(entry / size).get_d()));
  return result;
}

/// The sum of the directions, each about of the same length.
Point middle(std::span<const Point> directions, std::size_t dimension) {
  Point result(dimension);
  for (const Point& direction : directions) result = along(result, 1, short_vector(direction));
  return result;
}

bool grows(const Point& b, std::span<const Point> directions) {
  return std::ranges::all_of(directions,
                             [&](const Point& direction) { return dot(b, direction) > 0; });
}

/// Inward normals of the region added up: no direction of a region without lines is orthogonal to
/// all of them.
Point inward(std::span<const Halfspace> region, std::size_t dimension) {
  Point result(dimension);
  for (const Halfspace& side : region) {
    Rational size = 0;
    for (const Rational& entry : side.normal) size += abs(entry);
    if (size > 0) result = along(result, -1 / size, side.normal);
  }
  return result;
}

/// The plane b.x = bound + s, and T <= height - rate * s on it.
struct Plane {
  Point b;
  Rational bound, height, rate;
};

Plane definite_plane(const Quadratic& quadratic, std::span<const Halfspace> region,
                     std::span<const Point> directions, unsigned reach) {
  const Point mean = solution(quadratic.matrix, quadratic.slope);
  Point b = short_vector(times(quadratic.matrix, middle(directions, mean.size())));
  if (!grows(b, directions)) b = short_vector(inward(region, mean.size()));
  if (!grows(b, directions)) b = inward(region, mean.size());
  const Point towards = solution(quadratic.matrix, b);
  const Rational variance = dot(b, towards), at_mean = dot(b, mean);
  const double deviation = std::sqrt(variance.get_d());
  const double nearest =
      std::max(0.0, Rational(*least_on(b, region) - at_mean).get_d() / deviation);
  const double distance = std::sqrt(nearest * nearest + 12.0 * reach);
  Rational bound = at_mean + short_number(distance * deviation);
  const Rational rate = (bound - at_mean) / variance;
  const Rational height = quadratic.at(mean) - rate * rate * variance / 2;
  return {std::move(b), std::move(bound), height, rate};
}

Plane other_plane(const Quadratic& quadratic, std::span<const Halfspace> region,
                  std::span<const Point> directions, unsigned reach) {
  const Point ray = middle(directions, quadratic.slope.size());
  const Rational curvature = dot(ray, times(quadratic.matrix, ray));
  // Along the ray the integrand is largest at `start`, and falls by deviations.
  Rational start = 0, unit = 1;
  if (curvature > 0) {
    start = short_number(Rational(dot(quadratic.slope, ray) / curvature).get_d());
    unit = short_number(std::sqrt(12.0 * reach / curvature.get_d()));
  }
  for (Rational step = 0; step <= 4096; step = step == 0 ? Rational(1) : Rational(2 * step)) {
    if (step == 0 && curvature > 0) continue;
    const Point point = along(Point(ray.size()), start + step * unit, ray);
    Point b = along(times(quadratic.matrix, point), -1, quadratic.slope);
    if (!grows(b, directions)) continue;
    Rational bound = *least_on(b, region) + Rational(6 * static_cast<long>(reach));
    if (curvature > 0) bound = std::max(bound, dot(b, point));
    const Rational height = quadratic.at(point) + dot(b, point) - bound;
    return {std::move(b), std::move(bound), height, Rational(1)};
  }
  refuse("the integrand may not decrease in direction " + [&] {
    std::string text;
    for (const Rational& entry : directions[0])
      text += (text.empty() ? "(" : ", ") + to_string(entry);
    return text + ")";
  }());
}

/// Where the exponent does not decrease along the middle of the directions, sigmoids may: of an affine t,
/// sigmoid(t) <= e^t.
void add_sigmoids(const SmoothIntegrand& integrand, std::span<const Point> directions,
                  Quadratic& quadratic) {
  const Point ray = middle(directions, integrand.dimension);
  if (dot(ray, times(quadratic.matrix, ray)) > 0 || dot(quadratic.slope, ray) < 0) return;
  for (const Power& power : integrand.powers) {
    const AppliedFunction& applied = integrand.functions[power.variable - integrand.dimension];
    if (applied.function != Function::sigmoid || applied.argument.degree() != 1) continue;
    Rational growth = 0;
    bool affine = true;
    for (const auto& [monomial, coefficient] : applied.argument.terms()) {
      if (monomial.empty()) continue;
      affine = affine && monomial[0].variable < integrand.dimension;
      if (affine) growth += coefficient * ray[monomial[0].variable];
    }
    if (affine && growth < 0) quadratic.add(Rational(power.exponent) * applied.argument);
  }
}

/// An upper bound of the size of all but the exponent.
Univariate bound_of(const SmoothIntegrand& integrand, const TermBounds& bounds,
                    const std::vector<Univariate>& most) {
  try {
    Univariate result = bounds.size(integrand.factor, most);
    for (const Power& power : integrand.powers) result = result * bounds.size(power, most);
    return result;
  } catch (const Error& error) {
    refuse(error.what());
  }
}

}  // namespace

Tail cut_tail(const SmoothIntegrand& integrand, std::span<const Halfspace> region,
              std::span<const Point> directions, unsigned reach) {
  constexpr slong bits = 64;
  const TermBounds bounds(integrand, region);
  Quadratic quadratic(integrand, bounds);
  add_sigmoids(integrand, directions, quadratic);
  const Definite definite = definiteness(quadratic.matrix);
  if (definite == Definite::no) refuse("the exponent is not concave");
  Plane plane = definite == Definite::positive
                    ? definite_plane(quadratic, region, directions, reach)
                    : other_plane(quadratic, region, directions, reach);
  std::vector<Halfspace> sides(region.begin(), region.end());
  sides.push_back({plane.b, plane.bound});
  const std::vector<Point> vertices = Polytope(integrand.dimension, sides).vertices();
  const Point* lowest = nullptr;  // by how much below the cut
  Rational height = 0;
  for (const Point& vertex : vertices)
    if (const Rational below = plane.bound - dot(plane.b, vertex); below > height) {
      height = below;
      lowest = &vertex;
    }
  if (lowest == nullptr) refuse("the region has no volume before its cut");
  std::vector<Univariate> most;  // of the coordinates
  Univariate area = Univariate::constant(1);
  std::size_t pivot = 0;
  for (std::size_t k = 1; k < integrand.dimension; ++k)
    if (abs(plane.b[k]) > abs(plane.b[pivot])) pivot = k;
  for (std::size_t k = 0; k < integrand.dimension; ++k) {
    Rational reaches = 0;
    for (const Point& vertex : vertices)
      if (dot(plane.b, vertex) == plane.bound)
        reaches = std::max(reaches, Rational(abs(vertex[k] - (*lowest)[k])));
    const Univariate half_width(std::vector<Rational>{reaches, reaches / height});
    most.push_back(half_width + Univariate::constant(abs((*lowest)[k])));
    if (k != pivot) area = area * (Rational(2) * half_width);
  }
  const Univariate polynomial = bound_of(integrand, bounds, most) * area;
  Rational sum = 0, moment = 1 / plane.rate;  // of s^k e^(-rate s)
  for (std::size_t k = 0; k < polynomial.coefficients().size(); ++k) {
    if (k > 0) moment *= Rational(static_cast<unsigned long>(k)) / plane.rate;
    sum += polynomial.coefficients()[k] * moment;
  }
  Tail result{{plane.b, plane.bound}, ball(plane.height, bits)};
  arb_exp(result.most, result.most, bits);
  arb_mul(result.most, result.most, ball(Rational(sum / abs(plane.b[pivot])), bits), bits);
  return result;
}

}  // namespace wmi
