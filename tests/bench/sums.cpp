// The cost of a sum of independent terms: c + sum of a_i U_i with uniform U_i and Gaussian noise,
// all numbers doubles converted exactly, as in a collapsed last layer. `make` is the time to build
// the sum from its terms, `density` that of one query at a new point; both warm, on one core, the
// shortest of many. Monte Carlo is 10^6 samples of the same
// terms, averaged through the kernel, with its actual error, both relative to the largest density.

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "solver/laws/independent_sums/independent_sum.h"
#include "tests/bench/table.h"

namespace {

using namespace wmi;
using bench::Table;

/// The shortest of many runs, since the machine is shared.
double least_seconds(int runs, const std::function<void(int)>& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run)
    least = std::min(least, bench::processor_seconds([&] { work(run); }));
  return least;
}

struct Example {
  std::vector<double> coefficients, from, to;
  double sigma = 0.5;

  explicit Example(int count) {
    std::mt19937 generator(static_cast<unsigned>(count));
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> width(0.05, 1);
    for (int i = 0; i < count; ++i) {
      coefficients.push_back(normal(generator));
      from.push_back(normal(generator));
      to.push_back(from.back() + width(generator));
    }
  }

  std::vector<SumTerm> terms() const {
    std::vector<SumTerm> result;
    for (std::size_t i = 0; i < from.size(); ++i)
      result.push_back({Rational(coefficients[i]), Rational(from[i]), Rational(to[i])});
    return result;
  }

  /// The mean of the kernel over samples of the sum.
  double monte_carlo(double y, int samples) const {
    std::mt19937_64 generator(1);
    std::uniform_real_distribution<double> uniform;
    double sum = 0;
    for (int sample = 0; sample < samples; ++sample) {
      double s = 0;
      for (std::size_t i = 0; i < from.size(); ++i)
        s += coefficients[i] * (from[i] + (to[i] - from[i]) * uniform(generator));
      const double z = (y - s) / sigma;
      sum += std::exp(-z * z / 2);
    }
    return sum / samples / (sigma * std::sqrt(2 * 3.14159265358979323846));
  }
};

void densities() {
  Table table("sums", {"terms", "digits", "make_us", "density_us", "certified_error",
                       "monte_carlo_us", "monte_carlo_error"});
  for (const int count : {3, 50, 512, 5000}) {
    const Example example(count);
    const std::vector<SumTerm> terms = example.terms();
    const Noise noise = Noise::gaussian(Rational(example.sigma));
    const IndependentSum sum(0, terms, noise);
    const double make =
        least_seconds(count > 1000 ? 11 : 101, [&](int) { IndependentSum(0, terms, noise); });
    const double spread = std::sqrt(sum.variance().get_d());
    const double largest = sum.density(sum.mean(), 12).midpoint().get_d();
    const Rational y = sum.mean() + Rational(0.7 * spread);
    // Minutes for thousands of terms; there it is left out.
    Table::Entry sampling = "-", error = "-";
    if (count < 1000) {
      double estimate = 0;
      sampling = 1e6 * bench::processor_seconds(
                           [&] { estimate = example.monte_carlo(y.get_d(), 1'000'000); });
      error = std::abs(estimate - sum.density(y, 12).midpoint().get_d()) / largest;
    }
    for (const unsigned digits : {12u, 30u, 100u}) {
      Interval found;
      const int runs = digits == 12 ? 101 : count > 100 ? 3 : 21;
      const double asking = least_seconds(
          runs, [&](int run) { found = sum.density(y + Rational(spread * 0.001 * run), digits); });
      table.add({double(count), double(digits), 1e6 * make, 1e6 * asking,
                 Rational(found.upper - found.lower).get_d() / largest, sampling, error});
    }
  }
}

void tails() {
  Table table("sums_tails",
              {"terms", "standard_deviations", "log_density", "log_density_us", "quantile_us"});
  for (const int count : {50, 512}) {
    const Example example(count);
    const IndependentSum sum(0, example.terms(), Noise::gaussian(Rational(example.sigma)));
    const double spread = std::sqrt(sum.variance().get_d());
    for (const int far : {1, 8, 40, 400}) {
      Interval found;
      const double asking = least_seconds(
          5, [&](int) { found = sum.log_density(sum.mean() + Rational(far * spread), 12); });
      const double quantile = least_seconds(
          3, [&](int) { sum.quantile(parse_number("1e-" + std::to_string(far)), 12); });
      table.add(
          {double(count), double(far), found.midpoint().get_d(), 1e6 * asking, 1e6 * quantile});
    }
  }
}

}  // namespace

int main() {
  densities();
  tails();
}
