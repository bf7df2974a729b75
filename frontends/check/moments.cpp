#include "frontends/check/moments.h"

#include <algorithm>

namespace wmi::check {

Moments::Moments(std::size_t coordinates,
                 const std::vector<std::vector<std::uint32_t>>& monomials)
    : coordinates_(coordinates) {
  // All divisors of the monomials: what the recurrence goes through. By degree, so that a monomial
  // comes after those below it.
  std::vector<std::vector<std::uint32_t>> order;
  places_.emplace(std::vector<std::uint32_t>(coordinates), 0);
  order.emplace_back(coordinates);
  std::vector<std::vector<std::uint32_t>> open = monomials;
  while (!open.empty()) {
    const std::vector<std::uint32_t> monomial = std::move(open.back());
    open.pop_back();
    if (!places_.emplace(monomial, 0).second) continue;
    order.push_back(monomial);
    for (std::size_t j = 0; j < coordinates; ++j) {
      if (monomial[j] == 0) continue;
      open.push_back(monomial);
      --open.back()[j];
    }
  }
  const auto degree = [](const std::vector<std::uint32_t>& monomial) {
    unsigned sum = 0;
    for (const std::uint32_t exponent : monomial) sum += exponent;
    return sum;
  };
  std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    return std::make_pair(degree(a), a) < std::make_pair(degree(b), b);
  });
  for (std::size_t i = 0; i < order.size(); ++i) places_[order[i]] = i;
  for (std::size_t i = 0; i < order.size(); ++i) {
    degrees_.push_back(degree(order[i]));
    degree_ = std::max(degree_, degrees_.back());
    Integer& product = factorials_.emplace_back(1);
    std::vector<std::uint32_t> below = order[i];
    for (std::size_t j = 0; j < coordinates; ++j) {
      for (std::uint32_t k = 2; k <= below[j]; ++k) product *= k;
      if (below[j] == 0) continue;
      --below[j];
      steps_.push_back({i, places_.at(below), j});
      ++below[j];
    }
  }
  wanted_.resize(order.size());
  for (const auto& monomial : monomials) wanted_[places_.at(monomial)] = true;
  sums_.resize(order.size());
}

void Moments::add(std::span<const std::vector<Integer>* const> vertices,
                  const Rational& factorial_volume) {
  Integer common = 1;
  for (const std::vector<Integer>* vertex : vertices) common = lcm(common, (*vertex)[0]);
  std::vector<Integer> series(sums_.size()), point(coordinates_);
  series[0] = 1;
  if (series.size() > 1)
    for (const std::vector<Integer>* vertex : vertices) {
      const Integer factor = common / (*vertex)[0];
      for (std::size_t j = 0; j < coordinates_; ++j) point[j] = factor * (*vertex)[j + 1];
      for (const Step& step : steps_)
        if (point[step.coordinate] != 0)
          mpz_addmul(series[step.target].get_mpz_t(), point[step.coordinate].get_mpz_t(),
                     series[step.source].get_mpz_t());
    }
  // m!/(|m|+d)! / common^|m|
  const auto dimension = static_cast<unsigned>(vertices.size()) - 1;
  Integer denominator = factorial_volume.get_den();
  for (unsigned k = 2; k <= dimension; ++k) denominator *= k;
  Rational part;
  for (std::size_t i = 0, reached = 0; i < series.size(); ++i) {
    for (; reached < degrees_[i]; ++reached) {
      denominator *= common;
      denominator *= static_cast<unsigned>(reached) + 1 + dimension;
    }
    if (!wanted_[i]) continue;
    part.get_num() = series[i] * factorials_[i] * factorial_volume.get_num();
    part.get_den() = denominator;
    part.canonicalize();
    sums_[i] += part;
  }
}

const Rational& Moments::operator[](const std::vector<std::uint32_t>& monomial) const {
  return sums_[places_.at(monomial)];
}

Integer determinant(std::vector<std::vector<Integer>> rows) {
  // Bareiss: every division leaves no remainder.
  const std::size_t size = rows.size();
  Integer previous = 1;
  bool negative = false;
  for (std::size_t k = 0; k + 1 < size; ++k) {
    std::size_t pivot = k;
    while (pivot < size && rows[pivot][k] == 0) ++pivot;
    if (pivot == size) return 0;
    if (pivot != k) {
      std::swap(rows[pivot], rows[k]);
      negative = !negative;
    }
    for (std::size_t i = k + 1; i < size; ++i)
      for (std::size_t j = k + 1; j < size; ++j) {
        Integer& entry = rows[i][j];
        entry *= rows[k][k];
        mpz_submul(entry.get_mpz_t(), rows[i][k].get_mpz_t(), rows[k][j].get_mpz_t());
        mpz_divexact(entry.get_mpz_t(), entry.get_mpz_t(), previous.get_mpz_t());
      }
    previous = rows[k][k];
  }
  const Integer result = size == 0 ? Integer(1) : rows[size - 1][size - 1];
  return negative ? Integer(-result) : result;
}

}  // namespace wmi::check
