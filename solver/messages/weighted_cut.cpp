// The integral of v_1(y_1) ... v_k(y_k) over 0 <= y_i <= l_i with y_1 + ... + y_k <= t. The Laplace
// transform of one factor is, with u = 1/p,
//
//     A_i(u) - e^(-p l_i) B_i(u),   A_i = sum over j of v_i^(j)(0) u^(j+1),   B_i likewise at l_i
//
// so that of the integral is a sum over subsets of e^(-p s) u P(u), with s the sum of the subset's
// l_i; and e^(-p s) u^(m+1) is the transform of (t - s)^m/m! for t > s. Subsets are pairs of subsets
// of two halves, which share what their members with equal sums have in common. For one half,
//
//     H_a(t) = sum over s < t and b of q_(s,b) (t - s)^(a+b+k)/(a+b+k)!
//
// and the integral is the sum over the subsets r of the other half of p_(r,a) H_a(t - r). A sweep over
// t keeps the Taylor coefficients of the highest H, whose derivatives the others are: integers, which
// are shifted from each place to the next by Horner's rule with one-word factors.

#include "solver/messages/weighted_cut.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "solver/messages/taylor.h"

namespace wmi {
namespace {

using Numbers = std::vector<Integer>;

constexpr std::size_t most_sums = 1 << 13, most_orders = 400;

/// Polynomials in u, without a power of it that all have in common, by the sum of a subset.
using Sums = std::map<Integer, Numbers>;

/// One real in other coordinates: its transform is (A - e^(-p length) B) / divisor.
struct Term {
  Integer length, divisor;
  Numbers at_start, at_end;  // A/u and B/u
};

Integer factorial(std::size_t n) {
  Integer result;
  mpz_fac_ui(result.get_mpz_t(), n);
  return result;
}

/// The derivatives at a point of a polynomial in one variable.
std::vector<Rational> derivatives(const Polynomial& polynomial, const Rational& at) {
  std::vector<Rational> result(polynomial.degree() + std::size_t{1});
  for (const Polynomial::Term& term : polynomial.terms()) {
    const unsigned degree = wmi::degree(term.monomial);
    Rational factor = term.coefficient;
    for (unsigned j = 0; j <= degree; ++j) {
      result[j] += factor * power(at, degree - j);
      factor *= degree - j;
    }
  }
  return result;
}

/// With y = |factor| (x - lower), or |factor| (upper - x) if the factor is negative.
Term make_term(const Polynomial& weight, const Rational& factor,
               const std::pair<Rational, Rational>& side) {
  const bool rising = factor > 0;
  std::vector<Rational> at_start = derivatives(weight, rising ? side.first : side.second);
  std::vector<Rational> at_end = derivatives(weight, rising ? side.second : side.first);
  Rational scale = 1 / abs(factor);  // dx/dy, to the power of the order of the derivative plus one
  Integer divisor = 1;
  for (std::size_t j = 0; j < at_start.size(); ++j) {
    at_start[j] *= scale;
    at_end[j] *= scale;
    scale /= factor;
    divisor = lcm(lcm(divisor, at_start[j].get_den()), at_end[j].get_den());
  }
  Term result{Rational(abs(factor) * (side.second - side.first)).get_num(), divisor, {}, {}};
  for (std::size_t j = 0; j < at_start.size(); ++j) {
    result.at_start.push_back(Rational(at_start[j] * divisor).get_num());
    result.at_end.push_back(Rational(at_end[j] * divisor).get_num());
  }
  return result;
}

void add_product(Numbers& sum, const Numbers& a, const Numbers& b, bool negative) {
  if (sum.size() < a.size() + b.size() - 1) sum.resize(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      if (negative)
        sum[i + j] -= a[i] * b[j];
      else
        sum[i + j] += a[i] * b[j];
}

std::optional<Sums> sums_of(const std::vector<Term>& terms, std::size_t from, std::size_t to) {
  Sums result = {{Integer(0), {Integer(1)}}};
  for (std::size_t i = from; i < to; ++i) {
    Sums next;
    for (const auto& [sum, numbers] : result) {
      add_product(next[sum], numbers, terms[i].at_start, false);
      add_product(next[sum + terms[i].length], numbers, terms[i].at_end, true);
    }
    result = std::move(next);
    if (result.size() > most_sums) return std::nullopt;
  }
  return result;
}

std::size_t length_of(const Sums& sums) {
  std::size_t result = 0;
  for (const auto& [sum, numbers] : sums) result = std::max(result, numbers.size());
  return result;
}

/// The integral for y_1 + ... + y_k <= bound, times the divisors of the terms.
Rational integral_below(const Integer& bound, const Sums& first, const Sums& second,
                        std::size_t reals) {
  const std::size_t highest = length_of(first) - 1;
  const std::size_t count = highest + reals + length_of(second);
  const Integer scale = factorial(count - 1);
  std::vector<Integer> factors;  // scale / j!
  for (std::size_t j = 0; j < count; ++j) factors.push_back(scale / factorial(j));

  // What is added to a coefficient c_j moves c_i by at most its size times binom(j, i) bound^(j - i).
  Integer size;
  for (const auto& [sum, numbers] : second)
    for (const Integer& number : numbers) size += abs(number);
  size *= scale;
  const std::size_t bits = mpz_sizeinbase(size.get_mpz_t(), 2) + count + 2;
  Taylor taylor(count, bits, mpz_sizeinbase(bound.get_mpz_t(), 2));

  Integer place, result;
  const auto move_to = [&](const Integer& next) {
    if (next != place) taylor.shift(Integer(next - place).get_si());
    place = next;
  };
  auto jump = second.begin();
  const auto jump_until = [&](const Integer& end) {
    for (; jump != second.end() && jump->first < end; ++jump) {
      move_to(jump->first);
      for (std::size_t b = 0; b < jump->second.size(); ++b)
        taylor.add(highest + reals + b, jump->second[b] * factors[highest + reals + b]);
    }
  };
  for (auto asked = first.rbegin(); asked != first.rend(); ++asked) {
    const Integer at = bound - asked->first;
    if (at <= 0) continue;
    jump_until(at);
    move_to(at);
    for (std::size_t a = 0; a < asked->second.size(); ++a)
      result += asked->second[a] * taylor.at(highest - a) * factorial(highest - a);
  }
  return ratio(result, scale);
}

}  // namespace

std::optional<Rational> integral_under_cut(const CutBox& box) {
  if (box.cuts.size() != 1) return std::nullopt;
  const CutBox::Cut& cut = box.cuts[0];
  Rational constant, factor = box.weight;
  Integer unit = 1;  // all lengths and bounds are integers over it
  const auto include = [&](const Rational& number) { unit = lcm(unit, number.get_den()); };
  std::vector<bool> in_cut(box.sides.size());
  for (const auto& [real, coefficient] : cut.form.coefficients) {
    const auto& [lower, upper] = box.sides[real];
    in_cut[real] = true;
    constant += coefficient * (coefficient > 0 ? lower : upper);
    include(coefficient * (upper - lower));
  }
  for (const std::optional<Rational>* const end : {&cut.ends.lower, &cut.ends.upper})
    if (*end) include(**end - constant);

  std::vector<Term> terms;
  Rational total = 1;  // without the cut
  std::size_t orders = 2 * cut.form.coefficients.size();
  Integer length;
  for (Variable real = 0; real < box.sides.size(); ++real) {
    (in_cut[real] ? total : factor) *= box.integral_over_side(real);
    if (in_cut[real]) orders += box.weights[real].degree();
  }
  if (orders > most_orders) return std::nullopt;
  for (const auto& [real, coefficient] : cut.form.coefficients) {
    terms.push_back(make_term(box.weights[real], coefficient * unit, box.sides[real]));
    length += terms.back().length;
  }
  constexpr std::size_t most_bits = 62;
  if (mpz_sizeinbase(length.get_mpz_t(), 2) > most_bits) return std::nullopt;

  const std::optional<Sums> first = sums_of(terms, 0, terms.size() / 2),
                            second = sums_of(terms, terms.size() / 2, terms.size());
  if (!first || !second) return std::nullopt;
  Integer divisor = 1;
  for (const Term& term : terms) divisor *= term.divisor;
  const auto below = [&](const Rational& end) -> Rational {
    const Integer bound = Rational((end - constant) * unit).get_num();
    if (bound <= 0) return 0;
    if (bound >= length) return total;
    return integral_below(bound, *first, *second, terms.size()) / divisor;
  };
  Rational result = cut.ends.upper ? below(*cut.ends.upper) : total;
  if (cut.ends.lower && (!cut.ends.upper || *cut.ends.lower < *cut.ends.upper))
    result -= below(*cut.ends.lower);
  else if (cut.ends.lower)
    result = 0;
  return factor * result;
}

}  // namespace wmi
