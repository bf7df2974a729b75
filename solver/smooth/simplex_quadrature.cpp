// Certified quadrature on simplices, for integrands that are analytic around them.
//
// A simplex is the image of the unit cube (local_integrand.h). If g is analytic in u_i on the ellipse
// E_r with foci 0 and 1 whose semi-axes add up to r/2, and at most M there, for all values of the
// other u in [0, 1], then its Chebyshev coefficients in u_i are at most 2 M r^-k. The rule of Gauss
// with m >= 2 points is exact up to degree 2m-1 and has positive weights, so that it errs by at most
//
//     sum over even k >= 2m of 2 M r^-k (1/(k^2 - 1) + 1)  <=  (32/15) M r^-2m / (1 - r^-2)
//
// (Trefethen, "Approximation theory and approximation practice", theorem 19.3). The errors of a
// product of rules add up. M is found by ball arithmetic on rectangles that cover the upper half of
// the ellipse (the lower one is its mirror image); where a function has a pole or a branch point it is
// not finite, and a smaller ellipse is tried. M enters by its logarithm: even a rough one costs few
// points.
//
// A simplex that would need too many points is bisected, along the edge on which the arguments of the
// functions change most. One on which the range of the integrand is narrow enough is not looked at
// further. Memory is that of one path.

#include "solver/smooth/simplex_quadrature.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "solver/numeric/flint.h"
#include "solver/smooth/gauss_legendre.h"
#include "solver/smooth/steep_cuts.h"
#include "solver/smooth/triangulated.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

constexpr slong rough = 30;  // bits of bounds
constexpr double infinite = std::numeric_limits<double>::infinity();

/// log2 of an upper bound of the size, and of the width; -infinity for 0, infinity if not finite.
double log_size(const Ball& value) {
  if (!arb_is_finite(value)) return infinite;
  mag_t size;
  mag_init(size);
  arb_get_mag(size, value);
  const double result = mag_is_zero(size) ? -infinite : mag_get_d_log2_approx(size);
  mag_clear(size);
  return result;
}
double log_radius(const Ball& value) {
  if (!arb_is_finite(value)) return infinite;
  return mag_is_zero(arb_radref(static_cast<arb_srcptr>(value)))
             ? -infinite
             : mag_get_d_log2_approx(arb_radref(static_cast<arb_srcptr>(value)));
}

/// log2(2^a + 2^b).
double log_sum(double a, double b) {
  if (a < b) std::swap(a, b);
  return std::isinf(b) ? a : a + std::log2(1 + std::exp2(b - a));
}

Ball between(double low, double high) {
  Ball a, b, result;
  arb_set_d(a, low);
  arb_set_d(b, high);
  arb_union(result, a, b, rough);
  return result;
}

/// Semi-axes that add up to these: the sum of those of an ellipse with foci -1 and 1.
constexpr auto ellipses =
    std::to_array<double>({1.25, 1.5, 2, 2.5, 3, 4, 5, 6.5, 8, 11, 15, 20, 30, 45, 70});

/// Bounds of the integrand times the powers of u, with one u on an ellipse.
class EllipseBounds {
 public:
  EllipseBounds(const LocalIntegrand& integrand, std::size_t dimension)
      : integrand_(integrand), dimension_(dimension) {}

  /// An upper bound on the ellipse around [0, 1] with these semi-axes, of the coordinate u_i.
  Ball operator()(std::size_t i, double sum) const {
    constexpr int strips = 6;
    constexpr double slack = 1 + 1e-9;  // more than the rounding errors below
    const double wide = slack * (sum + 1 / sum) / 4, high = slack * (sum - 1 / sum) / 4;
    Ball most;
    for (int strip = 0; strip < strips; ++strip) {
      const double from = -1 + 2.0 * strip / strips, to = -1 + 2.0 * (strip + 1) / strips;
      const double inner = from < 0 && to > 0 ? 0 : std::min(std::abs(from), std::abs(to));
      const double height = high * std::sqrt(std::max(0.0, 1 - inner * inner)) * slack + 1e-300;
      std::vector<ComplexBall> u(dimension_);
      for (ComplexBall& other : u) acb_set_arb(other, between(0, 1));
      arb_set(acb_realref(static_cast<acb_ptr>(u[i])),
              between(0.5 + wide * from - 1e-12 * wide, 0.5 + wide * to + 1e-12 * wide));
      arb_set(acb_imagref(static_cast<acb_ptr>(u[i])), between(0, height));
      ComplexBall value = integrand_.at(u, rough);
      for (std::size_t power = i + 1; power < dimension_; ++power)
        acb_mul(value, value, u[i], rough);
      Ball size;
      acb_abs(size, value, rough);
      arb_max(most, most, size, rough);
      if (!arb_is_finite(most)) break;
    }
    return most;
  }

