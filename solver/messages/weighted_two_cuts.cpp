// The integral of v_1(u_1) ... v_k(u_k) over {u in [0, 1]^k : a.u <= s, b.u <= t}, with all a_i > 0:
// two_cuts.cpp with the polynomials of weighted_cut.cpp for numbers. With L_i = a_i p + b_i q, the
// Laplace transform is a sum over the corners c of the unit box, with derivatives of v_i at c_i:
//
//     (-1)^|c| exp(-p a.c - q b.c) / (p q)  prod_i F_i(L_i),    F_i(L) = sum_n v_i^(n)(c_i) / L^(n+1)
//
// It is transformed back in p by residues: at p = 0, and where L_i = 0, a pole of the order of F_i.
// There, with p = z - b_i r and q = a_i r, L_j = a_j z + e_ij r for e_ij = a_i b_j - a_j b_i; all is a
// series in z, up to the degree d of v_i, whose coefficients are polynomials in y = 1/r:
//
//     y exp(z (s - a.c) + r (a_i t - b_i s - e_i.c)) / (z - b_i r)  F_i(a_i z) prod_(j != i) F_j(L_j)
//
// and exp(r X) y^m is transformed back into X^(m-1)/(m-1)! for X > 0. Corners are pairs of corners of
// two half boxes. One of them has sums over the corners of the other, as in two_cuts.cpp, of Taylor
// polynomials in X: one for each power of z.

#include "solver/messages/weighted_two_cuts.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "solver/messages/taylor.h"
#include "solver/messages/unit_cuts.h"
#include "solver/terms/caps.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

using Numbers = UnitCuts::Numbers;

Integer factorial(std::size_t n) {
  Integer result;
  mpz_fac_ui(result.get_mpz_t(), n);
  return result;
}

Integer power(const Integer& base, std::size_t exponent) {
  Integer result;
  mpz_pow_ui(result.get_mpz_t(), base.get_mpz_t(), exponent);
  return result;
}

/// The weight of a real on the unit interval: derivatives at both ends, over one divisor.
struct EndDerivatives {
  Numbers at[2];
  Integer divisor = 1;
  std::size_t degree() const { return at[0].size() - 1; }
};

/// With x = origin + scale u, the end 0 of u at the origin.
EndDerivatives end_derivatives(const Polynomial& weight, const Rational& origin,
                               const Rational& scale) {
  const std::size_t size = weight.degree() + std::size_t{1};
  std::vector<Rational> values[2];
  EndDerivatives result;
  for (const int end : {0, 1}) {
    const Rational x = end == 0 ? origin : Rational(origin + scale);
    values[end].resize(size);
    for (const Polynomial::Term& term : weight.terms()) {
      const unsigned degree = wmi::degree(term.monomial);
      Rational factor = term.coefficient;
      for (unsigned n = 0; n <= degree; ++n) {
        values[end][n] += factor * wmi::power(x, degree - n);
        factor *= Rational(degree - n) * scale;
      }
    }
    for (const Rational& value : values[end]) result.divisor = lcm(result.divisor, value.get_den());
  }
  for (const int end : {0, 1})
    for (const Rational& value : values[end])
      result.at[end].push_back(Rational(value * result.divisor).get_num());
  return result;
}

/// [m][n] is the coefficient of z^m y^n, without a power of y that all have in common.
using Series = std::vector<Numbers>;

/// F(a z + e r) e^(degree + 1 + orders), up to z^orders, as coefficients of z^m y^(m + n + 1).
Series series_of(const Numbers& derivatives, const Integer& a, const Integer& e,
                 std::size_t orders) {
  const std::size_t top = derivatives.size() - 1 + orders;
  Series result(orders + 1, Numbers(derivatives.size()));
  Integer binomial;
  for (std::size_t m = 0; m <= orders; ++m)
    for (std::size_t n = 0; n < derivatives.size(); ++n) {
      mpz_bin_uiui(binomial.get_mpz_t(), n + m, m);
      if (m % 2 == 1) binomial = -binomial;
      result[m][n] = derivatives[n] * binomial * power(a, m) * power(e, top - n - m);
    }
  return result;
}

