// The transforms of softmax_estimate.cpp for laws. Every logit becomes points: atoms, and 16
// Gauss-Legendre points for each unit of length. Points are stored relative to the middle of their
// panel, so that a probability of e^-600 is accurate as well. Where t e^z is small, the first
// powers of t are used for all panels together.

#include "solver/laws/softmax/laplace_estimate.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace wmi {
namespace {

constexpr std::size_t panel_points = 16;

struct Point {
  double x;
  double weight;
};

/// The Gauss-Legendre rule, by Newton's method on the polynomial.
std::array<Point, panel_points> gauss_legendre() {
  constexpr int n = panel_points;
  std::array<Point, panel_points> rule;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int round = 0; round < 10; ++round) {
      double before = 1, value = x;
      for (int k = 2; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
        before = value;
        value = next;
      }
      slope = n * (x * value - before) / (x * x - 1);
      x -= value / slope;
    }
    rule[static_cast<std::size_t>(i)] = {x, 2 / ((1 - x * x) * slope * slope)};
  }
  return rule;
}

Integer ceiling(const Rational& value) {
  Integer result;
  mpz_cdiv_q(result.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return result;
}

/// E[e^(nz)] for n = 0 to 3.
using Moments = std::array<long double, 4>;

/// An atom, or a part of a piece, with points relative to e^middle.
struct Panel {
  double middle;
  double to;
  std::vector<Point> points;
  Moments moments;  // with all panels before it
};

class Panels : public LaplaceEstimate {
 public:
  Panels(const Law& law, const Rational& shift)
      : least_(exponential(Rational(law.support().lower + shift).get_d())),
        growth_(exponential(Rational(law.support().upper + shift).get_d())) {
    const Rational mass = law.mass();
    for (const PointMass& atom : law.atoms()) {
      const double at = Rational(atom.at + shift).get_d();
      panels_.push_back({at, at, {{1, Rational(atom.mass / mass).get_d()}}, {}});
    }
    for (const Piece& piece : law.pieces()) add_piece(piece, shift, mass);
    std::sort(panels_.begin(), panels_.end(),
              [](const Panel& a, const Panel& b) { return a.middle < b.middle; });
    Moments sums{};
    for (Panel& panel : panels_) {
      for (const Point& point : panel.points) {
        const long double x = exponential(panel.middle) * point.x;
        long double power = point.weight;
        for (long double& sum : sums) {
          sum += power;
          power *= x;
        }
      }
      panel.moments = sums;
    }
  }

  void at(double log_t, double& value, long double& slope) override {
    // While t e^z is less than this, four powers suffice.
    const auto first = std::partition_point(panels_.begin(), panels_.end(),
                                            [&](const Panel& p) { return p.to + log_t < -9; });
    value = 0;
    slope = 0;
    if (first != panels_.begin()) {
      const auto [m0, m1, m2, m3] = (first - 1)->moments;
      const long double t = exponential(log_t);
      value = static_cast<double>(m0 - t * (m1 - t * (m2 / 2 - t * m3 / 6)));
      slope = t * (m1 - t * (m2 - t * m3 / 2));
    }
    for (auto panel = first; panel != panels_.end() && panel->middle + log_t < 7; ++panel) {
      const long double scale = exponential(panel->middle + log_t);
      const double t = static_cast<double>(scale);
      double sum = 0, mean = 0;
      for (const Point& point : panel->points) {
        const double term = point.weight * std::exp(-t * point.x);
        sum += term;
        mean += term * point.x;
      }
      value += sum;
      slope += scale * mean;
    }
  }

  const Moments& moments() const override { return panels_.back().moments; }
  long double growth() const override { return growth_; }
  long double least() const override { return least_; }

 private:
  void add_piece(const Piece& piece, const Rational& shift, const Rational& mass) {
    static const std::array<Point, panel_points> rule = gauss_legendre();
    const Rational length = piece.to - piece.from;
    const Integer parts = ceiling(length);
    const Rational half = length / (2 * parts);
    const double radius = half.get_d();
    for (Integer part = 0; part < parts; ++part) {
      const Rational center = piece.from + (2 * part + 1) * half;
      const double middle = Rational(center + shift).get_d();
      const Univariate local = piece.density.composed(half, center);
      std::vector<double> coefficients;
      for (const Rational& coefficient : local.coefficients())
        coefficients.push_back(Rational(coefficient * half / mass).get_d());
      Panel& panel = panels_.emplace_back(Panel{middle, middle + radius, {}, {}});
      for (const Point& node : rule) {
        double density = 0;
        for (std::size_t k = coefficients.size(); k-- > 0;)
          density = density * node.x + coefficients[k];
        panel.points.push_back({std::exp(radius * node.x), density * node.weight});
      }
    }
  }

  long double least_, growth_;
  std::vector<Panel> panels_;  // ascending
};

}  // namespace

long double exponential(double z) { return std::abs(z) < 700 ? std::exp(z) : std::exp(0.0L + z); }

std::unique_ptr<LaplaceEstimate> estimate_laplace(const Law& law, const Rational& shift) {
  return std::make_unique<Panels>(law, shift);
}

}  // namespace wmi
