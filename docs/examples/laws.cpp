// Computing with the law of a prediction in C++: moments, quantiles, likelihoods, distances, classes.
// Prints the output that docs/laws.md shows.

#include <iostream>

#include "solver/laws/divergence.h"
#include "solver/laws/independent_sums/independent_sum.h"
#include "solver/laws/kernel_gap.h"
#include "solver/laws/law.h"
#include "solver/laws/likelihood.h"
#include "solver/laws/softmax/softmax.h"
#include "solver/terms/decimal.h"

using namespace wmi;

namespace {

void print(const char* what, const Interval& value) {
  std::cout << what << ": ";
  if (value.exact())
    std::cout << to_string(value.lower) << '\n';
  else
    std::cout << '[' << decimal(value.lower, 14, Rounding::down) << ", "
              << decimal(value.upper, 14, Rounding::up) << "]\n";
}

}  // namespace

int main() {
  // ReLU(w), w uniform on [-3, 3]: half of the mass at 0, the rest uniform on [0, 3].
  const Law relu({{0, ratio(1, 2)}}, {{0, 3, Univariate::constant(ratio(1, 6))}});
  print("mean", relu.mean());
  print("variance", relu.variance());
  print("P(z <= 1)", relu.cdf(1));
  print("90 % quantile", relu.quantile(ratio(9, 10), 12));
  print("CRPS of the outcome 1", relu.crps(1));

  // The outcome y scatters around z.
  print("p(1), triangular", make_triangular({.scale = ratio(23, 10)})->density(relu, 1, 12));
  print("p(1), Gaussian", make_gaussian({.scale = 1})->density(relu, 1, 12));
  print("log p(43), Gaussian", *make_gaussian({.scale = 1})->log_density(relu, 43, 9));
  print("the triangle is too large at 1 by", density_gap(relu, 1, 1, ratio(23, 10), 12));
  print("and never off by more than", kernel_gap(1, ratio(23, 10), 12).density);

  // Two laws compared.
  const Law outcome = convolution(relu, Law::triangular(0, ratio(23, 10)));
  const Law other = convolution(Law::uniform(0, ratio(3, 2)), Law::triangular(0, 3));
  print("L1 distance", l1_distance(outcome, other, 12));
  print("entropy", entropy(outcome, 12));
  print("divergence", *kl_divergence(Law::triangular(1, 1), other, 12));

  // A class from its logit, and from the logits of all classes.
  print("P(class 1)", mean_sigmoid(relu, 12));
  for (const Interval& probability :
       softmax(std::vector{relu, Law::uniform(-1, 1), Law::point(1)}, 12))
    print("softmax", probability);

  // Fifty weights of a last layer at once, with Gaussian noise.
  std::vector<SumTerm> terms;
  for (int i = 1; i <= 50; ++i) terms.push_back({ratio(i, 50), -1, 1});
  const IndependentSum sum(0, terms, Noise::gaussian(ratio(1, 2)));
  print("50 weights, p(1)", sum.density(1, 12));
  print("50 weights, log p(25)", sum.log_density(25, 12));
}
