// The sweep of softmax.cpp in doubles. Every logit becomes points: atoms, and 16 of Gauss and
// Legendre's for each unit of length. Points are held relative to the top of their logit, and so
// are the sums, so that a class with probability e^-600 has its digits as well. The step is chosen
// as there, and the sweep ends by the same bounds; to the left the first three powers of t are
// summed in closed form. Nothing bounds the rounding or the error of the points: a fast estimate.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "solver/softmax.h"

namespace wmi {
namespace {

constexpr double step = 0.25;  // errs by about 1e-15
constexpr double negligible = 1e-16;
constexpr std::size_t panel_points = 16;

struct Point {
  double x;
  double weight;
};

/// Gauss and Legendre's rule, by Newton's method on the polynomial.
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

/// e^z beyond the range of doubles, down to e^-11000.
long double exponential(double z) { return std::abs(z) < 700 ? std::exp(z) : std::exp(0.0L + z); }

/// E[e^(nz)] for n = 0 to 3.
using Moments = std::array<long double, 4>;

/// An atom, or a part of a piece: its points are relative to e^middle.
struct Panel {
  double middle;
  double to;
  std::vector<Point> points;
  Moments moments;  // with all panels before it
};

class Logit {
 public:
  /// Of the law divided by its mass, with `top` for the zero.
  Logit(const Law& law, const Rational& top) : least_(Rational(law.support().lower - top).get_d()) {
    const Rational mass = law.mass();
    for (const PointMass& atom : law.atoms()) {
      const double at = Rational(atom.at - top).get_d();
      panels_.push_back({at, at, {{1, Rational(atom.mass / mass).get_d()}}, {}});
    }
    for (const Piece& piece : law.pieces()) add_piece(piece, top, mass);
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

  /// E[exp(-t e^z)] and E[t e^z exp(-t e^z)].
  void at(double log_t, double& value, long double& slope) const {
    // While t e^z is less than this, four powers will do.
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

  double least() const { return least_; }
  const Moments& moments() const { return panels_.back().moments; }

 private:
  void add_piece(const Piece& piece, const Rational& top, const Rational& mass) {
    static const std::array<Point, panel_points> rule = gauss_legendre();
    const Rational length = piece.to - piece.from;
    const Integer parts = ceiling(length);
    const Rational half = length / (2 * parts);
    const double radius = half.get_d();
    for (Integer part = 0; part < parts; ++part) {
      const Rational center = piece.from + (2 * part + 1) * half;
      const double middle = Rational(center - top).get_d();
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

  double least_;
  std::vector<Panel> panels_;  // ascending
};

class Estimate {
 public:
  explicit Estimate(std::span<const Law> laws) {
    Rational top = laws[0].support().upper;
    for (const Law& law : laws) top = std::max(top, law.support().upper);
    for (const Law& law : laws) {
      const Logit& logit = logits_.emplace_back(law, top);
      const auto [m0, m1, m2, m3] = logit.moments();
      least_ += exponential(logit.least());
      mean_ += m1;
      variance_ += m2 - m1 * m1;
    }
    sums_.resize(logits_.size());
    terms_.resize(logits_.size());
    values_.resize(logits_.size());
  }

  std::vector<double> run() {
    const double start = static_cast<double>(-std::log(mean_));
    double u = start;
    for (visit(u); !right_tail_is_small(u); visit(u)) u += step;
    for (u = start; !left_tail_is_small(u); visit(u)) u -= step;
    const auto powers = powers_to_the_left(u);
    std::vector<double> result;
    for (std::size_t k = 0; k < logits_.size(); ++k) {
      const auto [first, second, third] = left_tail(k, powers);
      result.push_back(static_cast<double>(step * (sums_[k] + first + second + third)));
    }
    return result;
  }

 private:
  /// Adds the values at a node to the sums.
  void visit(double u) {
    long double before = 1, after = 1;
    for (std::size_t k = 0; k < logits_.size(); ++k) {
      long double slope;
      logits_[k].at(u, values_[k], slope);
      terms_[k] = slope * before;
      before *= values_[k];
    }
    product_ = before;
    for (std::size_t k = logits_.size(); k-- > 0;) {
      terms_[k] *= after;
      after *= values_[k];
      sums_[k] += terms_[k];
    }
  }

  bool right_tail_is_small(double u) const {
    const long double common = product_ / -std::expm1(-step);
    const long double falling = std::expm1((exponential(u) * least_ - 1) * step);
    for (std::size_t k = 0; k < logits_.size(); ++k) {
      const long double enough = negligible * sums_[k];
      if (common > enough && !(falling > 0 && terms_[k] <= enough * falling)) return false;
    }
    return true;
  }

  /// The sums of t, t^2 and t^3 over all nodes to the left.
  static std::array<long double, 3> powers_to_the_left(double u) {
    const long double t = exponential(u);
    return {t / std::expm1(step), t * t / std::expm1(2 * step), t * t * t / std::expm1(3 * step)};
  }
  /// t E[x] - t^2 E[x S] + t^3 E[x S^2]/2 summed over all nodes to the left, x = e^(z_k): the
  /// terms.
  std::array<long double, 3> left_tail(std::size_t k,
                                       const std::array<long double, 3>& powers) const {
    const auto [m0, m1, m2, m3] = logits_[k].moments();
    const long double mean = mean_ - m1;  // of the other logits
    const long double variance = variance_ - (m2 - m1 * m1);
    return {powers[0] * m1, -powers[1] * (m2 + m1 * mean),
            powers[2] / 2 * (m3 + 2 * m2 * mean + m1 * (variance + mean * mean))};
  }
  /// The fourth term is less than the third by about t S/3.
  bool left_tail_is_small(double u) const {
    const auto powers = powers_to_the_left(u);
    const long double next = exponential(u) * static_cast<double>(logits_.size());
    for (std::size_t k = 0; k < logits_.size(); ++k)
      if (left_tail(k, powers)[2] * next > negligible * sums_[k]) return false;
    return true;
  }

  std::vector<Logit> logits_;
  long double least_ = 0, mean_ = 0, variance_ = 0;  // of S
  std::vector<long double> sums_, terms_;
  std::vector<double> values_;
  long double product_ = 1;
};

}  // namespace

std::vector<double> softmax_estimate(std::span<const Law> logits) {
  check_logits(logits);
  return Estimate(logits).run();
}

}  // namespace wmi
