#include "solver/laws/pushforward.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "solver/integrator.h"
#include "solver/integrators/face_plan.h"
#include "solver/laws/law.h"
#include "solver/terms/caps.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {
namespace {

Polynomial x(Variable variable) { return Polynomial::variable(variable); }

Law law_of(std::size_t dimension, const std::vector<Halfspace>& halfspaces,
           const Polynomial& weight, const Polynomial& form) {
  return Law(pushforward(make_region(dimension, halfspaces), weight, LinearForm(form)));
}

/// 0 <= x_i <= size
std::vector<Halfspace> box(std::size_t dimension, const Rational& size = 1) {
  std::vector<Halfspace> result;
  for (std::size_t i = 0; i < dimension; ++i)
    for (const int sign : {-1, 1}) {
      Halfspace side{std::vector<Rational>(dimension), sign > 0 ? size : Rational(0)};
      side.normal[i] = sign;
      result.push_back(std::move(side));
    }
  return result;
}

Rational integral(const Polynomial& integrand, std::size_t dimension,
                  const std::vector<Halfspace>& halfspaces) {
  static const std::unique_ptr<Integrator> reference = make_triangulation({});
  const Polytope polytope(dimension, halfspaces);
  return reference->integrate(std::array{integrand}, polytope)[0].lower;
}

/// The law of the form over a polytope, known by its moments: between two neighbouring values at
/// vertices the density is a polynomial of degree n - 1 + deg(weight) at most, so n + deg(weight)
/// moments of the slab tell it. Each is an integral over the slab, cut out of the polytope.
void check_by_slabs(const Law& law, std::size_t dimension, const std::vector<Halfspace>& halfspaces,
                    const Polynomial& weight, const LinearForm& form) {
  std::vector<Rational> values;
  for (const Point& vertex : Polytope(dimension, halfspaces).vertices())
    values.push_back(form.at(vertex));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    std::vector<Halfspace> slab = halfspaces;
    Halfspace above{std::vector<Rational>(dimension), values[i + 1] - form.constant};
    for (const auto& [variable, coefficient] : form.coefficients)
      above.normal[variable] = coefficient;
    Halfspace below{above.normal, form.constant - values[i]};
    for (Rational& entry : below.normal) entry = -entry;
    slab.push_back(above);
    slab.push_back(below);
    const Law part = law.restricted(values[i], values[i + 1]);
    Polynomial factor(1);
    for (unsigned k = 0; k < dimension + weight.degree(); ++k) {
      CHECK(part.moment(k) == integral(weight * factor, dimension, slab));
      factor = factor * form.polynomial();
    }
  }
  CHECK(law.mass() == integral(weight, dimension, halfspaces));
  if (!law.zero()) {
    CHECK(law.support().lower >= values.front());
    CHECK(law.support().upper <= values.back());
  }
}

TEST_CASE("the sum of two uniform numbers has a triangular law") {
  CHECK(law_of(2, box(2), 1, x(0) + x(1)) == Law::triangular(1, 1));
  // 2y on [0,1]: half as dense.
  CHECK(law_of(1, box(1), 1, 2 * x(0)) == Law::uniform(0, 2));
}

TEST_CASE("on a simplex the law is a B-spline with its knots at the vertices") {
  // x + y on the triangle x, y >= 0, x + y <= 1: density s on [0, 1].
  const std::vector<Halfspace> triangle{{{-1, 0}, 0}, {{0, -1}, 0}, {{1, 1}, 1}};
  CHECK(law_of(2, triangle, 1, x(0) + x(1)) == Law({}, {{0, 1, Univariate({0, 1})}}));
  // x there: density 1 - s.
  CHECK(law_of(2, triangle, 1, x(0)) == Law({}, {{0, 1, Univariate({1, -1})}}));
  // ... with weight y: the integral of y from 0 to 1 - s.
  CHECK(law_of(2, triangle, x(1), x(0)) ==
        Law({}, {{0, 1, Univariate({ratio(1, 2), -1, ratio(1, 2)})}}));
}

TEST_CASE("the law of a constant is a point mass") {
  CHECK(law_of(2, box(2), x(0), 5) == Law({{5, ratio(1, 2)}}, {}));
  CHECK(law_of(3, {{{1, 1, 1}, 1}, {{-1, 0, 0}, 0}, {{0, -1, 0}, 0}, {{0, 0, -1}, 0}}, 1, -2) ==
        Law({{-2, ratio(1, 6)}}, {}));
}

TEST_CASE("the law over a flat region is zero") {
  const std::vector<Halfspace> flat{{{1}, 0}, {{-1}, 0}};
  CHECK(law_of(1, flat, 1, x(0)).zero());
}