 private:
  const LocalIntegrand& integrand_;
  std::size_t dimension_;
};

/// The number of points in one coordinate, and the ellipse and its bound that show they suffice.
struct Points {
  unsigned count = 0;
  double ellipse = 0;
  Ball most;

  /// An upper bound of the error, for a determinant of 1.
  Ball error() const {
    Ball result, sum, power, rest;
    arb_set_d(sum, ellipse);
    arb_pow_ui(power, sum, 2 * count, rough);
    arb_sqr(rest, sum, rough);
    arb_inv(rest, rest, rough);
    arb_sub_ui(rest, rest, 1, rough);
    arb_neg(rest, rest);
    arb_mul_ui(result, most, 32, rough);
    arb_div_ui(result, result, 15, rough);
    arb_div(result, result, power, rough);
    arb_div(result, result, rest, rough);
    return result;
  }
};

/// The fewest points with an error below 2^log_tolerance; nullopt if more than `limit` are needed.
std::optional<Points> fewest_points(const EllipseBounds& bounds, std::size_t i,
                                    double log_tolerance, unsigned limit) {
  std::optional<Points> best;
  unsigned worse = 0;
  for (const double ellipse : ellipses) {
    Ball most = bounds(i, ellipse);
    const double log_most = log_size(most);
    if (log_most == infinite) break;
    const double excess =
        log_most + std::log2(32.0 / 15 / (1 - 1 / (ellipse * ellipse))) - log_tolerance;
    const double wanted = log_most == -infinite
                              ? 2
                              : std::max(2.0, std::ceil(excess / (2 * std::log2(ellipse)) + 0.01));
    if (best && wanted >= best->count) {
      if (++worse == 2) break;
      continue;
    }
    worse = 0;
    if (wanted <= limit) best = Points{static_cast<unsigned>(wanted), ellipse, std::move(most)};
  }
  return best;
}

class SimplexQuadrature {
 public:
  SimplexQuadrature(const SmoothIntegrand& integrand, slong bits)
      : integrand_(integrand), n_(integrand.dimension), bits_(bits) {}

  struct Result {
    Ball integral;
    double log_scale = -infinite;  // of the integral of the integrand's size, about
  };

  /// About log2 of the integral of the integrand's size. The simplex that may hold most of it is
  /// bisected until the samples explain the bound: else a narrow peak would be missed.
  double first_scale(const std::vector<EnclosedSimplex>& simplices) const {
    constexpr int most_bisections = 2000;
    constexpr double close = 8;  // of the bound to the samples
    struct Part {
      double bound, sampled;
      EnclosedSimplex simplex;
      bool operator<(const Part& other) const { return bound < other.bound; }
    };
    std::vector<Part> parts;  // a heap
    const auto add = [&](EnclosedSimplex simplex) {
      const double sampled = sampled_size(simplex);
      double bound = log_size(range_over(LocalIntegrand(integrand_, simplex, rough), simplex));
      if (bound == infinite) bound = sampled + 100;  // it is not known
      parts.push_back({bound, sampled, std::move(simplex)});
      std::push_heap(parts.begin(), parts.end());
    };
    for (const EnclosedSimplex& simplex : simplices) add(simplex);
    double result = -infinite;
    for (int i = 0; i < most_bisections && !parts.empty(); ++i) {
      result = -infinite;
      for (const Part& part : parts) result = log_sum(result, part.sampled);
      std::pop_heap(parts.begin(), parts.end());
      Part largest = std::move(parts.back());
      parts.pop_back();
      if (largest.bound == -infinite || largest.bound < result + close) break;
      auto [a, b] = bisected(std::move(largest.simplex));
      add(std::move(a));
      add(std::move(b));
    }
    return result;
  }

  /// Over all simplices, with a width of about 2^log_tolerance.
  Result operator()(std::vector<EnclosedSimplex> simplices, double log_tolerance) {
    Result result;
    const double share = log_tolerance - std::log2(static_cast<double>(simplices.size()));
    std::vector<std::pair<EnclosedSimplex, int>> open;  // with its depth
    for (EnclosedSimplex& simplex : simplices) open.emplace_back(std::move(simplex), 0);
    while (!open.empty()) {
      auto [simplex, depth] = std::move(open.back());
      open.pop_back();
      if (add(simplex, share - depth, result)) continue;
      refuse_deep(simplex, depth);
      auto [a, b] = bisected(std::move(simplex));
      open.emplace_back(std::move(a), depth + 1);
      open.emplace_back(std::move(b), depth + 1);
    }
    return result;
  }

