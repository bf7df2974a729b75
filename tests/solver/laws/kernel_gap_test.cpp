#include "solver/laws/kernel_gap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "solver/laws/likelihood.h"
#include "solver/numeric/reals.h"
#include "solver/terms/decimal.h"
#include "solver/terms/error.h"
#include "tests/solver/random_law.h"

namespace wmi::tests {
namespace {

double normal(double t) { return std::exp(-t * t / 2) / std::sqrt(2 * std::numbers::pi); }
double below(double t) { return std::erfc(-t / std::numbers::sqrt2) / 2; }

/// The same three distances by brute force, in doubles: a fine grid, one unit of sigma.
struct Rough {
  double density = 0, l1 = 0, transport = 0;

  explicit Rough(double rho) {
    constexpr double step = 1e-4;
    for (double t = step / 2; t < std::max(rho, 1.0) + 12; t += step) {
      const double triangle = t < rho ? 1 / rho - t / (rho * rho) : 0;
      const double mass = t < rho ? 0.5 + t / rho - t * t / (2 * rho * rho) : 1;
      density = std::max(density, std::abs(triangle - normal(t)));
      l1 += 2 * step * std::abs(triangle - normal(t));
      transport += 2 * step * std::abs(mass - below(t));
    }
  }
};

double middle(const Interval& value) { return value.midpoint().get_d(); }

TEST_CASE("the gap between the kernels agrees with a fine grid") {
  for (const Rational& rho : {ratio(1, 10), ratio(1, 2), Rational(1), ratio(3, 2), Rational(2),
                              ratio(203, 100), ratio(204, 100), ratio(2297, 1000), ratio(12, 5),
                              ratio(245, 100), Rational(3), ratio(7, 2), Rational(10)})
    for (const Rational& sigma : {Rational(1), ratio(1, 3)}) {
      CAPTURE(rho.get_d());
      const KernelGap found = kernel_gap(sigma, rho * sigma, 15);
      const Rough rough(rho.get_d());
      CHECK(std::abs(middle(found.density) * sigma.get_d() - rough.density) <
            1e-4 / std::min(1.0, rho.get_d() * rho.get_d()));
      CHECK(std::abs(middle(found.l1) - rough.l1) < 1e-4);
      CHECK(std::abs(middle(found.transport) / sigma.get_d() - rough.transport) < 1e-4);
      CHECK(found.variance == sigma * sigma * (rho * rho / 6 - 1));
      const Rational width = power(ratio(1, 10), 15);
      CHECK(found.density.upper - found.density.lower <= width / sigma);
      CHECK(found.l1.upper - found.l1.lower <= width);
      CHECK(found.transport.upper - found.transport.lower <= width * sigma);
    }
}

/// The three distances to 200 digits, one unit of sigma: sign changes and turns by bisection, and
/// antiderivatives between them.
class Reference {
 public:
  explicit Reference(const Rational& rho) : rho_(rho) {
    const Ball beyond = r_.normal_below(r_(-rho)), at_end = r_.normal_density(r_(rho));
    l1 = twice(r_.sum(between_signs([&](const Ball& t) { return kernel_difference(t); },
                                    [&](const Ball& t) { return mass_difference(t); }),
                      beyond));
    transport =
        twice(r_.sum(between_signs([&](const Ball& t) { return mass_difference(t); },
                                   [&](const Ball& t) { return integral_of_mass_difference(t); }),
                     r_.difference(at_end, r_.product(r_(rho), beyond))));
    density = middle(r_.size(kernel_difference(r_(0))));
    const auto turns = [&](const Ball& t) {  // where the slopes are the same
      return r_.difference(r_.product(t, r_.normal_density(t)), r_(1 / (rho_ * rho_)));
    };
    std::vector<Rational> points = sign_changes(turns);
    points.push_back(rho);
    for (const Rational& t : points)
      density = std::max(density, middle(r_.size(kernel_difference(r_(t)))));
  }

