#include "bnn/data/dataset.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace wmi::bnn;

namespace {

Dataset three_rows() {
  Dataset data{Matrix(3, 2), {1, 2, 6}};
  data.inputs.entries = {0.1, 5, 0.1, 7, 0.1, 9};
  return data;
}

}  // namespace

TEST_CASE("standardised columns have mean 0 and variance 1; a constant one becomes 0") {
  const Dataset data = three_rows();
  const Standardisation scale = fit_standardisation(data, true);
  CHECK(scale.input_scale[0] == 1);  // constant, though 0.1 is not exact
  CHECK(scale.target_mean == 3);
  const Dataset result = standardised(data, scale);
  for (std::size_t i = 0; i < 3; ++i) CHECK(result.inputs.at(i, 0) == 0);
  CHECK(result.inputs.at(0, 1) == doctest::Approx(-std::sqrt(1.5)));
  CHECK(result.targets[0] + result.targets[1] + result.targets[2] == doctest::Approx(0));
}

TEST_CASE("classes are not standardised") {
  const Standardisation scale = fit_standardisation(three_rows(), false);
  CHECK(scale.target_mean == 0);
  CHECK(scale.target_scale == 1);
}

TEST_CASE("rows are taken in the order asked for") {
  const std::vector<std::size_t> rows{2, 0};
  const Dataset taken = select(three_rows(), rows);
  CHECK(taken.targets == std::vector<double>{6, 1});
  CHECK(taken.inputs.entries == std::vector<double>{0.1, 9, 0.1, 5});
}

TEST_CASE("a shuffle is a permutation that its seed decides") {
  std::vector<std::size_t> first = shuffled(100, 7);
  CHECK(first == shuffled(100, 7));
  CHECK(first != shuffled(100, 8));
  std::sort(first.begin(), first.end());
  for (std::size_t i = 0; i < 100; ++i) CHECK(first[i] == i);
}
