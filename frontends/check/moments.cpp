#include "frontends/check/moments.h"


namespace wmi::check {
namespace {

constexpr std::size_t most_bits = 256;  // of a denominator that several simplices share

unsigned degree(const Exponents& monomial) {
  unsigned sum = 0;
  for (const std::uint32_t exponent : monomial) sum += exponent;
  return sum;
}

}  // namespace

Moments::Moments(std::size_t coordinates, std::size_t dimension,
                 const std::set<Exponents>& monomials)
    : coordinates_(coordinates), dimension_(dimension), point_(coordinates) {
  // All divisors of the monomials, by degree, so that each comes after those below it.
  std::set<std::pair<unsigned, Exponents>> order;
  std::vector<Exponents> open(monomials.begin(), monomials.end());
  open.emplace_back(coordinates);
  while (!open.empty()) {
    const Exponents monomial = std::move(open.back());
    open.pop_back();
    if (!order.emplace(degree(monomial), monomial).second) continue;
    for (std::size_t j = 0; j < coordinates; ++j) {
      if (monomial[j] == 0) continue;
      open.push_back(monomial);
      --open.back()[j];
    }
  }
  for (const auto& [total, monomial] : order) {
    const std::size_t place = places_.size();
    places_.emplace(monomial, place);
    degrees_.push_back(total);
    Integer& product = factorials_.emplace_back(1);
    Exponents below = monomial;
    for (std::size_t j = 0; j < coordinates; ++j) {
      for (std::uint32_t k = 2; k <= monomial[j]; ++k) product *= k;
      if (monomial[j] == 0) continue;
      --below[j];
      steps_.push_back({place, places_.at(below), j});
      ++below[j];
    }
  }
  sums_.resize(places_.size());
  done_.resize(places_.size());
  series_.resize(places_.size());
}

void Moments::add(std::span<const Vector* const> vertices, const Integer& determinant) {
  Integer own = 1;
  for (const Vector* vertex : vertices) own = lcm(own, (*vertex)[0]);
  if (!mpz_divisible_p(common_.get_mpz_t(), own.get_mpz_t())) {
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      done_[i] += pending(i);
      sums_[i] = 0;
    }
    common_ = lcm(common_, own);
    if (mpz_sizeinbase(common_.get_mpz_t(), 2) > most_bits) common_ = own;
  }
  Integer factor, volume = abs(determinant);
  for (Integer& entry : series_) entry = 0;
  series_[0] = 1;
  for (const Vector* vertex : vertices) {
    mpz_divexact(factor.get_mpz_t(), common_.get_mpz_t(), (*vertex)[0].get_mpz_t());
    volume *= factor;
    if (steps_.empty()) continue;
    for (std::size_t j = 0; j < coordinates_; ++j)
      mpz_mul(point_[j].get_mpz_t(), factor.get_mpz_t(), (*vertex)[j + 1].get_mpz_t());
    for (const Step& step : steps_)
      mpz_addmul(series_[step.target].get_mpz_t(), point_[step.coordinate].get_mpz_t(),
                 series_[step.source].get_mpz_t());
  }
  for (std::size_t i = 0; i < sums_.size(); ++i)
    mpz_addmul(sums_[i].get_mpz_t(), volume.get_mpz_t(), series_[i].get_mpz_t());
}

/// sums m! / (|m|+d)! / common^(d+1+|m|)
Rational Moments::pending(std::size_t place) const {
  if (sums_[place] == 0) return 0;
  Integer denominator, factorial;
  mpz_pow_ui(denominator.get_mpz_t(), common_.get_mpz_t(), dimension_ + 1 + degrees_[place]);
  mpz_fac_ui(factorial.get_mpz_t(), degrees_[place] + dimension_);
  return ratio(sums_[place] * factorials_[place], denominator * factorial);
}

Rational Moments::operator[](const Exponents& monomial) const {
  const std::size_t place = places_.at(monomial);
  return done_[place] + pending(place);
}

}  // namespace wmi::check