  Rational density, l1, transport;

 private:
  using Function = std::function<Ball(const Ball&)>;

  static Rational middle(const Ball& value) { return interval(value).midpoint(); }
  static Rational twice(const Ball& value) { return 2 * middle(value); }

  // On [0, rho].
  Ball kernel_difference(const Ball& t) const {
    return r_.difference(r_.at(Univariate({1 / rho_, -1 / (rho_ * rho_)}), t),
                         r_.normal_density(t));
  }
  Ball mass_difference(const Ball& t) const {
    return r_.difference(r_.at(Univariate({ratio(1, 2), 1 / rho_, -1 / (2 * rho_ * rho_)}), t),
                         r_.normal_below(t));
  }
  Ball integral_of_mass_difference(const Ball& t) const {
    const Univariate triangle({0, ratio(1, 2), 1 / (2 * rho_), -1 / (6 * rho_ * rho_)});
    const Ball normal = r_.sum(r_.product(t, r_.normal_below(t)), r_.normal_density(t));
    return r_.difference(r_.at(triangle, t), normal);
  }

  std::vector<Rational> sign_changes(const Function& function) const {
    constexpr int parts = 300;
    std::vector<Rational> result;
    const auto positive = [&](const Rational& t) { return middle(function(r_(t))) > 0; };
    for (int i = 1; i < parts; ++i) {  // at 0 some of them vanish
      Rational from = rho_ * ratio(i, parts), to = rho_ * ratio(i + 1, parts);
      const bool sign = positive(from);
      if (positive(to) == sign) continue;
      for (int k = 0; k < 690; ++k) {
        const Rational centre = (from + to) / 2;
        (positive(centre) == sign ? from : to) = centre;
      }
      result.push_back(from);
    }
    return result;
  }

  /// The integral of the function's size, given an antiderivative.
  Ball between_signs(const Function& function, const Function& antiderivative) const {
    std::vector<Rational> ends = sign_changes(function);
    ends.push_back(rho_);
    Ball sum, last = antiderivative(r_(0));
    for (const Rational& end : ends) {
      const Ball next = antiderivative(r_(end));
      sum = r_.sum(sum, r_.size(r_.difference(next, last)));
      last = next;
    }
    return sum;
  }

