// Products of many polynomials in fixed-point numbers. In exact numbers, a product of degree 100
// has coefficients of some thousand bits, which cost more than anything else; but for an enclosure of
// an integral to twelve digits, errors only have to be small beside the sum of all coefficients,
// and that is not much more than the largest value of the product.

#include "solver/integrators/fixed_polynomial.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace wmi {
namespace {

using namespace fixed_point;

constexpr double slack = 1 + 1e-9;  // above the roundings of a bound

/// Shifts numbers so that they use all bits.
template <std::size_t width>
void normalise(FixedPolynomial<width>& polynomial) {
  for (std::size_t pass = 0; pass <= width; ++pass) {
    const double size = polynomial.size();
    if (size == 0) return;
    const long shift = -3 - std::ilogb(size);  // then the size is in [1/8, 1/4)
    if (shift == 0) return;
    for (Number<width>& number : polynomial.numbers) shift_left(number, shift);
    polynomial.exponent -= shift;
    polynomial.error = std::ldexp(polynomial.error, static_cast<int>(shift)) * slack;
    if (shift < 0) polynomial.error += static_cast<double>(polynomial.numbers.size());
  }
}

/// A number that is not 0, by its place.
template <std::size_t width>
struct Entry {
  std::size_t place, offset;
  Number<width> magnitude;
  bool negative;
};

template <std::size_t width>
std::size_t count(const FixedPolynomial<width>& polynomial) {
  return static_cast<std::size_t>(std::ranges::count_if(
      polynomial.numbers, [](const Number<width>& number) { return !zero(number); }));
}

template <std::size_t width>
FixedPolynomial<width> sum(FixedPolynomial<width> a, FixedPolynomial<width> b) {
  std::vector<unsigned> degrees = a.monomials.degrees();
  for (std::size_t i = 0; i < degrees.size(); ++i)
    degrees[i] = std::max(degrees[i], b.monomials.degrees()[i]);
  FixedPolynomial<width> result{
      MonomialRows(std::move(degrees), std::max(a.monomials.total(), b.monomials.total())), {}};
  result.numbers.resize(result.monomials.size());
  std::optional<int> highest;  // the size of each part, with its error, is below 2^highest
  for (const FixedPolynomial<width>* const part : {&a, &b})
    if (const double size = part->size() + std::ldexp(part->error, -64 * static_cast<int>(width));
        size > 0)
      highest = std::max(highest.value_or(std::numeric_limits<int>::min()),
                         std::ilogb(size) + 1 + static_cast<int>(part->exponent));
  if (!highest) return result;     // both are 0, without errors
  result.exponent = *highest + 4;  // their sizes, as shares of 2^(64 width), are below 1/16
  for (const FixedPolynomial<width>* const part : {&a, &b}) {
    const long shift = part->exponent - result.exponent;
    for (const MonomialRows::Row& row : part->monomials.rows()) {
      const std::size_t start = result.monomials.start(result.monomials.place(row.exponents));
      for (std::size_t k = 0; k < row.length; ++k) {
        Number<width> number = part->numbers[row.start + k];
        if (zero(number)) continue;
        shift_left(number, shift);
        add(result.numbers[start + k], number);
        if (shift < 0) result.error += 1;
      }
    }
    result.error += std::ldexp(part->error, static_cast<int>(std::max(shift, -2000L))) * slack;
  }
  normalise(result);
  return result;
}

/// Smallest first.
template <std::size_t width>
FixedPolynomial<width> product(std::vector<FixedPolynomial<width>> factors) {
  while (factors.size() > 1) {
    std::ranges::sort(factors, {},
                      [](const FixedPolynomial<width>& factor) { return factor.numbers.size(); });
    FixedPolynomial<width> both = factors[0] * factors[1];
    factors.erase(factors.begin());
    factors[0] = std::move(both);
  }
  return std::move(factors[0]);
}

}  // namespace

template <std::size_t width>
FixedPolynomial<width> fixed(const Polynomial& polynomial, std::size_t variables) {
  std::vector<unsigned> degrees(variables);
  Rational size;
  for (const Polynomial::Term& term : polynomial.terms()) {
    for (const Power& power : term.monomial)
      degrees[power.variable] = std::max(degrees[power.variable], power.exponent);
    size += abs(term.coefficient);
  }
  FixedPolynomial<width> result{MonomialRows(std::move(degrees), polynomial.degree()), {}};
  result.numbers.resize(result.monomials.size());
  if (polynomial.zero()) return result;
  const auto bits = [](const Integer& value) {
    return static_cast<long>(mpz_sizeinbase(value.get_mpz_t(), 2));
  };
  // size < 2^(bits of the numerator - bits of the denominator + 1)
  result.exponent =
      bits(size.get_num()) - bits(size.get_den()) + 1 - (64 * static_cast<long>(width) - 2);
  std::vector<unsigned> exponents(variables);
  for (const Polynomial::Term& term : polynomial.terms()) {
    std::ranges::fill(exponents, 0);
    for (const Power& power : term.monomial) exponents[power.variable] = power.exponent;
    const Rational magnitude = abs(term.coefficient);
    Number<width> number = rounded<width>(magnitude, -result.exponent);
    if (term.coefficient < 0) mpn_neg(number.data(), number.data(), width);
    result.numbers[result.monomials.index(exponents)] = number;
    result.error += 1;
  }
  normalise(result);
  return result;
}

