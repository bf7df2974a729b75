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

TEST_CASE("inputs are limited to the range of the rows and half of it beyond") {
  // Column 0 is -1, 0, 1, of deviation sqrt(2/3); column 1 is constant.
  Dataset data{Matrix(3, 2), {0, 0, 0}};
  data.inputs.entries = {-1, 5, 0, 5, 1, 5};
  Standardisation scale = fit_standardisation(data, false);
  limit_inputs(scale, data);
  Matrix asked(4, 2);
  asked.entries = {1.5, 5, 2, 5, 100, 6, -1e300, 4};
  const Matrix found = standardised(asked, scale),
               free = standardised(asked, without_limits(scale));
  CHECK(found.row(0)[0] == free.row(0)[0]);
  CHECK(found.row(1)[0] == doctest::Approx(2 / std::sqrt(2.0 / 3)));
  CHECK(found.at(2, 0) == scale.input_most[0]);
  CHECK(found.at(3, 0) == scale.input_least[0]);
  CHECK(found.at(2, 1) == 0);
  CHECK(found.at(3, 1) == 0);
  CHECK(free.at(2, 1) == 1);
  CHECK(standardised(data.inputs, scale).entries ==
        standardised(data.inputs, without_limits(scale)).entries);
  Standardisation robust = fit_standardisation(data, false, Scaling::robust);
  limit_inputs(robust, data);
  CHECK(robust.input_least.empty());
}

TEST_CASE("robust scaling is by median and quartiles, and stays within its clip") {
  // 0 ... 98 and an outlier; few values; and a constant.
  Dataset data{Matrix(100, 3), std::vector<double>(100)};
  for (std::size_t i = 0; i < 100; ++i) {
    data.inputs.at(i, 0) = i == 99 ? 1e9 : static_cast<double>(i);
    data.inputs.at(i, 1) = static_cast<double>(i % 2);
    data.inputs.at(i, 2) = 7;
  }
  const Standardisation scale = fit_standardisation(data, false, Scaling::robust);
  CHECK(scale.input_mean == std::vector<double>{49, 0.5, 7});
  // The quartiles are 24 and 74, 1.349 deviations of a normal law apart.
  CHECK(scale.input_scale[0] == doctest::Approx(50 / 1.34898));
  CHECK(scale.input_scale[1] == doctest::Approx(0.5));
  CHECK(scale.input_scale[2] == 1);
  const Matrix found = standardised(data.inputs, scale);
  CHECK(found.at(49, 0) == 0);
  CHECK(found.at(99, 0) == doctest::Approx(scale.input_clip));
  CHECK(found.at(99, 0) <= scale.input_clip);
  const double z = (80 - 49) / scale.input_scale[0];
  CHECK(found.at(80, 0) == doctest::Approx(z / std::sqrt(1 + z * z / 16)));
  CHECK(own_units(found.at(80, 0), 0, scale) == doctest::Approx(80));
  CHECK(own_units(found.at(1, 1), 1, scale) == doctest::Approx(1));
}
