#include "encoders/joint_normal.h"

#include <doctest/doctest.h>

#include <random>

#include "solver/terms/error.h"

namespace wmi::encoders {
namespace {

using Matrix = std::vector<std::vector<Rational>>;

/// The covariance of factors * z.
Matrix covariance_of(const IndependentFactors& law) {
  const std::size_t n = law.factors.size();
  Matrix result(n, std::vector<Rational>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < law.variances.size(); ++k)
        result[i][j] += law.factors[i][k] * law.variances[k] * law.factors[j][k];
  return result;
}

std::string complaint(const Matrix& covariance) {
  try {
    independent_factors(covariance);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("independent factors have the covariance, singular or not") {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    std::mt19937 engine(seed);
    const std::size_t n = 1 + engine() % 5, rank = engine() % (n + 1);
    IndependentFactors made{std::vector<Rational>(rank), Matrix(n, std::vector<Rational>(rank))};
    for (Rational& variance : made.variances) variance = ratio(1 + engine() % 9, 1 + engine() % 5);
    for (std::vector<Rational>& row : made.factors)
      for (Rational& entry : row) entry = ratio(static_cast<long>(engine() % 7) - 3, 2);
    const Matrix covariance = covariance_of(made);
    const IndependentFactors found = independent_factors(covariance);
    CHECK(covariance_of(found) == covariance);
    CHECK(found.variances.size() <= rank);
    for (const Rational& variance : found.variances) CHECK(variance > 0);
  }
}

TEST_CASE("other matrices are no covariances") {
  CHECK(complaint({{1, 2}, {3, 1}}) ==
        "the covariance is not symmetric: [0,1] is 2 and [1,0] is 3");
  CHECK(complaint({{1, 2}, {2, 1}}) ==
        "the covariance is not positive semi-definite, as its first 2 rows show");
  CHECK(complaint({{0, 1}, {1, 5}}).starts_with("the covariance is not positive semi-definite"));
  CHECK(complaint({{1, 0}}) == "the covariance has 1 rows, but row 0 has 2 numbers");
  CHECK(complaint({{ratio(-1, 2)}}) ==
        "the covariance is not positive semi-definite, as its first 1 rows show");
}

TEST_CASE("entries are sums of hidden unknowns, or numbers") {
  const std::vector<Unknown> found =
      unknowns_of({{"a[0]", "a[1]", "a[2]"}, {5, 6, 7}, {{4, 2, 0}, {2, 1, 0}, {0, 0, 0}}});
  REQUIRE(found.size() == 4);  // one factor
  CHECK(found[0].hidden);
  CHECK(found[0].density.normal == NormalLaw{0, 4});
  CHECK(found[1].combination->constant == 5);
  CHECK(found[2].combination->terms[0].second == ratio(1, 2));
  CHECK(found[3].density.number() == Rational(7));
  CHECK_THROWS_WITH_AS(unknowns_of({{"a[0]"}, {1, 2}, {{1}}}), "2 means for 1 entries", Error);
  CHECK_THROWS_WITH_AS(unknowns_of({{"a[0]"}, {1}, {}}), "a covariance with 0 rows for 1 entries",
                       Error);
}

}  // namespace
}  // namespace wmi::encoders