  Reals r_{760};
  Rational rho_;
};

TEST_CASE("the gap between the kernels contains references of 200 digits") {
  const auto holds = [](const Interval& found, const Rational& truth) {
    const Rational slack = power(ratio(1, 10), 200);
    return found.lower - slack <= truth && truth <= found.upper + slack;
  };
  for (const Rational& rho : {ratio(1, 2), ratio(203, 100), ratio(204, 100), ratio(2297, 1000),
                              ratio(245, 100), Rational(7)}) {
    CAPTURE(rho.get_d());
    const Reference truth(rho);
    for (const unsigned digits : {3u, 15u, 60u}) {
      const KernelGap found = kernel_gap(1, rho, digits);
      CHECK(holds(found.density, truth.density));
      CHECK(holds(found.l1, truth.l1));
      CHECK(holds(found.transport, truth.transport));
      const Rational width = power(ratio(1, 10), digits);
      CHECK(found.density.upper - found.density.lower <= width);
      CHECK(found.l1.upper - found.l1.lower <= width);
      CHECK(found.transport.upper - found.transport.lower <= width);
    }
  }
}

TEST_CASE("the radius 2.29700376457861 is nearest to the normal law in L2") {
  // The integral of (k - phi)^2 is 2/(3r) - 2 p(0) and a constant, p(0) the normal density at 0
  // around a triangular law.
  const auto distance = [](const Rational& radius) -> Interval {
    const Interval cross = make_gaussian({})->density(Law::triangular(0, radius), 0, 45);
    return Interval(2 / (3 * radius)) - Interval(2) * cross;
  };
  const Rational alpha = parse_number("2.29700376457861"), step = power(ratio(1, 10), 14);
  CHECK(distance(alpha).upper < distance(alpha - step).lower);
  CHECK(distance(alpha).upper < distance(alpha + step).lower);
}

TEST_CASE("the reach 3.5227692 of a cubic sigmoid is nearest to the sigmoid in L2") {
  // With c = 1/2 + 3x/4d - x^3/4d^3, half the integral of (c - sigmoid)^2 is that of c^2 - 1 + 2(1
  // - c) sigmoid over [0, d], and a constant.
  const auto distance = [](const Rational& d) -> Interval {
    const Univariate cubic({ratio(1, 2), 3 / (4 * d), 0, -1 / (4 * d * d * d)});
    const Univariate rest = Univariate::constant(1) - cubic;
    const Law law({}, {{0, d, rest}});
    const Rational squares = (cubic * cubic).integral(0, d) - d;
    return Interval(squares) + Interval(2 * law.mass()) * mean_sigmoid(law, 40);
  };
  const Rational reach = parse_number("3.5227692"), step = power(ratio(1, 10), 7);
  CHECK(distance(reach).upper < distance(reach - step).lower);
  CHECK(distance(reach).upper < distance(reach + step).lower);
}

TEST_CASE("the gap is as narrow as requested, however different the kernels are") {
  for (const Rational& rho : {power(ratio(1, 10), 6), power(Rational(10), 12)}) {
    const KernelGap found = kernel_gap(1, rho, 12);
    const Rational width = power(ratio(1, 10), 12);
    CHECK(found.density.upper - found.density.lower <= width);
    CHECK(found.l1.upper - found.l1.lower <= width);
    CHECK(found.transport.upper - found.transport.lower <= width);
    CHECK(found.l1.upper > ratio(19, 10));  // hardly any mass in common
  }
}

TEST_CASE("answers under the two kernels differ by at most the gap") {
  Random random(81);
  MESSAGE("seed " << random.seed());
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const Law law = random_law(random).normalised();
    const Rational sigma = ratio(random.integer(1, 9), random.integer(1, 4));
    const Rational radius = sigma * ratio(random.integer(10, 40), 13);
    const Rational y = ratio(random.integer(-50, 50), random.integer(1, 7));
    const KernelGap gap = kernel_gap(sigma, radius, 12);
    const Interval here = density_gap(law, y, sigma, radius, 12);
    const Rational size = std::max(Rational(abs(here.lower)), Rational(abs(here.upper)));
    CHECK(size <= gap.density.upper);
    Rational largest;  // of the law's density: a bound by its coefficients in Bernstein's basis
    for (const Piece& piece : law.pieces()) {
      Rational most;
      const Univariate local = piece.density.composed(piece.to - piece.from, piece.from);
      for (const Rational& coefficient : local.coefficients()) most += abs(coefficient);
      largest = std::max(largest, most);
    }
    if (law.atoms().empty()) CHECK(size <= largest * gap.l1.upper);
  }
}

TEST_CASE("the density gap of the worked example is exact") {
  const Law relu({{0, ratio(1, 2)}}, {{0, 3, Univariate::constant(ratio(1, 6))}});
  const Interval gap = density_gap(relu, 1, 1, ratio(2297, 1000), 20);
  // 4141000/15828627 - 0.2574177979462989...
  CHECK(decimal(gap.midpoint(), 10) == "0.004196807035");
  CHECK(kernel_gap(1, ratio(2297, 1000), 15).density.lower > gap.upper);
}

TEST_CASE("invalid arguments are refused with a message") {
  CHECK_THROWS_WITH_AS(kernel_gap(0, 1, 5), "a standard deviation must be above 0, not 0", Error);
  CHECK_THROWS_WITH_AS(kernel_gap(1, -2, 5), "a radius must be above 0, not -2", Error);
}

}  // namespace
}  // namespace wmi::tests
