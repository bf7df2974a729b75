// With t = (u - mean) / deviation and r = 1 / deviation, the distribution function is
// F(t, r) = E[Phi(t - r X)] of a Gumbel number X. It is smooth in both: for each of a few r, the
// nodes of Chebyshev's interpolation, a table has its Taylor polynomials about the middles of short
// cells of t. A logit interpolates the polynomial of the cell it needs.
//
// The n-th derivative by r is E[X^n Phi^(n)], where E[X^n] is about n! and Phi^(n) about sqrt(n!):
// n nodes on [0, r] err by about 2 (r / 4)^n sqrt(n!).

#include "bnn/predictive/wide_logit.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace wmi::bnn {
namespace {

constexpr double cell_width = 0.25;
constexpr double lowest = -9, highest = 13;  // t; a Gumbel number has a heavier tail above
constexpr auto cells = static_cast<std::size_t>((highest - lowest) / cell_width);

}  // namespace

struct WideLogit::Table {
  /// For deviations from `least` on.
  Table(double least, std::size_t nodes) : entries(cells * nodes) {
    constexpr double pi = std::numbers::pi;
    for (std::size_t i = 0; i < nodes; ++i) {
      const double angle = pi * (2 * static_cast<double>(i) + 1) / (2 * static_cast<double>(nodes));
      inverse_deviations.push_back((1 + std::cos(angle)) / (2 * least));
      // Of the barycentric formula.
      weights.push_back((i % 2 == 0 ? 1 : -1) * std::sin(angle));
    }
    for (std::size_t cell = 0; cell < cells; ++cell)
      for (std::size_t i = 0; i < nodes; ++i)
        entries[cell * nodes + i] =
            taylor(lowest + cell_width * (static_cast<double>(cell) + 0.5), inverse_deviations[i]);
  }

  /// The polynomial about t. The trapezoidal rule for X errs by e^(-pi^2 / step).
  static std::array<double, terms> taylor(double t, double inverse_deviation) {
    constexpr double step = 0.25;
    std::array<double, terms> result{};
    for (double x = -4; x < 40; x += step) {
      const double mass = step * std::exp(-x - std::exp(-x)), y = t - inverse_deviation * x;
      result[0] += mass * std::erfc(-y / std::numbers::sqrt2) / 2;
      // Phi^(n+1) / (n+1)! = (-1)^n He_n phi / (n+1)!
      double before = 0, hermite = std::exp(-y * y / 2) / std::sqrt(2 * std::numbers::pi);
      for (std::size_t n = 1; n < terms; ++n) {
        const auto order = static_cast<double>(n);
        result[n] += mass * hermite;
        // Scaled: Phi^(n+1) / (n+1)! from the two before it.
        const double next = -(y * hermite * order + (order - 1) * before) / (order * (order + 1));
        before = hermite;
        hermite = next;
      }
    }
    return result;
  }

  std::vector<double> inverse_deviations, weights;
  std::vector<std::array<double, terms>> entries;  // those of a cell are adjacent
};

const WideLogit::Table& WideLogit::table_for(double deviation) {
  if (deviation < 10) {
    static const Table table(least_deviation, 18);
    return table;
  }
  if (deviation < 40) {
    static const Table table(10, 11);
    return table;
  }
  static const Table table(40, 7);
  return table;
}

WideLogit::WideLogit(double mean, double deviation)
    : mean_(mean), deviation_(deviation), cell_(cells) {
  if (!(deviation >= least_deviation)) throw std::invalid_argument("the law is too narrow");
  table_ = &table_for(deviation);
  double sum = 0;
  for (std::size_t i = 0; i < table_->weights.size(); ++i) {
    const double distance = 1 / deviation - table_->inverse_deviations[i];
    if (distance == 0) {
      interpolation_.assign(table_->weights.size(), 0);
      interpolation_[i] = 1;
      return;
    }
    sum += interpolation_.emplace_back(table_->weights[i] / distance);
  }
  for (double& weight : interpolation_) weight /= sum;
}

double WideLogit::low() const { return mean_ + lowest * deviation_; }
double WideLogit::high() const { return mean_ + highest * deviation_; }

void WideLogit::enter(std::size_t cell) {
  cell_ = cell;
  polynomial_ = {};
  const std::size_t nodes = interpolation_.size();
  for (std::size_t i = 0; i < nodes; ++i)
    for (std::size_t n = 0; n < terms; ++n)
      polynomial_[n] += interpolation_[i] * table_->entries[cell * nodes + i][n];
}

WideLogit::Averages WideLogit::at(double u) {
  const double place = ((u - mean_) / deviation_ - lowest) / cell_width;
  if (!(place >= 0)) return {};
  if (place >= static_cast<double>(cells)) return {1, 0};
  const auto cell = static_cast<std::size_t>(place);
  if (cell != cell_) enter(cell);
  const double t = cell_width * (place - static_cast<double>(cell) - 0.5);
  double value = 0, slope = 0;
  for (std::size_t n = terms; n-- > 0;) {
    slope = slope * t + value;
    value = value * t + polynomial_[n];
  }
  return {std::max(value, 0.0), std::max(slope, 0.0) / deviation_};
}

}  // namespace wmi::bnn
