#include "bnn/numeric/products.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "bnn/numeric/product_kernels.h"
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
      for (const std::size_t columns : {16u, 32u, 48u, 112u}) {
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

TEST_CASE("a step of Adam is that of the paper") {
  Random random(4);
  for (const std::size_t n : {1u, 7u, 33u}) {
    CAPTURE(n);
    const std::vector<double> gradient = draw(n, random), entries = draw(n, random);
    std::vector<double> found = entries, means = draw(n, random), squares(n, 0.5);
    const std::vector<double> means_before = means;
    adam_step({0.01, 0.1, 0.5, 0.9, 0.99, 1.25, 1.5, 1e-8}, n, gradient.data(), found.data(),
              means.data(), squares.data());
    for (std::size_t i = 0; i < n; ++i) {
      const double slope = gradient[i] / 2;
      const double mean = 0.9 * means_before[i] + 0.1 * slope;
      const double square = 0.99 * 0.5 + 0.01 * slope * slope;
      CHECK(means[i] == doctest::Approx(mean).epsilon(1e-12));
      CHECK(squares[i] == doctest::Approx(square).epsilon(1e-12));
      const double expected =
          entries[i] - 0.01 * (1.25 * mean / (std::sqrt(1.5 * square) + 1e-8) + 0.1 * entries[i]);
      CHECK(found[i] == doctest::Approx(expected).epsilon(1e-12));
    }
  }
}

TEST_CASE("exponentials are those of the library but for the last bits") {
  Random random(9);
  std::vector<double> found{0,      -0.0,   1,         -1,     708,     -708,
                            -708.5, -1e300, -INFINITY, 1e-300, 0.34657, NAN};
  for (int i = 0; i < 20000; ++i)
    found.push_back(random.normal() * (i % 3 == 0 ? 1e-6 : i % 3 == 1 ? 1 : 150));
  const std::vector<double> numbers = found;
  exponentials(found.size(), found.data());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    CAPTURE(numbers[i]);
    if (std::isnan(numbers[i]))
      CHECK(std::isnan(found[i]));
    else if (numbers[i] < -708)
      CHECK(found[i] == 0);
    else
      CHECK(std::abs(found[i] - std::exp(numbers[i])) <= 0x1p-51 * std::exp(numbers[i]));
  }
  CHECK(found[0] == 1);
}

#ifdef __x86_64__
TEST_CASE("loops for wider vectors give the same bits") {
  std::vector<ProductLoops> kinds;
  if (__builtin_cpu_supports("avx2") != 0) kinds.push_back(avx2_loops());
  if (__builtin_cpu_supports("avx512f") != 0) kinds.push_back(avx512_loops());
  Random random(7);
  for (std::size_t trial = 0; trial < 300; ++trial) {
    const std::size_t outputs = 1 + random.bits() % 19, inputs = 1 + random.bits() % 23;
    const std::size_t columns = float_lanes * (1 + random.bits() % 5), n = 1 + random.bits() % 70;
    CAPTURE(outputs);
    CAPTURE(inputs);
    CAPTURE(columns);
    CAPTURE(n);
    const std::vector<double> factors = draw(outputs * inputs, random);
    const std::vector<double> from = draw(inputs * columns, random);
    const std::vector<double> to = draw(outputs * columns, random);
    const std::vector<float> float_factors(factors.begin(), factors.end());
    const std::vector<float> float_from(from.begin(), from.end());
    const std::vector<double> gradient = draw(n, random), matrix = draw(n * n, random);
    struct Found {
      std::vector<double> doubles;
      std::vector<float> floats;
      std::vector<double> entries, means, squares, powers;
      double form;
      bool operator==(const Found&) const = default;
    };
    const auto run = [&](const ProductLoops& loops) {
      Found found{to, {to.begin(), to.end()}, gradient, matrix, gradient, matrix, 0};
      for (double& power : found.powers) power *= 300;
      for (double& square : found.squares) square *= square;
      loops.add_doubles(outputs, inputs, {factors.data(), inputs, 1}, from.data(), columns,
                        found.doubles.data());
      loops.add_floats(outputs, inputs, {float_factors.data(), inputs, 1}, float_from.data(),
                       columns, found.floats.data());
      loops.adam_step({0.01, 0.1, 0.7, 0.9, 0.99, 1.25, 1.5, 1e-8}, n, gradient.data(),
                      found.entries.data(), found.means.data(), found.squares.data());
      loops.exponentials(found.powers.size(), found.powers.data());
      found.form = loops.quadratic_form(n, matrix.data(), gradient.data());
      return found;
    };
    const Found expected = run(own_loops);
    for (const ProductLoops& loops : kinds) CHECK(run(loops) == expected);
  }
}
#endif