/// The product of two with coefficients of z^m y^(m + n) each.
Series product(const Series& one, const Series& other) {
  Series result(one.size(), Numbers(one[0].size() + other[0].size() - 1));
  for (std::size_t m = 0; m < one.size(); ++m)
    for (std::size_t l = 0; l + m < one.size(); ++l)
      for (std::size_t n = 0; n < one[m].size(); ++n)
        for (std::size_t o = 0; o < other[l].size(); ++o)
          result[m + l][n + o] += one[m][n] * other[l][o];
  return result;
}

/// The product with exp(z x) orders!: now [m][n] is the coefficient of z^m y^n.
Series times_exponential(const Series& series, const Integer& x) {
  const std::size_t orders = series.size() - 1, length = series[0].size();
  Series result(series.size());
  for (std::size_t m = 0; m <= orders; ++m) {
    result[m].resize(length + m);
    for (std::size_t l = 0; l <= m; ++l) {
      const Integer factor = power(x, m - l) * (factorial(orders) / factorial(m - l));
      for (std::size_t n = 0; n < length; ++n) result[m][n + l] += series[l][n] * factor;
    }
  }
  return result;
}

/// The linear factors at a pole: coefficients of z and r, and derivatives of a real's weight, or of a
/// factor that is 1/L at each corner.
struct Linear {
  Integer a, e;
  const EndDerivatives* weight = nullptr;
};

/// A corner of a half box.
struct Corner {
  Integer first, second;  // a.c, e.c
  Series series;          // with its sign
};

std::vector<Corner> corners(const std::vector<Linear>& factors, std::size_t orders) {
  std::vector<Corner> result = {{0, 0, Series(orders + 1, Numbers(1))}};
  result[0].series[0][0] = 1;
  for (const Linear& factor : factors) {
    if (factor.weight == nullptr) {
      const Series pole = series_of({Integer(1)}, factor.a, factor.e, orders);
      for (Corner& corner : result) corner.series = product(corner.series, pole);
      continue;
    }
    const Series at_start = series_of(factor.weight->at[0], factor.a, factor.e, orders);
    Series at_end = series_of(factor.weight->at[1], factor.a, factor.e, orders);
    for (Numbers& numbers : at_end)
      for (Integer& number : numbers) number = -number;
    for (std::size_t i = 0, size = result.size(); i < size; ++i) {
      result.push_back({result[i].first + factor.a, result[i].second + factor.e,
                        product(result[i].series, at_end)});
      result[i].series = product(result[i].series, at_start);
    }
  }
  return result;
}

/// A pole, as all corners have it.
struct Pole {
  std::vector<Linear> points, queries;  // of the two half boxes
  const EndDerivatives* own = nullptr;  // F_i, of which a is the factor of z; none at p = 0
  Integer a;
  Integer s, t;  // bounds of a.c and e.c
  std::size_t orders() const { return own != nullptr ? own->degree() : 0; }
};

std::size_t degrees(const std::vector<Linear>& factors) {
  std::size_t result = 0;
  for (const Linear& factor : factors)
    if (factor.weight != nullptr) result += factor.weight->degree();
  return result;
}

std::size_t bits(const Integer& number) { return mpz_sizeinbase(number.get_mpz_t(), 2); }

Integer size_of(const std::vector<Corner>& corners) {
  Integer result;
  for (const Corner& corner : corners)
    for (const Numbers& numbers : corner.series)
      for (const Integer& number : numbers) result += abs(number);
  return result;
}

/// Words of memory that the corners of a half box take, about.
std::size_t words_of(const std::vector<Linear>& factors, std::size_t orders) {
  std::size_t corners = 1, length = 0;
  for (const Linear& factor : factors) {
    const std::size_t degree = factor.weight != nullptr ? factor.weight->degree() : 0;
    length += bits(factor.e) * (degree + 1 + orders);
    if (factor.weight != nullptr) {
      corners *= 2;
      length += bits(*std::ranges::max_element(factor.weight->at[1], std::ranges::less(),
                                               [](const Integer& n) { return Integer(abs(n)); }));
    }
  }
  constexpr std::size_t header = 4;
  return corners * (orders + 1) * (degrees(factors) + 1 + orders) * (length / 64 + header);
}

