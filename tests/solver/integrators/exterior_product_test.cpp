#include "solver/integrators/exterior_product.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace wmi::tests {
namespace {

using Vectors = std::vector<std::vector<double>>;

/// d_1 ^ (d_2 ^ ( ... ^ d_k))
std::vector<double> product_of(const Vectors& vectors) {
  const std::size_t n = vectors[0].size();
  std::vector<double> result = vectors.back();
  for (std::size_t k = 1; k < vectors.size(); ++k) {
    std::vector<double> next(exterior::binomial(n, k + 1));
    exterior::product(n, k)(vectors[vectors.size() - 1 - k].data(), result.data(), next.data());
    result = next;
  }
  return result;
}

/// Sums over all permutations.
double determinant(const Vectors& rows, const std::vector<std::size_t>& columns) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  double result = 0;
  do {
    double term = 1;
    for (std::size_t i = 0; i < order.size(); ++i) {
      term *= rows[i][columns[order[i]]];
      for (std::size_t j = 0; j < i; ++j)
        if (order[j] > order[i]) term = -term;
    }
    result += term;
  } while (std::next_permutation(order.begin(), order.end()));
  return result;
}

/// All sets of k of the first n numbers, those without n - 1 first, and so on.
std::vector<std::vector<std::size_t>> subsets(std::size_t n, std::size_t k) {
  if (k == 0) return {{}};
  if (k > n) return {};
  std::vector<std::vector<std::size_t>> result = subsets(n - 1, k);
  for (std::vector<std::size_t> set : subsets(n - 1, k - 1)) {
    set.push_back(n - 1);
    result.push_back(set);
  }
  return result;
}

TEST_CASE("components of a product of vectors are its minors") {
  std::mt19937 engine(1);
  for (std::size_t n = 1; n <= 6; ++n)
    for (std::size_t k = 1; k <= n; ++k) {
      CAPTURE(n);
      CAPTURE(k);
      Vectors vectors(k, std::vector<double>(n));
      for (std::vector<double>& vector : vectors)
        for (double& entry : vector) entry = static_cast<int>(engine() % 19) - 9;
      const std::vector<double> found = product_of(vectors);
      const auto sets = subsets(n, k);
      REQUIRE(found.size() == sets.size());
      for (std::size_t i = 0; i < sets.size(); ++i)
        CHECK(found[i] == determinant(vectors, sets[i]));
    }
}

TEST_CASE("the unit vectors of the most dimensions span volume 1") {
  const std::size_t n = exterior::most_dimensions;
  Vectors vectors(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) vectors[i][i] = 1;
  CHECK(product_of(vectors) == std::vector<double>{1});
}

}  // namespace
}  // namespace wmi::tests