TEST_CASE("laws of forms on random polytopes have the moments of their slabs") {
  Random random(45);
  MESSAGE("seed " << random.seed());
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    const auto n = static_cast<std::size_t>(random.integer(1, i % 40 == 0 ? 4 : 3));
    // Small integers: many vertices share a value, many cells are degenerate.
    const bool degenerate = random.chance(60);
    std::vector<Halfspace> halfspaces = box(n, degenerate ? Rational(2) : ratio(7, 3));
    for (int cuts = random.integer(0, 4); cuts > 0; --cuts) {
      Halfspace cut{std::vector<Rational>(n), random.integer(0, 3)};
      for (Rational& entry : cut.normal)
        entry = degenerate ? Rational(random.integer(-1, 1))
                           : ratio(random.integer(-7, 7), random.integer(1, 5));
      halfspaces.push_back(std::move(cut));
    }
    if (Polytope(n, halfspaces).flat()) continue;
    Polynomial weight(1), form(random.integer(-2, 2));
    for (int factors = random.integer(0, 3); factors > 0; --factors) {
      Polynomial factor(random.integer(-2, 2));
      for (Variable v = 0; v < n; ++v) factor += random.integer(-1, 2) * x(v);
      weight = weight * factor;
    }
    for (Variable v = 0; v < n; ++v)
      form += Polynomial(degenerate ? Rational(random.integer(-1, 1))
                                    : ratio(random.integer(-5, 5), random.integer(1, 4))) *
              x(v);
    if (weight.zero()) continue;
    const Law law = law_of(n, halfspaces, weight, form);
    check_by_slabs(law, n, halfspaces, weight, LinearForm(form));
  }
}

TEST_CASE("over a product of regions laws are convolved") {
  // The same box as one polytope (a redundant cut ties all coordinates together) and as a product.
  Random random(46);
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    const std::size_t n = 3;
    std::vector<Halfspace> apart = box(n, 2), tied = apart;
    Halfspace cut{{1, 1, 0}, random.integer(1, 3)};
    apart.push_back(cut);
    tied.push_back(cut);
    Polynomial weight(1), form(0);
    for (Variable v = 0; v < n; ++v) {
      weight = weight * (Polynomial(random.integer(0, 2)) + random.integer(0, 2) * x(v));
      form += random.integer(-2, 2) * x(v);
    }
    if (weight.zero()) continue;
    const Region product = make_region(n, apart);
    REQUIRE(product.factors.size() == 2);
    Region whole;
    whole.factors.push_back({{0, 1, 2}, Polytope(n, tied)});
    CHECK(Law(pushforward(product, weight, LinearForm(form))) ==
          Law(pushforward(whole, weight, LinearForm(form))));
  }
}

TEST_CASE("twelve uniform numbers add up to the twelfth B-spline") {
  // Its value in the middle: 1/11! sum_k (-1)^k C(12,k) (6-k)^11 for k < 6.
  Polynomial sum(0);
  for (Variable v = 0; v < 12; ++v) sum += x(v);
  const Law law = law_of(12, box(12), 1, sum);
  CHECK(law.pieces().size() == 12);
  Integer middle = 0, binomial = 1, factorial = 1;
  for (int k = 0; k < 6; ++k) {
    Integer power;
    mpz_ui_pow_ui(power.get_mpz_t(), static_cast<unsigned long>(6 - k), 11);
    middle += (k % 2 == 0 ? 1 : -1) * binomial * power;
    binomial = binomial * (12 - k) / (k + 1);
  }
  for (int k = 2; k <= 11; ++k) factorial *= k;
  CHECK(law.density(6) == ratio(middle, factorial));
  CHECK(law.mass() == 1);
  CHECK(law.variance() == 1);
}

struct WithPlan {
  explicit WithPlan(std::size_t bytes) { caps::plan.set(bytes); }
  ~WithPlan() { caps::plan.set(caps::plan.standard()); }
};

TEST_CASE("a law that would take more memory than the cap is made in parts, or not at all") {
  // A diamond, whose form is constant along edges: simplex by simplex; and a product with it.
  const std::vector<Halfspace> diamond = {{{1, 1, 0}, 1},   {{1, -1, 0}, 1}, {{-1, 1, 0}, 1},
                                          {{-1, -1, 0}, 1}, {{0, 0, 1}, 1},  {{0, 0, -1}, 0}};
  const Polynomial weight = power(x(0) + 2 * x(1) + x(2) * x(2), 4) + x(2);
  const Polynomial form = x(0) + x(1) + x(2);
  const Law expected = law_of(3, diamond, weight, form);
  std::size_t refused = 0, same = 0;
  for (std::size_t bytes = 64; bytes < 1'000'000; bytes *= 2) {
    const WithPlan plan(bytes);
    try {
      CHECK(law_of(3, diamond, weight, form) == expected);
      ++same;
    } catch (const PlanTooLarge&) {
      ++refused;
    }
  }
  CHECK(refused > 2);
  CHECK(same > 4);
}

}  // namespace
}  // namespace wmi::tests