struct Asked {
  const Corner* corner;
  Integer room;    // for a.c of the other half
  Numbers factor;  // of F_i at 0 or 1, by powers of 1/z without the first
};

/// One residue, summed over all corners, times the divisors of its factors; nullopt if that takes
/// too many words of memory.
std::optional<Rational> residue(const Pole& pole, const std::stop_token& stop) {
  const std::size_t most_words = caps::plan / sizeof(limbs::Limb);
  constexpr std::size_t most_bits = 61;
  const std::size_t orders = pole.orders();
  const std::size_t k = pole.points.size() + pole.queries.size();  // poles of y, besides the first
  const std::size_t words = words_of(pole.points, orders) + words_of(pole.queries, orders);
  if (words > most_words) return std::nullopt;
  std::vector<Corner> points = corners(pole.points, orders),
                      queries = corners(pole.queries, orders);
  Integer farthest = abs(pole.t);
  for (const std::vector<Corner>* const half : {&points, &queries}) {
    Integer most;
    for (const Corner& corner : *half) most = std::max(most, Integer(abs(corner.second)));
    farthest += most;
  }
  if (bits(farthest) > most_bits) return std::nullopt;
  for (Corner& corner : points) corner.series = times_exponential(corner.series, -corner.first);
  for (Corner& corner : queries)
    corner.series = times_exponential(corner.series, pole.s - corner.first);

  const std::size_t count = k + degrees(pole.points) + degrees(pole.queries) + orders + 1;
  const Integer scale = factorial(count - 1);
  Taylor sum(count, bits(size_of(points) * scale) + count + 2, bits(farthest));
  if (words + sum.words() * points.size() > most_words) return std::nullopt;

  Numbers firsts, seconds, sorted;
  for (const Corner& corner : points) {
    firsts.push_back(corner.first);
    seconds.push_back(corner.second);
  }
  const std::vector<std::size_t> by_first = order_of(firsts), by_second = order_of(seconds);
  std::vector<std::size_t> ranks(points.size());
  for (std::size_t rank = 0; rank < points.size(); ++rank) {
    ranks[by_second[rank]] = rank;
    sorted.push_back(seconds[by_second[rank]]);
  }
  std::vector<Asked> asked;
  for (const Corner& corner : queries) {
    if (pole.own == nullptr) {
      asked.push_back({&corner, pole.s - corner.first, {Integer(1)}});
      continue;
    }
    Numbers factor = pole.own->at[0];
    for (std::size_t n = 0; n <= orders; ++n) factor[n] *= power(pole.a, orders - n);
    asked.push_back({&corner, pole.s - corner.first, factor});
    // At 1, exp(-a_i z) shifts the derivatives back to 0.
    for (Integer& number : factor) number = -number;
    asked.push_back({&corner, pole.s - corner.first - pole.a, std::move(factor)});
  }
  std::ranges::stable_sort(asked, {}, &Asked::room);

  Taylor added = sum;
  Integer result;
  for (std::size_t m = 0; m <= orders; ++m) {  // powers of z that the points have
    const std::size_t highest = degrees(pole.queries) + orders - m;
    std::vector<Taylor> tree(points.size() + 1, added);
    for (Taylor& node : tree) node.clear();
    std::size_t next = 0;
    for (const Asked& query : asked) {
      if (stop.stop_requested()) throw Stopped();
      for (; next < points.size() && firsts[by_first[next]] < query.room; ++next) {
        const std::size_t point = by_first[next];
        const Numbers& numbers = points[point].series[m];
        added.clear();
        for (std::size_t n = 0; n < numbers.size(); ++n)
          added.add(k + highest + n, numbers[n] * (scale / factorial(k + highest + n)));
        added.shift(Integer(-seconds[point]).get_si());
        for (std::size_t at = ranks[point] + 1; at <= points.size(); at += at & (~at + 1))
          tree[at].add(added);
      }
      const Integer room = pole.t - query.corner->second;
      const auto below = std::ranges::lower_bound(sorted, room) - sorted.begin();
      sum.clear();
      for (auto at = static_cast<std::size_t>(below); at > 0; at -= at & (~at + 1))
        sum.add(tree[at]);
      sum.shift(room.get_si(), highest + 1);
      Numbers factors(highest + 1);  // of y^n
      for (std::size_t n = m; n <= orders; ++n) {
        const Numbers& numbers = query.corner->series[n - m];
        for (std::size_t i = 0; i < numbers.size(); ++i) factors[i] += query.factor[n] * numbers[i];
      }
      for (std::size_t n = 0; n <= highest; ++n)
        if (factors[n] != 0) result += factors[n] * sum.at(highest - n) * factorial(highest - n);
    }
  }
  Integer divisor = scale * power(factorial(orders), 2);
  for (const std::vector<Linear>* const half : {&pole.points, &pole.queries})
    for (const Linear& factor : *half) {
      const std::size_t degree = factor.weight != nullptr ? factor.weight->degree() : 0;
      divisor *= power(factor.e, degree + 1 + orders);
    }
  if (pole.own != nullptr) divisor *= power(pole.a, orders + 1);
  return ratio(result, divisor);
}

