#include "bnn/predictive/logit_nodes.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "bnn/numeric/gauss_legendre.h"
#include "bnn/predictive/fast_law.h"

namespace wmi::bnn {
namespace {

double gumbel(double z) { return std::exp(-std::exp(z)); }

template <class Function>
double average(const Nodes& nodes, const Function& function) {
  double sum = 0;
  for (std::size_t i = 0; i < nodes.points.size(); ++i)
    sum += nodes.masses[i] * function(nodes.points[i]);
  return sum;
}

/// The same over a sum of boxes, one integral inside the other.
double nested(double centre, std::span<const double> half_widths) {
  if (half_widths.empty()) return gumbel(centre);
  constexpr double panels = 12;
  const auto& rule = GaussLegendre<12>::rule();
  const double half = half_widths[0], width = half / panels;
  double sum = 0;
  for (double panel = 0; panel < panels; ++panel)
    for (std::size_t i = 0; i < rule.nodes.size(); ++i)
      sum +=
          rule.weights[i] / (2 * panels) *
          nested(centre - half + width * (2 * panel + 1 + rule.nodes[i]), half_widths.subspan(1));
  return sum;
}

OutputLaw<double> boxes(double centre, std::span<const double> half_widths) {
  OutputLaw<double> result{centre, {}, 0, {}, 0};
  for (const double half : half_widths) result.terms.push_back({half, -1, 1, 1});
  return result;
}

TEST_CASE("nodes of few boxes average a smooth function as nested integrals do") {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int run = 0; run < 40; ++run) {
    CAPTURE(run);
    std::vector<double> half_widths;
    for (unsigned i = 1 + random() % 3; i > 0; --i)
      half_widths.push_back(std::pow(10, 3.5 * uniform(random) - 2.5));
    const double centre = 6 * uniform(random) - 3;
    const Nodes nodes = smooth_nodes_of(boxes(centre, half_widths));
    for (const double mass : nodes.masses) CHECK(mass >= 0);
    CHECK(std::abs(average(nodes, gumbel) - nested(centre, half_widths)) < 1e-10);
  }
}

TEST_CASE("nodes have the mass, the mean and the variance of the law") {
  const int runs = std::getenv("WMI_LONG") != nullptr ? 300 : 100;
  std::mt19937 random(8);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int run = 0; run < runs; ++run) {
    CAPTURE(run);
    std::vector<double> half_widths;
    for (unsigned i = random() % 12; i > 0; --i)
      half_widths.push_back(std::pow(10, 3 * uniform(random) - 2));
    OutputLaw<double> logit = boxes(20 * uniform(random) - 10, half_widths);
    if (half_widths.empty() && run % 2 == 0) logit.deviation = 3 * uniform(random);
    const FastLaw law(logit, {});
    const Nodes nodes = smooth_nodes_of(logit);
    const double mean = average(nodes, [](double z) { return z; });
    CHECK(average(nodes, [](double) { return 1; }) == doctest::Approx(1).epsilon(1e-12));
    CHECK(mean == doctest::Approx(law.mean()).epsilon(1e-9));
    CHECK(average(nodes, [&](double z) { return (z - mean) * (z - mean); }) ==
          doctest::Approx(law.variance()).epsilon(1e-8));
  }
}

}  // namespace
}  // namespace wmi::bnn
