#include "solver/kernel_gap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solver/decimal.h"
#include "solver/error.h"
#include "solver/likelihood.h"
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

TEST_CASE("the gap between the kernels is what a fine grid says") {
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

TEST_CASE("the gap is as narrow as asked for, however unlike the two are") {
  for (const Rational& rho : {power(ratio(1, 10), 6), power(Rational(10), 12)}) {
    const KernelGap found = kernel_gap(1, rho, 12);
    const Rational width = power(ratio(1, 10), 12);
    CHECK(found.density.upper - found.density.lower <= width);
    CHECK(found.l1.upper - found.l1.lower <= width);
    CHECK(found.transport.upper - found.transport.lower <= width);
    CHECK(found.l1.upper > ratio(19, 10));  // hardly any mass in common
  }
}

TEST_CASE("no answer under the triangle is further from the normal one than the gap says") {
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

TEST_CASE("the worked example says by how much the triangle is off") {
  const Law relu({{0, ratio(1, 2)}}, {{0, 3, Univariate::constant(ratio(1, 6))}});
  const Interval gap = density_gap(relu, 1, 1, ratio(2297, 1000), 20);
  // 4141000/15828627 - 0.2574177979462989...
  CHECK(decimal(gap.midpoint(), 10) == "0.004196807035");
  CHECK(kernel_gap(1, ratio(2297, 1000), 15).density.lower > gap.upper);
}

TEST_CASE("bad arguments are refused in words") {
  CHECK_THROWS_WITH_AS(kernel_gap(0, 1, 5), "a standard deviation must be above 0, not 0", Error);
  CHECK_THROWS_WITH_AS(kernel_gap(1, -2, 5), "a radius must be above 0, not -2", Error);
}

}  // namespace
}  // namespace wmi::tests
