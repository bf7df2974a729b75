#include "bnn/numeric/products.h"

#include <doctest/doctest.h>

#include <vector>

#include "bnn/numeric/random.h"

using namespace wmi::bnn;

namespace {

std::vector<double> draw(std::size_t count, Random& random) {
  std::vector<double> result(count);
  for (double& each : result) each = random.normal();
  return result;
}

}  // namespace

TEST_CASE("products of matrices are those of plain loops, to the last bit") {
  Random random(3);
  for (std::size_t outputs = 1; outputs <= 5; ++outputs)
    for (std::size_t inputs = 1; inputs <= 9; ++inputs)
      for (const std::size_t columns : {4u, 8u, 12u, 28u}) {
        CAPTURE(outputs);
        CAPTURE(inputs);
        CAPTURE(columns);
        const std::vector<double> factors = draw(outputs * inputs, random);
        const std::vector<double> from = draw(inputs * columns, random);
        std::vector<double> found = draw(outputs * columns, random), expected = found;
        std::vector<double> turned = found;
        for (std::size_t j = 0; j < outputs; ++j)
          for (std::size_t c = 0; c < columns; ++c) {
            double& sum = expected[j * columns + c];
            const auto product = [&](std::size_t k) {
              return factors[j * inputs + k] * from[k * columns + c];
            };
            std::size_t k = 0;
            for (; k + 4 <= inputs; k += 4)
              sum += (product(k) + product(k + 1)) + (product(k + 2) + product(k + 3));
            for (; k < inputs; ++k) sum += product(k);
          }
        add_products(outputs, inputs, {factors.data(), inputs, 1}, from.data(), columns,
                     found.data());
        CHECK(found == expected);

        std::vector<double> transposed(factors.size());
        for (std::size_t j = 0; j < outputs; ++j)
          for (std::size_t k = 0; k < inputs; ++k)
            transposed[k * outputs + j] = factors[j * inputs + k];
        add_products(outputs, inputs, {transposed.data(), 1, outputs}, from.data(), columns,
                     turned.data());
        CHECK(turned == expected);
      }
}

TEST_CASE("products of floats are those of plain loops, to the last bit") {
  Random random(5);
  for (std::size_t outputs = 1; outputs <= 5; ++outputs)
    for (std::size_t inputs = 1; inputs <= 9; ++inputs)
      for (const std::size_t columns : {8u, 16u, 24u, 56u}) {
        CAPTURE(outputs);
        CAPTURE(inputs);
        CAPTURE(columns);
        const auto floats = [&](std::size_t count) {
          const std::vector<double> drawn = draw(count, random);
          return std::vector<float>(drawn.begin(), drawn.end());
        };
        const std::vector<float> factors = floats(outputs * inputs),
                                 from = floats(inputs * columns);
        std::vector<float> found = floats(outputs * columns), expected = found;
        for (std::size_t j = 0; j < outputs; ++j)
          for (std::size_t c = 0; c < columns; ++c) {
            float& sum = expected[j * columns + c];
            const auto product = [&](std::size_t k) {
              return factors[j * inputs + k] * from[k * columns + c];
            };
            std::size_t k = 0;
            for (; k + 4 <= inputs; k += 4)
              sum += (product(k) + product(k + 1)) + (product(k + 2) + product(k + 3));
            for (; k < inputs; ++k) sum += product(k);
          }
        add_products(outputs, inputs, FloatFactors{factors.data(), inputs, 1}, from.data(), columns,
                     found.data());
        CHECK(found == expected);
      }
}

TEST_CASE("a quadratic form is that of plain loops") {
  Random random(6);
  for (std::size_t n = 0; n <= 13; ++n) {
    CAPTURE(n);
    std::vector<double> matrix = draw(n * n, random), z = draw(n, random);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) matrix[j * n + i] = matrix[i * n + j];
    if (n > 2) z[1] = 0;
    double expected = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) expected += z[i] * matrix[i * n + j] * z[j];
    CHECK(quadratic_form(n, matrix.data(), z.data()) == doctest::Approx(expected).epsilon(1e-12));
  }
}

TEST_CASE("scalar products of rows are those of plain loops, to the last bit") {
  Random random(4);
  for (std::size_t outputs = 1; outputs <= 5; ++outputs)
    for (std::size_t inputs = 1; inputs <= 9; ++inputs)
      for (const std::size_t columns : {4u, 12u, 32u}) {
        CAPTURE(outputs);
        CAPTURE(inputs);
        CAPTURE(columns);
        const std::vector<double> left = draw(outputs * columns, random);
        const std::vector<double> right = draw(inputs * columns, random);
        std::vector<double> found = draw(outputs * inputs, random), expected = found;
        for (std::size_t j = 0; j < outputs; ++j)
          for (std::size_t k = 0; k < inputs; ++k) {
            double sums[lanes] = {};
            for (std::size_t c = 0; c < columns; ++c)
              sums[c % lanes] += left[j * columns + c] * right[k * columns + c];
            expected[j * inputs + k] += (sums[0] + sums[1]) + (sums[2] + sums[3]);
          }
        add_scalar_products(outputs, inputs, left.data(), right.data(), columns, found.data());
        CHECK(found == expected);
      }
}
