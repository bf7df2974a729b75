#include "encoders/joint_normal.h"

#include <utility>

#include "solver/terms/error.h"

namespace wmi::encoders {
namespace {

std::string place(std::size_t i, std::size_t j) {
  return "[" + std::to_string(i) + "," + std::to_string(j) + "]";
}

void check_symmetric(const std::vector<std::vector<Rational>>& matrix) {
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    if (matrix[i].size() != matrix.size())
      throw Error("the covariance has " + std::to_string(matrix.size()) + " rows, but row " +
                  std::to_string(i) + " has " + std::to_string(matrix[i].size()) + " numbers");
    for (std::size_t j = 0; j < i; ++j)
      if (matrix[i][j] != matrix[j][i])
        throw Error("the covariance is not symmetric: " + place(j, i) + " is " +
                    wmi::to_string(matrix[j][i]) + " and " + place(i, j) + " is " +
                    wmi::to_string(matrix[i][j]));
  }
}

}  // namespace

/// Elimination. Where a pivot is 0, so is its column, or the matrix is not positive semi-definite.
IndependentFactors independent_factors(const std::vector<std::vector<Rational>>& covariance) {
  check_symmetric(covariance);
  const std::size_t n = covariance.size();
  std::vector<std::vector<Rational>> rest = covariance;
  IndependentFactors result{{}, std::vector<std::vector<Rational>>(n)};
  for (std::size_t k = 0; k < n; ++k) {
    const Rational pivot = rest[k][k];
    bool possible = pivot >= 0;
    for (std::size_t i = k + 1; pivot == 0 && i < n; ++i) possible = possible && rest[i][k] == 0;
    if (!possible)
      throw Error("the covariance is not positive semi-definite, as its first " +
                  std::to_string(pivot < 0 ? k + 1 : n) + " rows show");
    if (pivot == 0) continue;
    result.variances.push_back(pivot);
    for (std::size_t i = 0; i < n; ++i)
      result.factors[i].push_back(i < k ? Rational(0) : Rational(rest[i][k] / pivot));
    for (std::size_t i = k + 1; i < n; ++i) {
      const Rational factor = rest[i][k] / pivot;
      for (std::size_t j = k + 1; j < n; ++j) rest[i][j] -= factor * rest[k][j];
    }
  }
  return result;
}

std::vector<Unknown> unknowns_of(const JointNormal& law) {
  const std::size_t n = law.names.size();
  if (law.mean.size() != n)
    throw Error(std::to_string(law.mean.size()) + " means for " + std::to_string(n) + " entries");
  if (law.covariance.size() != n)
    throw Error("a covariance with " + std::to_string(law.covariance.size()) + " rows for " +
                std::to_string(n) + " entries");
  const IndependentFactors independent = independent_factors(law.covariance);
  std::vector<Unknown> result;
  for (std::size_t k = 0; k < independent.variances.size(); ++k)
    result.push_back({law.names.front() + " and others, factor " + std::to_string(k + 1),
                      {Law(), "", NormalLaw{0, independent.variances[k]}},
                      {},
                      true});
  for (std::size_t i = 0; i < n; ++i) {
    Combination sum{{}, law.mean[i]};
    for (std::size_t k = 0; k < independent.variances.size(); ++k)
      if (independent.factors[i][k] != 0)
        sum.terms.emplace_back(result[k].name, independent.factors[i][k]);
    if (sum.terms.empty())
      result.push_back({law.names[i], {Law::point(law.mean[i])}});
    else
      result.push_back({law.names[i], {}, std::move(sum)});
  }
  return result;
}

}  // namespace wmi::encoders
