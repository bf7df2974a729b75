// The sweep of softmax.cpp in doubles: a fast estimate, without bounds on rounding errors and on
// those of the transforms. The step is chosen as there, and the sweep ends by the same bounds; to
// the left the first three powers of t are summed in closed form. The sums are long doubles, so
// that a probability of e^-600 is accurate as well.

#include <algorithm>
#include <array>
#include <cmath>

#include "solver/laws/independent_sums/boxes.h"
#include "solver/laws/softmax/laplace_estimate.h"
#include "solver/laws/softmax/softmax.h"

namespace wmi {
namespace {

constexpr double step = 0.25;  // with an error of about 1e-15
constexpr double negligible = 1e-16;

/// A point near the largest values, which is subtracted from all logits.
Rational top_of(const Law& law) { return law.support().upper; }
Rational top_of(const IndependentSum& sum) {
  constexpr int far = 8;  // standard deviations
  const Boxes boxes = sum.about_mean();
  const Rational deviation(std::sqrt(boxes.variance().get_d()));
  Rational reach = far * deviation;
  if (boxes.sigma == 0) reach = std::min(reach, boxes.reach());
  return sum.mean() + reach;
}

class Estimate {
 public:
  explicit Estimate(std::span<const Logit> logits) {
    Rational top = std::visit([](const auto& law) { return top_of(law); }, logits[0]);
    for (const Logit& logit : logits)
      top = std::max(top, std::visit([](const auto& law) { return top_of(law); }, logit));
    for (const Logit& logit : logits) {
      logits_.push_back(
          std::visit([&](const auto& law) { return estimate_laplace(law, -top); }, logit));
      const auto [m0, m1, m2, m3] = logits_.back()->moments();
      least_ += logits_.back()->least();
      growth_ += logits_.back()->growth();
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
      logits_[k]->at(u, values_[k], slope);
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
    const auto [m0, m1, m2, m3] = logits_[k]->moments();
    const long double mean = mean_ - m1;  // of the other logits
    const long double variance = variance_ - (m2 - m1 * m1);
    return {powers[0] * m1, -powers[1] * (m2 + m1 * mean),
            powers[2] / 2 * (m3 + 2 * m2 * mean + m1 * (variance + mean * mean))};
  }
  /// The fourth term is smaller than the third by a factor of about t S/3; under heavy tails S
  /// grows with the power.
  bool left_tail_is_small(double u) const {
    const auto powers = powers_to_the_left(u);
    const long double next = exponential(u) * growth_;
    for (std::size_t k = 0; k < logits_.size(); ++k)
      if (left_tail(k, powers)[2] * next > negligible * sums_[k]) return false;
    return true;
  }

  std::vector<std::unique_ptr<LaplaceEstimate>> logits_;
  long double least_ = 0, mean_ = 0, variance_ = 0;  // of S
  long double growth_ = 0;                           // of its moments
  std::vector<long double> sums_, terms_;
  std::vector<double> values_;
  long double product_ = 1;
};

}  // namespace

std::vector<double> softmax_estimate(std::span<const Logit> logits) {
  check_logits(logits);
  return Estimate(logits).run();
}

std::vector<double> softmax_estimate(std::span<const Law> logits) {
  return softmax_estimate(std::vector<Logit>(logits.begin(), logits.end()));
}

}  // namespace wmi