template <std::size_t width>
FixedPolynomial<width> operator*(const FixedPolynomial<width>& a, const FixedPolynomial<width>& b) {
  const std::size_t in_a = count(a), in_b = count(b);
  if (in_a > in_b) return b * a;
  std::vector<unsigned> degrees = a.monomials.degrees();
  for (std::size_t i = 0; i < degrees.size(); ++i) degrees[i] += b.monomials.degrees()[i];
  FixedPolynomial<width> result{
      MonomialRows(std::move(degrees), a.monomials.total() + b.monomials.total()), {}};
  result.numbers.resize(result.monomials.size());
  result.exponent = a.exponent + b.exponent + 64 * static_cast<long>(width);
  result.error = (a.size() * b.error + a.error * b.size() +
                  std::ldexp(a.error, -64 * static_cast<int>(width)) * b.error +
                  product_error<width> * static_cast<double>(in_a) * static_cast<double>(in_b)) *
                 slack;

  struct Run {  // of a row of b, without zeros at its ends
    std::size_t place, offset, start, length;
  };
  std::vector<Run> runs;
  for (const MonomialRows::Row& row : b.monomials.rows()) {
    std::size_t first = 0, last = row.length;
    while (first < last && zero(b.numbers[row.start + first])) ++first;
    while (last > first && zero(b.numbers[row.start + last - 1])) --last;
    if (first < last)
      runs.push_back(
          {result.monomials.place(row.exponents), first, row.start + first, last - first});
  }
  for (const MonomialRows::Row& row : a.monomials.rows()) {
    const std::size_t place = result.monomials.place(row.exponents);
    for (std::size_t k = 0; k < row.length; ++k) {
      const Number<width>& number = a.numbers[row.start + k];
      if (zero(number)) continue;
      const bool minus = negative(number);
      const Number<width> factor = magnitude(number);
      for (const Run& run : runs) {
        Number<width>* const target =
            &result.numbers[result.monomials.start(place + run.place) + k + run.offset];
        const Number<width>* const source = &b.numbers[run.start];
        for (std::size_t i = 0; i < run.length; ++i)
          if (minus)
            add_high_product<true>(target[i], source[i], factor);
          else
            add_high_product<false>(target[i], source[i], factor);
      }
    }
  }
  normalise(result);
  return result;
}

template <std::size_t width>
FixedPolynomial<width> fixed(const NestedPolynomial& polynomial, std::span<const long> scales) {
  const std::size_t n = polynomial.coordinates;
  std::vector<FixedPolynomial<width>> values;
  for (const Polynomial& step : polynomial.steps) {
    std::map<Monomial, std::vector<Polynomial::Term>> by_names;  // the coordinates' parts of terms
    for (const Polynomial::Term& term : step.terms()) {
      Monomial coordinates, names;
      Polynomial::Term part{{}, term.coefficient};
      long shift = 0;
      for (const Power& power : term.monomial) {
        if (power.variable >= n) {
          names.push_back(power);
          continue;
        }
        part.monomial.push_back(power);
        shift += scales[power.variable] * static_cast<long>(power.exponent);
      }
      if (shift >= 0)
        part.coefficient *= Rational(Integer(1) << static_cast<mp_bitcnt_t>(shift));
      else
        part.coefficient /= Rational(Integer(1) << static_cast<mp_bitcnt_t>(-shift));
      by_names[std::move(names)].push_back(std::move(part));
    }
    std::optional<FixedPolynomial<width>> value;
    for (auto& [names, terms] : by_names) {
      std::vector<FixedPolynomial<width>> factors = {fixed<width>(Polynomial(std::move(terms)), n)};
      for (const Power& power : names)
        factors.insert(factors.end(), power.exponent, values[power.variable - n]);
      FixedPolynomial<width> part = product(std::move(factors));
      value = value ? sum(*std::move(value), std::move(part)) : std::move(part);
    }
    values.push_back(value ? *std::move(value) : fixed<width>(Polynomial(), n));
  }
  return values.empty() ? fixed<width>(Polynomial(), n) : std::move(values.back());
}

#define WMI_FIXED_POLYNOMIAL(width)                                         \
  template FixedPolynomial<width> fixed(const Polynomial&, std::size_t);    \
  template FixedPolynomial<width> operator*(const FixedPolynomial<width>&,  \
                                            const FixedPolynomial<width>&); \
  template FixedPolynomial<width> fixed(const NestedPolynomial&, std::span<const long>);

WMI_FIXED_POLYNOMIAL(4)
WMI_FIXED_POLYNOMIAL(8)
WMI_FIXED_POLYNOMIAL(16)

}  // namespace wmi
