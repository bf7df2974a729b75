#include "bnn/numeric/linear_algebra.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

Matrix matrix(std::size_t columns, std::vector<double> entries) {
  Matrix result;
  result.columns = columns;
  result.entries = std::move(entries);
  return result;
}

TEST_CASE("a Cholesky factor solves equations and inverts") {
  // [4 2; 2 10] = L L' with L = [2 0; 1 3].
  const Matrix lower = cholesky(matrix(2, {4, 2, 2, 10}));
  CHECK(lower.entries == std::vector<double>{2, 0, 1, 3});
  const std::vector<double> x = solve_cholesky(lower, std::vector<double>{8, 22});
  CHECK(x[0] == doctest::Approx(1));
  CHECK(x[1] == doctest::Approx(2));
  const Matrix inverse = inverse_cholesky(lower);  // [10 -2; -2 4] / 36
  CHECK(inverse.at(0, 0) == doctest::Approx(10.0 / 36));
  CHECK(inverse.at(0, 1) == doctest::Approx(-2.0 / 36));
  CHECK(inverse.at(1, 0) == inverse.at(0, 1));
  CHECK(inverse.at(1, 1) == doctest::Approx(4.0 / 36));
}

TEST_CASE("a matrix that is not positive definite has no Cholesky factor") {
  CHECK_THROWS_AS(cholesky(matrix(2, {1, 2, 2, 1})), Error);
}

TEST_CASE("eigenvalues are ascending, eigenvectors are rows") {
  const Eigen found = symmetric_eigen(matrix(2, {2, 1, 1, 2}));
  CHECK(found.values[0] == doctest::Approx(1));
  CHECK(found.values[1] == doctest::Approx(3));
  CHECK(found.vectors.at(1, 0) == doctest::Approx(found.vectors.at(1, 1)));
  CHECK(std::abs(found.vectors.at(0, 0)) == doctest::Approx(std::sqrt(0.5)));
}

TEST_CASE("a weighted Gram matrix sums the outer products of rows") {
  const Matrix gram = weighted_gram(matrix(2, {1, 2, 3, 4}), std::vector<double>{1, 0.5});
  CHECK(gram.entries == std::vector<double>{5.5, 8, 8, 12});
}

TEST_CASE("Gram matrices with many lists of weights are those with each") {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  for (const std::size_t n : {1, 5, 17})
    for (const std::size_t count : {1, 2, 7})
      for (const std::size_t members : {0, 1, 255, 600}) {
        Matrix rows(members, n), scales(count, members);
        for (double& entry : rows.entries) entry = normal(random);
        for (double& entry : scales.entries) entry = std::abs(normal(random));
        const std::vector<Matrix> found = weighted_grams(rows, count, scales);
        REQUIRE(found.size() == count);
        for (std::size_t k = 0; k < count; ++k) {
          const Matrix expected = weighted_gram(rows, scales.row(k));
          for (std::size_t i = 0; i < n * n; ++i)
            CHECK(std::abs(found[k].entries[i] - expected.entries[i]) < 1e-11);
        }
      }
}

TEST_CASE("eigenvectors are orthonormal and make up the matrix") {
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  const std::size_t n = 12;
  Matrix rows(20, n);
  for (double& entry : rows.entries) entry = normal(random);
  const Matrix matrix = weighted_gram(rows, std::vector<double>(20, 1.0));
  const Eigen eigen = symmetric_eigen(matrix);
  const Matrix inverse = inverse_cholesky(cholesky(matrix));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double again = 0, unit = 0, one = 0;
      for (std::size_t k = 0; k < n; ++k) {
        again += eigen.values[k] * eigen.vectors.at(k, i) * eigen.vectors.at(k, j);
        unit += eigen.vectors.at(i, k) * eigen.vectors.at(j, k);
        one += matrix.at(i, k) * inverse.at(k, j);
      }
      CHECK(again == doctest::Approx(matrix.at(i, j)));
      CHECK(unit == doctest::Approx(i == j ? 1 : 0).epsilon(1e-12));
      CHECK(std::abs(one - (i == j ? 1 : 0)) < 1e-9);
    }
}

}  // namespace
}  // namespace wmi::bnn
