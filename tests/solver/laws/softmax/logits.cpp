#include "tests/solver/laws/softmax/logits.h"

#include <acb_calc.h>
#include <arb_hypgeom.h>
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "solver/laws/softmax/softmax.h"
#include "solver/numeric/ball.h"

namespace wmi::tests {
namespace {

constexpr slong bits = 760;  // for references of 200 digits and more

/// e^z for a value z of a logit, with its mass.
struct WeightedPoint {
  Ball x, mass;
};

/// A discrete law that gives the softmax to 200 digits: the atoms, and Gauss-Legendre points on each
/// unit of the pieces. A softmax is analytic in each logit up to a distance of pi from the reals.
std::vector<WeightedPoint> points_of(const Law& law) {
  std::vector<WeightedPoint> result;
  for (const PointMass& atom : law.atoms()) {
    WeightedPoint point{ball(atom.at, bits), ball(atom.mass / law.mass(), bits)};
    arb_exp(point.x, point.x, bits);
    result.push_back(point);
  }
  for (const Piece& piece : law.pieces()) {
    const Integer parts = Integer(Rational(piece.to - piece.from)) + 1;
    const Rational half = (piece.to - piece.from) / (2 * parts);
    const auto count = static_cast<unsigned>(500 / (2 * std::asinh(3.0 / half.get_d()))) + 3;
    std::vector<Ball> nodes(count), weights(count);
    for (unsigned i = 0; i < count; ++i)
      arb_hypgeom_legendre_p_ui_root(nodes[i], weights[i], count, i, bits);
    for (Integer part = 0; part < parts; ++part) {
      const Rational center = piece.from + (2 * part + 1) * half;
      for (unsigned i = 0; i < count; ++i) {
        WeightedPoint point{Ball(), weights[i]};
        Ball node;
        arb_mul(node, nodes[i], ball(half, bits), bits);
        arb_add(node, node, ball(center, bits), bits);
        Ball density;
        const auto& coefficients = piece.density.coefficients();
        for (std::size_t k = coefficients.size(); k-- > 0;) {
          arb_mul(density, density, node, bits);
          arb_add(density, density, ball(coefficients[k], bits), bits);
        }
        arb_mul(point.mass, point.mass, density, bits);
        arb_mul(point.mass, point.mass, ball(half / law.mass(), bits), bits);
        arb_exp(point.x, node, bits);
        result.push_back(point);
      }
    }
  }
  return result;
}

}  // namespace

std::vector<Rational> softmax_reference(const std::vector<Law>& logits) {
  std::vector<std::vector<WeightedPoint>> all;
  for (const Law& law : logits) all.push_back(points_of(law));
  std::vector<Ball> sums(logits.size());
  std::vector<const Ball*> chosen(logits.size());
  const std::function<void(std::size_t, const Ball&, const Ball&)> nest =
      [&](std::size_t k, const Ball& mass, const Ball& total) {
        if (k == logits.size()) {
          Ball factor;
          arb_div(factor, mass, total, bits);
          for (std::size_t i = 0; i < k; ++i) arb_addmul(sums[i], factor, *chosen[i], bits);
          return;
        }
        Ball next_mass, next_total;
        for (const WeightedPoint& point : all[k]) {
          arb_mul(next_mass, mass, point.mass, bits);
          arb_add(next_total, total, point.x, bits);
          chosen[k] = &point.x;
          nest(k + 1, next_mass, next_total);
        }
      };
  nest(0, ball(1, bits), Ball());
  std::vector<Rational> result;
  for (const Ball& sum : sums) {
    CHECK(arb_rel_accuracy_bits(sum) > 670);
    result.push_back(interval(sum).midpoint());
  }
  return result;
}

Rational sigmoid_of_difference(const Law& first, const Law& second) {
  const Law difference = convolution(first, second.image(-1, 0));
  struct Integrand {
    static int call(acb_ptr result, const acb_t d, void* density, slong, slong precision) {
      acb_t value;
      acb_init(value);
      acb_neg(value, d);
      acb_exp(value, value, precision);
      acb_add_ui(value, value, 1, precision);
      acb_inv(result, value, precision);
      acb_zero(value);
      const auto& coefficients = static_cast<const Univariate*>(density)->coefficients();
      for (std::size_t k = coefficients.size(); k-- > 0;) {
        acb_mul(value, value, d, precision);
        acb_add_arb(value, value, ball(coefficients[k], precision), precision);
      }
      acb_mul(result, result, value, precision);
      acb_clear(value);
      return 0;
    }
  };
  Ball sum;
  for (const PointMass& atom : difference.atoms()) {
    Ball value = ball(-atom.at, bits);
    arb_exp(value, value, bits);
    arb_add_ui(value, value, 1, bits);
    arb_div(value, ball(atom.mass, bits), value, bits);
    arb_add(sum, sum, value, bits);
  }
  mag_t tolerance;
  mag_init(tolerance);
  mag_set_ui_2exp_si(tolerance, 1, -6000);
  acb_t from, to, value;
  acb_init(from);
  acb_init(to);
  acb_init(value);
  for (const Piece& piece : difference.pieces()) {
    acb_set_arb(from, ball(piece.from, bits));
    acb_set_arb(to, ball(piece.to, bits));
    Univariate density = piece.density;
    acb_calc_integrate(value, Integrand::call, &density, from, to, bits, tolerance, nullptr, bits);
    arb_add(sum, sum, acb_realref(value), bits);
  }
  acb_clear(from);
  acb_clear(to);
  acb_clear(value);
  mag_clear(tolerance);
  CHECK(arb_rel_accuracy_bits(sum) > 670);
  return interval(sum).midpoint();
}

void check_sums(const std::vector<Interval>& found) {
  Rational lower, upper;
  for (const Interval& p : found) {
    CHECK(p.lower >= 0);
    CHECK(p.upper <= 1);
    lower += p.lower;
    upper += p.upper;
  }
  CHECK(lower <= 1);
  CHECK(upper >= 1);
}

void check_digits(const Interval& p, unsigned digits) {
  CHECK(p.lower > 0);
  CHECK((p.upper - p.lower) * power(Rational(10), digits) <= p.lower);
}

void check_against_reference(const std::vector<Law>& logits,
                             const std::vector<unsigned>& all_digits) {
  const std::vector<Rational> expected = softmax_reference(logits);
  for (const unsigned digits : all_digits) {
    CAPTURE(digits);
    const std::vector<Interval> found = softmax(logits, digits);
    REQUIRE(found.size() == logits.size());
    check_sums(found);
    for (std::size_t k = 0; k < found.size(); ++k) {
      CAPTURE(k);
      CHECK(found[k].contains(expected[k]));
      check_digits(found[k], digits);
    }
  }
  const std::vector<double> estimate = softmax_estimate(logits);
  for (std::size_t k = 0; k < logits.size(); ++k)
    if (const double size = expected[k].get_d(); size > 1e-300)
      CHECK(estimate[k] == doctest::Approx(size).epsilon(1e-11));
}

}  // namespace wmi::tests