/// Puts a factor into the half that has less.
void add_to_smaller(Pole& pole, Linear factor) {
  (pole.points.size() < pole.queries.size() ? pole.points : pole.queries)
      .push_back(std::move(factor));
}

std::optional<Rational> integral_below(const UnitCuts& cuts,
                                       const std::vector<EndDerivatives>& weights, const Integer& s,
                                       const Integer& t, const std::stop_token& stop) {
  const Numbers &a = cuts.a.coefficients, &b = cuts.b.coefficients;
  Pole at_zero;
  at_zero.s = s;
  at_zero.t = t;
  for (std::size_t j = 0; j < a.size(); ++j) add_to_smaller(at_zero, {a[j], b[j], &weights[j]});
  std::optional<Rational> result = residue(at_zero, stop);
  for (std::size_t i = 0; result && i < a.size(); ++i) {
    Pole pole;
    pole.own = &weights[i];
    pole.a = a[i];
    pole.s = s;
    pole.t = a[i] * t - b[i] * s;
    pole.queries.push_back({Integer(1), -b[i], nullptr});
    for (std::size_t j = 0; j < a.size(); ++j)
      if (j != i) add_to_smaller(pole, {a[j], cuts.minor(i, j), &weights[j]});
    const std::optional<Rational> found = residue(pole, stop);
    if (found)
      *result += *found;
    else
      result.reset();
  }
  return result;
}

}  // namespace

std::optional<Rational> integral_between_weighted_cuts(const CutBox& box,
                                                       const std::stop_token& stop) {
  constexpr std::size_t most_reals = 24;
  const std::optional<UnitCuts> cuts = UnitCuts::of(box);
  if (!cuts || cuts->reals.size() > most_reals) return std::nullopt;
  Rational factor = box.weight;
  std::vector<EndDerivatives> weights;
  for (std::size_t i = 0; i < cuts->reals.size(); ++i) {
    const auto& [low, high] = box.sides[cuts->reals[i]];
    const bool flipped = cuts->flipped[i];
    weights.push_back(end_derivatives(box.weights[cuts->reals[i]], flipped ? high : low,
                                      flipped ? low - high : high - low));
    factor *= (high - low) / Rational(weights.back().divisor);
  }
  for (Variable real = 0; real < box.sides.size(); ++real)
    if (!std::ranges::binary_search(cuts->reals, real)) factor *= box.integral_over_side(real);
  bool found = true;
  const Rational result = cuts->between([&](const Integer& s, const Integer& t) -> Rational {
    if (!found) return 0;
    const std::optional<Rational> below = integral_below(*cuts, weights, s, t, stop);
    found = below.has_value();
    return below.value_or(Rational(0));
  });
  return found ? std::optional(Rational(factor * result)) : std::nullopt;
}

}  // namespace wmi
