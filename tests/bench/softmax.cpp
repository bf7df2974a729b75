// Class probabilities of independent logits: certified to 12, 30 and 100 digits, estimated in
// doubles, and by Monte Carlo, with the largest relative error of the last two.

#include "solver/laws/softmax/softmax.h"

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "tests/bench/table.h"

namespace {

using namespace wmi;

std::vector<Law> uniform_logits(int count, const Rational& length) {
  std::vector<Law> logits;
  for (int k = 0; k < count; ++k) {
    const Rational from = ratio(k * 7919 % 1000, 250) - 2;
    logits.push_back(Law::uniform(from, from + length));
  }
  return logits;
}

std::vector<Law> triangular_logits(int count) {
  std::vector<Law> logits;
  for (int k = 0; k < count; ++k)
    logits.push_back(Law::triangular(ratio(k * 7919 % 1000, 250) - 2, 1));
  return logits;
}

/// The logit of a last layer with 50 uncertain weights.
std::vector<Logit> sums(int count, const Noise& noise) {
  std::vector<Logit> logits;
  for (int k = 0; k < count; ++k) {
    std::vector<SumTerm> terms;
    for (int i = 0; i < 50; ++i) terms.push_back({ratio(1 + (7 * i + k) % 13, 40), -1, 1});
    logits.push_back(IndependentSum(ratio(k, 3), terms, noise));
  }
  return logits;
}

/// Uniform logits by sampling.
std::vector<double> monte_carlo(const std::vector<Law>& logits, int draws) {
  std::mt19937_64 engine(1);
  std::vector<double> from, length;
  for (const Law& law : logits) {
    const Interval support = law.support();
    from.push_back(support.lower.get_d());
    length.push_back(Rational(support.upper - support.lower).get_d());
  }
  std::vector<double> sums(logits.size()), values(logits.size());
  for (int draw = 0; draw < draws; ++draw) {
    double total = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double unit = static_cast<double>(engine() >> 11) * 0x1p-53;
      total += values[k] = std::exp(from[k] + length[k] * unit);
    }
    for (std::size_t k = 0; k < values.size(); ++k) sums[k] += values[k] / total;
  }
  for (double& sum : sums) sum /= draws;
  return sums;
}

double error(const std::vector<double>& found, const std::vector<Interval>& truth) {
  double worst = 0;
  for (std::size_t k = 0; k < truth.size(); ++k)
    worst = std::max(worst, std::abs(found[k] / truth[k].midpoint().get_d() - 1));
  return worst;
}

}  // namespace

int main() {
  bench::Table certified("softmax_certified", {"logits", "classes", "digits", "ms"});
  bench::Table estimated("softmax_estimated", {"logits", "classes", "how", "ms", "relative error"});
  const auto run = [&](const std::string& name, const std::vector<Law>& logits, bool all,
                       bool sample) {
    const auto classes = static_cast<double>(logits.size());
    const int runs = logits.size() > 100 ? 2 : 10;
    std::vector<Interval> truth;
    for (const unsigned digits : {12u, 30u, 100u}) {
      if (digits > 12 && !all) continue;
      const double time = bench::seconds([&] { truth = softmax(logits, digits); }, runs);
      certified.add({name, classes, static_cast<double>(digits), 1e3 * time});
    }
    std::vector<double> found;
    double time = bench::seconds([&] { found = softmax_estimate(logits); }, runs);
    estimated.add({name, classes, "doubles", 1e3 * time, error(found, truth)});
    if (!sample) return;
    time = bench::seconds([&] { found = monte_carlo(logits, 1'000'000); });
    estimated.add({name, classes, "10^6 draws", 1e3 * time, error(found, truth)});
  };
  run("uniform, length 1", uniform_logits(2, 1), true, false);
  run("uniform, length 1", uniform_logits(10, 1), true, true);
  run("uniform, length 4", uniform_logits(10, 4), true, true);
  run("uniform, length 1000", uniform_logits(10, 1000), false, false);
  run("triangular, length 2", triangular_logits(10), true, false);
  run("uniform, length 1", uniform_logits(100, 1), false, false);
  run("uniform, length 1", uniform_logits(1000, 1), false, false);
  for (const auto& [name, noise] : {std::pair{"sums of 50", Noise::none()},
                                    std::pair{"sums of 50, Gaussian", Noise::gaussian(1)}})
    for (const unsigned digits : {12u, 30u}) {
      const std::vector<Logit> logits = sums(10, noise);
      const double time = bench::seconds([&] { softmax(logits, digits); }, 3);
      certified.add({name, 10., static_cast<double>(digits), 1e3 * time});
    }
}