 private:
  static constexpr std::size_t most_evaluations = 300'000'000;
  static constexpr std::size_t most_simplices = 3'000'000;

  /// The largest number of points in one coordinate, and in all.
  unsigned limit() const {
    constexpr std::array<unsigned, 7> by_dimension = {0, 80, 40, 20, 14, 10, 8};
    return by_dimension[std::min(n_, by_dimension.size() - 1)];
  }

  /// The volume times all values.
  Ball range_over(const LocalIntegrand& local, const EnclosedSimplex& simplex) const {
    const std::vector<Ball> everywhere(n_, between(0, 1));
    Ball range = local.at(everywhere, rough);
    arb_mul(range, range, simplex.determinant, rough);
    for (std::size_t k = 2; k <= n_; ++k) arb_div_ui(range, range, k, rough);
    return range;
  }

  /// About log2 of the integral of the size: the mean over the corners and the centroid.
  double sampled_size(const EnclosedSimplex& simplex) const {
    const LocalIntegrand local(integrand_, simplex, rough);
    double result = -infinite, factorial = 0;
    for (std::size_t k = 2; k <= n_; ++k) factorial += std::log2(static_cast<double>(k));
    for (std::size_t corner = 0; corner <= n_ + 1; ++corner) {
      std::vector<Ball> u(n_);
      for (std::size_t k = 0; k < n_; ++k) {
        if (corner > n_)  // the centroid
          arb_set_d(u[k], static_cast<double>(n_ - k) / static_cast<double>(n_ - k + 1));
        else
          arb_set_d(u[k], k < corner ? 1 : 0);
      }
      const double size = log_size(local.at(u, rough));
      if (size == infinite) continue;
      result = log_sum(result, size + log_size(simplex.determinant) - factorial -
                                   std::log2(static_cast<double>(n_ + 2)));
    }
    return result;
  }

  /// Adds the integral over the simplex, to within the tolerance; false if it must be bisected.
  bool add(const EnclosedSimplex& simplex, double log_tolerance, Result& result) {
    const LocalIntegrand local(integrand_, simplex, bits_);
    const double log_determinant = log_size(simplex.determinant);
    if (log_determinant == -infinite) return true;
    const Ball range = range_over(local, simplex);
    if (log_radius(range) + 1 <= log_tolerance) {
      result.log_scale = log_sum(result.log_scale, log_size(range));
      arb_add(result.integral, result.integral, range, bits_);
      return true;
    }
    const EllipseBounds bounds(local, n_);
    const double each = log_tolerance - 1 - log_determinant - std::log2(static_cast<double>(n_));
    std::vector<Points> points;
    for (std::size_t i = 0; i < n_; ++i) {
      std::optional<Points> found = fewest_points(bounds, i, each, limit());
      if (!found) return false;
      points.push_back(*std::move(found));
    }
    add_rule(local, simplex, points, result);
    return true;
  }

  void add_rule(const LocalIntegrand& local, const EnclosedSimplex& simplex,
                const std::vector<Points>& points, Result& result) {
    std::vector<std::shared_ptr<const QuadratureRule>> rules;
    std::size_t evaluations = 1;
    Ball error;
    for (const Points& of_coordinate : points) {
      rules.push_back(gauss_legendre(of_coordinate.count, bits_));
      evaluations *= of_coordinate.count;
      arb_add(error, error, of_coordinate.error(), rough);
    }
    evaluations_ += evaluations;
    if (evaluations_ > most_evaluations) give_up();
    Ball sum, size;
    std::vector<Ball> u(n_);
    std::vector<Ball> weight(n_ + 1);  // of the coordinates before each
    arb_one(weight[0]);
    std::vector<std::size_t> index(n_);
    std::size_t from = 0;  // the first coordinate that is to be set
    for (;;) {
      for (std::size_t k = from; k < n_; ++k) {
        u[k] = rules[k]->nodes[index[k]];
        arb_pow_ui(weight[k + 1], u[k], n_ - 1 - k, bits_);
        arb_mul(weight[k + 1], weight[k + 1], rules[k]->weights[index[k]], bits_);
        arb_mul(weight[k + 1], weight[k + 1], weight[k], bits_);
      }
      Ball value = local.at(u, bits_);
      arb_mul(value, value, weight[n_], bits_);
      arb_add(sum, sum, value, bits_);
      arb_abs(value, value);
      arb_add(size, size, value, rough);
      std::size_t k = n_;
      while (k > 0 && ++index[k - 1] == points[k - 1].count) index[--k] = 0;
      if (k == 0) break;
      from = k - 1;
    }
    arb_add_error(sum, error);
    arb_mul(sum, sum, simplex.determinant, bits_);
    result.log_scale = log_sum(result.log_scale, log_size(size) + log_size(simplex.determinant));
    arb_add(result.integral, result.integral, sum, bits_);
  }

