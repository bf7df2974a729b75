#include "bnn/training/convergence.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "solver/terms/error.h"

using namespace wmi;
using namespace wmi::bnn;

TEST_CASE("split R-hat is that of the textbook") {
  // Halves 1,3 | 1,3 and 1,3 | 1,3: means equal, within 2, so sqrt(1/2).
  const std::vector<std::vector<double>> same{{1, 3, 1, 3}, {1, 3, 1, 3}};
  CHECK(split_r_hat(same) == doctest::Approx(std::sqrt(0.5)));
  // Means 2, 2, 6, 6: between 16/3; sqrt(1/2 + 8/3).
  const std::vector<std::vector<double>> apart{{1, 3, 1, 3}, {5, 7, 5, 7}};
  CHECK(split_r_hat(apart) == doctest::Approx(std::sqrt(0.5 + 8.0 / 3)));
  // A drift shows although the chains agree.
  const std::vector<std::vector<double>> drift{{1, 3, 5, 7}, {1, 3, 5, 7}};
  CHECK(split_r_hat(drift) == doctest::Approx(std::sqrt(0.5 + 8.0 / 3)));
  CHECK(split_r_hat(std::vector<std::vector<double>>{{1, 1, 2, 2}}) ==
        std::numeric_limits<double>::infinity());
  CHECK_THROWS_AS(split_r_hat(std::vector<std::vector<double>>{{1, 2, 3}}), Error);
}
