#include "bnn/predictive/normal_mixture.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bnn/numeric/box_spline.h"
#include "bnn/numeric/random.h"
#include "bnn/predictive/fast_law.h"

namespace wmi::bnn {
namespace {

std::vector<NormalMixture::Part> random_parts(Random& random, std::size_t count, double spread,
                                              double scales) {
  std::vector<NormalMixture::Part> result(count);
  double total = 0;
  for (NormalMixture::Part& part : result) {
    part = {spread * random.normal(), std::exp(scales * random.normal()), random.uniform() + 0.01};
    total += part.weight;
  }
  for (NormalMixture::Part& part : result) part.weight /= total;
  return result;
}

/// P(X <= x), or with side -1, P(-X <= x).
double tail(const std::vector<NormalMixture::Part>& parts, double side, double x) {
  double sum = 0;
  for (const NormalMixture::Part& part : parts)
    sum += part.weight * normal_cdf((x - side * part.mean) / part.deviation);
  return sum;
}

TEST_CASE("the distribution function is p at the quantile of p, in both tails") {
  Random random(11);
  for (const auto& [spread, scales] : {std::pair{0.0, 0.0}, {0.3, 0.1}, {1.0, 1.0}, {50.0, 3.0}})
    for (std::size_t count : {1u, 2u, 40u})
      for (int repeat = 0; repeat < 20; ++repeat) {
        CAPTURE(spread);
        CAPTURE(count);
        CAPTURE(repeat);
        const auto parts = random_parts(random, count, spread, scales);
        const NormalMixture law(parts);
        for (const double p : {1e-300, 1e-12, 1e-3, 0.025, 0.25, 0.5}) {
          CAPTURE(p);
          // Relative to the tail; the last digits of the quantile move it by so much.
          CHECK(tail(parts, 1, law.quantile(p)) == doctest::Approx(p).epsilon(1e-7));
          if (p < 1e-12) continue;  // 1 - p has no digits of p
          const double upper = 1 - p;
          CHECK(tail(parts, -1, -law.quantile(upper)) == doctest::Approx(1 - upper).epsilon(1e-7));
        }
      }
}

TEST_CASE("a single part has the quantiles of a normal law") {
  const NormalMixture law({{2, 3, 1}});
  CHECK(law.quantile(0.5) == doctest::Approx(2).epsilon(1e-15));
  CHECK(law.quantile(0.975) == doctest::Approx(2 + 3 * 1.9599639845400545).epsilon(1e-15));
}

TEST_CASE("the mean distance of two draws is that of all pairs") {
  Random random(12);
  for (const auto& [spread, scales] : {std::pair{0.3, 0.1}, {5.0, 1.0}}) {
    const auto parts = random_parts(random, 30, spread, scales);
    double expected = 0;
    for (const NormalMixture::Part& one : parts)
      for (const NormalMixture::Part& other : parts)
        expected +=
            one.weight * other.weight / 2 *
            normal_distance(one.mean - other.mean, std::hypot(one.deviation, other.deviation));
    CHECK(NormalMixture(parts).half_spread() == doctest::Approx(expected).epsilon(1e-14));
  }
}

}  // namespace
}  // namespace wmi::bnn