  [[noreturn]] static void give_up() {
    throw GaveUp(
        "an integral with smooth functions takes too many evaluations; ask for fewer digits");
  }

  /// Where bisection does not help, a function is not defined or not bounded.
  void refuse_deep(const EnclosedSimplex& simplex, int depth) {
    if (++simplices_ > most_simplices) give_up();
    if (depth < 40 * static_cast<int>(n_)) return;
    const LocalIntegrand local(integrand_, simplex, bits_);
    const std::vector<Ball> everywhere(n_, between(0, 1));
    if (!arb_is_finite(local.at(everywhere, rough)))
      throw Error(
          "an integral cannot be shown to converge: a function (a logarithm, a root, a "
          "quotient) is not defined or not bounded on all of a region");
    if (depth > 400 * static_cast<int>(n_)) give_up();
  }

  std::pair<EnclosedSimplex, EnclosedSimplex> bisected(EnclosedSimplex simplex) const {
    const auto [a, b] = hardest_edge(simplex);
    std::vector<Ball> middle(n_);
    for (std::size_t j = 0; j < n_; ++j) {
      arb_add(middle[j], simplex.corners[a][j], simplex.corners[b][j], bits_);
      arb_mul_2exp_si(middle[j], middle[j], -1);
    }
    arb_mul_2exp_si(simplex.determinant, simplex.determinant, -1);
    EnclosedSimplex other = simplex;
    simplex.corners[a] = middle;
    other.corners[b] = std::move(middle);
    return {std::move(simplex), std::move(other)};
  }

  /// The edge on which the arguments of functions change most; of equal ones, the longest. In plain
  /// doubles: any edge would do.
  std::pair<std::size_t, std::size_t> hardest_edge(const EnclosedSimplex& simplex) const {
    std::vector<std::vector<double>> corners;
    for (const std::vector<Ball>& corner : simplex.corners) {
      corners.emplace_back();
      for (const Ball& entry : corner)
        corners.back().push_back(
            arf_get_d(arb_midref(static_cast<arb_srcptr>(entry)), ARF_RND_NEAR));
    }
    std::pair<std::size_t, std::size_t> result(0, 1);
    double most = -1;
    for (std::size_t a = 0; a < corners.size(); ++a)
      for (std::size_t b = a + 1; b < corners.size(); ++b) {
        std::vector<double> middle(n_);
        double length = 0;
        for (std::size_t j = 0; j < n_; ++j) {
          middle[j] = (corners[a][j] + corners[b][j]) / 2;
          length += std::abs(corners[a][j] - corners[b][j]);
        }
        double change = change_of(integrand_.exponent, corners[a], corners[b], middle, infinite);
        for (const AppliedFunction& applied : integrand_.functions)
          change += change_of(
              applied.argument, corners[a], corners[b], middle,
              is_step(applied.function) && applied.argument.degree() == 1 ? saturated() : infinite);
        change += 1e-6 * length;
        if (change > most) {
          most = change;
          result = {a, b};
        }
      }
    return result;
  }

  /// Beyond, a sigmoid is constant to this many digits.
  double saturated() const { return static_cast<double>(bits_); }

  /// Of values beyond `limit`, all are the same; for linear arguments, on whose edges no change is
  /// larger than on the whole edge.
  double change_of(const Polynomial& polynomial, const std::vector<double>& a,
                   const std::vector<double>& b, const std::vector<double>& middle,
                   double limit) const {
    const double at_a = about(polynomial, a), at_b = about(polynomial, b),
                 at_middle = about(polynomial, middle);
    if (std::min({at_a, at_b, at_middle}) >= limit || std::max({at_a, at_b, at_middle}) <= -limit)
      return 0;
    return std::abs(std::clamp(at_a, -limit, limit) - std::clamp(at_b, -limit, limit)) +
           2 * std::abs(at_a + at_b - 2 * at_middle);
  }
  double about(const Polynomial& polynomial, const std::vector<double>& point) const {
    double result = 0;
    for (const Polynomial::Term& term : polynomial.terms()) {
      double product = term.coefficient.get_d();
      for (const Power& power : term.monomial)
        if (power.variable < n_) product *= std::pow(point[power.variable], power.exponent);
      result += product;
    }
    return result;
  }

