#include "solver/integrators/simplex_moments.h"

#include <cassert>
#include <iterator>
#include <string>
#include <utility>

#include "solver/terms/caps.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

MomentTable::Exponents exponents(const Monomial& monomial, std::size_t dimension) {
  MomentTable::Exponents result(dimension);
  for (const Power& power : monomial) {
    assert(power.variable < dimension);
    result[power.variable] = power.exponent;
  }
  return result;
}

MomentTable::Exponents lowered(MomentTable::Exponents exponents, std::size_t j) {
  --exponents[j];
  return exponents;
}

/// The number of divisors, or some number beyond `caps::moments` if there are more than that.
std::size_t divisors(const Monomial& monomial) {
  std::size_t result = 1;
  for (const Power& power : monomial)
    if (result <= caps::moments) result *= power.exponent + std::size_t{1};
  return result;
}

Error too_many(unsigned degree, std::size_t dimension) {
  return Error("an integrand of degree " + std::to_string(degree) + " in " +
               std::to_string(dimension) + " variables needs more than " +
               std::to_string(caps::moments) + " moments; lower its degree");
}

}  // namespace

MomentTable::MomentTable(std::span<const Polynomial> integrands, std::size_t dimension)
    : dimension_(dimension) {
  std::vector<std::vector<Exponents>> levels(1, {Exponents(dimension)});
  for (const Polynomial& integrand : integrands)
    for (const Polynomial::Term& term : integrand.terms()) {
      const std::size_t level = wmi::degree(term.monomial);
      if (level >= levels.size()) levels.resize(level + 1);
      levels[level].push_back(exponents(term.monomial, dimension));
      if (divisors(term.monomial) > caps::moments) throw too_many(integrand.degree(), dimension);
    }
  degree_ = static_cast<unsigned>(levels.size() - 1);

  std::size_t count = 0;
  for (std::size_t d = levels.size(); d-- > 0;) {
    std::vector<Exponents>& level = levels[d];
    std::sort(level.begin(), level.end());
    level.erase(std::unique(level.begin(), level.end()), level.end());
    count += level.size();
    if (count > caps::moments) throw too_many(degree_, dimension);
    if (d == 0) break;
    for (const Exponents& monomial : level)
      for (std::size_t j = 0; j < dimension; ++j)
        if (monomial[j] > 0) levels[d - 1].push_back(lowered(monomial, j));
  }

  all_.reserve(count);
  for (std::vector<Exponents>& level : levels) {
    starts_.push_back(all_.size());
    std::move(level.begin(), level.end(), std::back_inserter(all_));
  }
  starts_.push_back(all_.size());
  for (std::size_t i = 0; i < all_.size(); ++i)
    for (std::size_t j = 0; j < dimension; ++j)
      if (all_[i][j] > 0)
        steps_.push_back({static_cast<std::uint32_t>(i),
                          static_cast<std::uint32_t>(index(lowered(all_[i], j))),
                          static_cast<std::uint32_t>(j)});

  rises_ = steps_;
  std::stable_sort(rises_.begin(), rises_.end(),
                   [](const Step& a, const Step& b) { return a.source < b.source; });

  for (const Polynomial& integrand : integrands) {
    counts_.push_back(integrand.terms().size());
    for (const Polynomial::Term& term : integrand.terms()) {
      monomials_.push_back(term.monomial);
      terms_.push_back(static_cast<std::uint32_t>(index(term.monomial)));
    }
  }
  factorials_.resize(all_.size(), 1);
  for (const Step& step : steps_)  // m! = m_j (m - e_j)!
    factorials_[step.target] = factorials_[step.source] * all_[step.target][step.coordinate];
}

bool MomentTable::fits(std::span<const Polynomial> integrands, std::size_t dimension) const {
  if (dimension != dimension_ || integrands.size() != counts_.size()) return false;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (integrands[i].terms().size() != counts_[i]) return false;
  auto monomial = monomials_.begin();
  for (const Polynomial& integrand : integrands)
    for (const Polynomial::Term& term : integrand.terms())
      if (term.monomial != *monomial++) return false;
  return true;
}

std::shared_ptr<const MomentTable> MomentTable::of(std::span<const Polynomial> integrands,
                                                   std::size_t dimension) {
  constexpr std::size_t kept = 8, largest = 20'000;
  thread_local std::vector<std::shared_ptr<const MomentTable>> recent;
  const auto found = std::find_if(recent.begin(), recent.end(), [&](const auto& table) {
    return table->fits(integrands, dimension);
  });
  if (found != recent.end()) {
    std::rotate(recent.begin(), found, found + 1);
    return recent.front();
  }
  auto table = std::make_shared<const MomentTable>(integrands, dimension);
  if (table->size() > largest) return table;
  if (recent.size() == kept) recent.pop_back();
  recent.insert(recent.begin(), table);
  return table;
}

std::size_t MomentTable::index(const Exponents& sought) const {
  std::size_t d = 0;
  for (const std::uint32_t exponent : sought) d += exponent;
  const auto begin = all_.begin() + static_cast<std::ptrdiff_t>(starts_[d]);
  const auto end = all_.begin() + static_cast<std::ptrdiff_t>(starts_[d + 1]);
  return static_cast<std::size_t>(std::lower_bound(begin, end, sought) - all_.begin());
}

std::size_t MomentTable::index(const Monomial& monomial) const {
  return index(exponents(monomial, dimension_));
}

}  // namespace wmi
