#include "bnn/collapse/candidates.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace wmi::bnn {
namespace {

TEST_CASE("the largest are found, the first of equal ones, in ascending order") {
  const std::vector<double> sizes{1, 5, 3, 5, 5, 0};
  CHECK(largest(sizes, 0).empty());
  CHECK(largest(sizes, 2) == std::vector<std::size_t>{1, 3});
  CHECK(largest(sizes, 4) == std::vector<std::size_t>{1, 2, 3, 4});
  CHECK(largest(sizes, 9) == std::vector<std::size_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("few of many and many of many agree with sorting") {
  std::mt19937 random(1);
  std::vector<double> sizes(40);
  for (double& size : sizes) size = static_cast<double>(random() % 10);
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  for (const std::size_t most : {1u, 8u, 9u, 39u}) {
    std::vector<std::size_t> expected(order.begin(), order.begin() + most);
    std::ranges::sort(expected);
    CHECK(largest(sizes, most) == expected);
  }
}

TEST_CASE("of one unit, candidates that are always unknown are chosen first") {
  // Two units of two weights and a bias each; the biases are always unknown.
  std::vector<Candidate> candidates(6);
  for (std::size_t i = 0; i < 6; ++i) {
    candidates[i].unit = i / 3;
    candidates[i].always = i % 3 == 2;
  }
  const std::vector<double> sizes{4, 1, 0, 2, 3, 2};
  CHECK(largest_of_one_unit(candidates, sizes, 2) == std::vector<std::size_t>{4, 5});
  CHECK(largest_of_one_unit(candidates, sizes, 1) == std::vector<std::size_t>{5});
}

}  // namespace
}  // namespace wmi::bnn