  const SmoothIntegrand& integrand_;
  const std::size_t n_;
  const slong bits_;
  std::size_t evaluations_ = 0, simplices_ = 0;
};

/// Of rational vertices, by elimination.
Rational determinant(std::vector<Point> rows) {
  Rational result = 1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::size_t pivot = i;
    while (pivot < rows.size() && rows[pivot][i] == 0) ++pivot;
    if (pivot == rows.size()) return 0;
    if (pivot != i) std::swap(rows[pivot], rows[i]);
    result *= rows[i][i];
    for (std::size_t k = i + 1; k < rows.size(); ++k) {
      const Rational factor = rows[k][i] / rows[i][i];
      for (std::size_t j = i; j < rows.size(); ++j) rows[k][j] -= factor * rows[i][j];
    }
  }
  return abs(result);
}

void append_simplices(const Polytope& region, slong bits, std::vector<EnclosedSimplex>& result) {
  const std::vector<Point> vertices = region.vertices();
  for (const std::vector<std::size_t>& corners : triangulated(region)) {
    EnclosedSimplex& simplex = result.emplace_back();
    std::vector<Point> edges;
    for (const std::size_t corner : corners) {
      simplex.corners.emplace_back();
      for (const Rational& entry : vertices[corner])
        simplex.corners.back().push_back(ball(entry, bits));
      if (corner == corners[0]) continue;
      edges.push_back(vertices[corner]);
      for (std::size_t j = 0; j < edges.back().size(); ++j)
        edges.back()[j] -= vertices[corners[0]][j];
    }
    simplex.determinant = ball(determinant(std::move(edges)), bits);
  }
}

}  // namespace

namespace {

/// Whether every argument of a root is affine and not negative at the vertices. Throws Error if one is
/// negative somewhere.
bool roots_defined(const SmoothIntegrand& integrand, const Polytope& region) {
  bool result = true;
  for (const AppliedFunction& applied : integrand.functions) {
    if (applied.function != Function::sqrt) continue;
    const std::vector<Variable> variables = applied.argument.variables();
    if (applied.argument.degree() > 1 ||
        (!variables.empty() && variables.back() >= integrand.dimension)) {
      result = false;
      continue;
    }
    for (const Point& vertex : region.vertices())
      if (applied.argument.at(vertex) < 0)
        throw Error("'sqrt' of a term that is negative on a part of the region");
  }
  return result;
}

}  // namespace

Ball integrate_over_simplices(const SmoothIntegrand& given, const Polytope& region,
                              unsigned digits) {
  thread_local const FlintCache cache;
  SmoothIntegrand integrand = given;
  integrand.roots_defined = roots_defined(given, region);
  const slong bits = std::max<slong>(64, bits_of(2 * digits) + 24);
  std::vector<EnclosedSimplex> simplices;
  for (const Polytope& part : cut_where_steep(integrand, region))
    append_simplices(part, bits, simplices);
  const auto log_digits = static_cast<double>(bits_of(digits) - 3);  // as `has_digits` wants
  double scale = SimplexQuadrature(integrand, bits).first_scale(simplices);
  if (scale == -infinite) scale = -50;
  double log_tolerance = scale - 7;
  for (;;) {
    SimplexQuadrature quadrature(integrand, bits);
    SimplexQuadrature::Result found = quadrature(simplices, log_tolerance);
    const double width = log_radius(found.integral) + 1;
    const double size = log_size(found.integral);
    if (has_digits(found.integral, digits) || width <= found.log_scale - 2 * log_digits) {
      return std::move(found.integral);
    }
    // Its size is known by now, or it is small.
    const double known =
        width < size - 2 ? size - log_digits - 2 : found.log_scale - 2 * log_digits - 2;
    log_tolerance = std::min(log_tolerance - 10, std::max(known, log_tolerance - 60));
    if (log_tolerance < found.log_scale - static_cast<double>(bits) + 8)
      return std::move(found.integral);
  }
}

}  // namespace wmi
