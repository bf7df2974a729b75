// Real roots of a rational polynomial, in rationals throughout.
//
// Isolation: the number of roots of a polynomial in an interval is at most the number of sign
// changes of its coefficients in the Bernstein basis there, and equal to it modulo 2. Intervals are
// halved (de Casteljau) until there is no sign change or one, which ends for polynomials without
// multiple roots. Sign changes of the polynomial are the roots of its factors of odd multiplicity,
// so the product of those, each once, is isolated.
//
// Refinement: quadratic interval refinement (Abbott, "Quadratic interval refinement for real
// roots", 2006). The interval is divided into N cells, and the secant predicts the cell of the
// root. If that is right, the interval becomes N times narrower and N is squared; otherwise N
// becomes its square root. At a multiple root the prediction always fails, so this is done with the
// product of the factors of odd multiplicity, too.
//
// Rational roots: the denominator of such a root divides the leading coefficient L of the
// polynomial in integers, and two fractions with denominators up to L differ by at least 1/L^2. In
// an interval narrower than that, the simplest fraction is the only candidate.

#include "solver/numeric/roots.h"

#include <flint/fmpq_poly.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>

#include <algorithm>
#include <cassert>

namespace wmi {
namespace {

/// With more bits of L, a rational root may be returned as an interval.
constexpr std::size_t most_leading_bits = 4'000;

Univariate from_flint(const fmpz_poly_t polynomial) {
  std::vector<Rational> coefficients(static_cast<std::size_t>(fmpz_poly_length(polynomial)));
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    Integer value;
    fmpz_get_mpz(value.get_mpz_t(), fmpz_poly_get_coeff_ptr(polynomial, static_cast<slong>(i)));
    coefficients[i] = value;
  }
  return Univariate(std::move(coefficients));
}

/// A positive multiple with coprime integer coefficients.
Univariate primitive(const Univariate& polynomial) {
  Integer denominator = 1, divisor = 0;
  for (const Rational& coefficient : polynomial.coefficients())
    denominator = lcm(denominator, coefficient.get_den());
  for (const Rational& coefficient : polynomial.coefficients())
    divisor = gcd(divisor, Integer(coefficient.get_num() * (denominator / coefficient.get_den())));
  if (divisor == 0) return polynomial;
  return ratio(denominator, divisor) * polynomial;
}

/// The product of the factors of odd multiplicity, each once.
Univariate odd_part(const Univariate& polynomial) {
  Univariate whole = primitive(polynomial);
  if (whole.degree() < 2) return whole;
  fmpz_poly_t integers, product;
  fmpz_poly_factor_t factors;
  fmpz_poly_init(integers);
  fmpz_poly_init(product);
  fmpz_poly_factor_init(factors);
  for (std::size_t i = 0; i <= whole.degree(); ++i) {
    fmpz_t coefficient;
    fmpz_init(coefficient);
    fmpz_set_mpz(coefficient, whole.coefficients()[i].get_num_mpz_t());
    fmpz_poly_set_coeff_fmpz(integers, static_cast<slong>(i), coefficient);
    fmpz_clear(coefficient);
  }
  fmpz_poly_factor_squarefree(factors, integers);
  fmpz_poly_set_si(product, 1);
  for (slong i = 0; i < factors->num; ++i)
    if (factors->exp[i] % 2 == 1) fmpz_poly_mul(product, product, factors->p + i);
  Univariate result = from_flint(product);
  fmpz_poly_factor_clear(factors);
  fmpz_poly_clear(product);
  fmpz_poly_clear(integers);
  return result;
}

/// Coefficients in the Bernstein basis on [from, to].
std::vector<Rational> bernstein(const Univariate& polynomial, const Rational& from,
                                const Rational& to) {
  // In x = from + (to - from) t the coefficient of t^k is a_k = C(d,k) times a k-th difference.
  std::vector<Rational> b = polynomial.composed(to - from, from).coefficients();
  b.resize(polynomial.degree() + 1);
  const std::size_t degree = polynomial.degree();
  Integer binomial = 1;
  for (std::size_t k = 0; k <= degree; ++k) {
    b[k] /= binomial;
    binomial = binomial * (degree - k) / (k + 1);
  }
  for (std::size_t level = 0; level < degree; ++level)
    for (std::size_t k = degree; k > level; --k) b[k] += b[k - 1];
  return b;
}

std::size_t variations(const std::vector<Rational>& values) {
  std::size_t result = 0;
  int last = 0;
  for (const Rational& value : values) {
    const int sign = sgn(value);
    if (sign == 0) continue;
    if (last != 0 && sign != last) ++result;
    last = sign;
  }
  return result;
}

struct Bracket {
  Rational from, to;  // one root strictly between, or both are the root
};

/// Roots strictly between `from` and `to` of a polynomial without multiple roots.
void isolate(std::vector<Rational> b, const Rational& from, const Rational& to,
             std::vector<Bracket>& found) {
  const std::size_t count = variations(b);
  if (count == 0) return;
  if (count == 1) {
    found.push_back({from, to});
    return;
  }
  std::vector<Rational> left(b.size());
  for (std::size_t k = 0; k < left.size(); ++k) {  // b becomes the right half's, from the end
    left[k] = b[0];
    for (std::size_t i = 0; i + k + 1 < b.size(); ++i) b[i] = (b[i] + b[i + 1]) / 2;
  }
  const Rational middle = (from + to) / 2;
  const bool at_middle = b[0] == 0;
  isolate(std::move(left), from, middle, found);
  if (at_middle) found.push_back({middle, middle});
  isolate(std::move(b), middle, to, found);
}

/// The sign of a polynomial just above a point that is not a multiple root.
int sign_above(const Univariate& polynomial, const Rational& at) {
  const int sign = sgn(polynomial.at(at));
  return sign != 0 ? sign : sgn(polynomial.derivative().at(at));
}

bool narrow(const Rational& from, const Rational& to, const Rational& tolerance) {
  if (sgn(from) != sgn(to)) return false;
  return to - from <= tolerance * std::min(Rational(abs(from)), Rational(abs(to)));
}

/// The largest multiple of 2^-bits that is not above the value.
Rational rounded_down(const Rational& value, std::size_t bits) {
  Integer scaled = value.get_num() << bits;
  mpz_fdiv_q(scaled.get_mpz_t(), scaled.get_mpz_t(), value.get_den_mpz_t());
  Rational result(scaled);
  mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), bits);
  return result;
}

/// The only root between `from` and `to` of a polynomial in integers without multiple roots.
Interval simple_root(const Univariate& f, const Rational& from, const Rational& to,
                     unsigned digits) {
  if (f.degree() == 1) return Rational(-f.coefficients()[0] / f.coefficients()[1]);
  Rational lower = from, upper = to;
  Rational at_lower = f.at(lower), at_upper = f.at(upper);
  const int left = sign_above(f, lower);
  assert(sgn(at_upper) != left);
  // The root is strictly inside; ends that are roots are moved inwards.
  while (at_lower == 0 || at_upper == 0) {
    const Rational middle = (lower + upper) / 2;
    const Rational value = f.at(middle);
    if (value == 0) return middle;
    (sgn(value) == left ? lower : upper) = middle;
    (sgn(value) == left ? at_lower : at_upper) = value;
  }

  if (lower < 0 && upper > 0) {  // decide 0 first: relative accuracy is impossible around it
    const Rational value = f.at(0);
    if (value == 0) return Rational(0);
    (sgn(value) == left ? lower : upper) = 0;
    (sgn(value) == left ? at_lower : at_upper) = value;
  }

  const Integer& leading = f.coefficients().back().get_num();
  const std::size_t bits = mpz_sizeinbase(leading.get_mpz_t(), 2);
  Rational separation = bits <= most_leading_bits ? ratio(1, leading * leading) : Rational(-1);
  const Rational tolerance = ratio(1, Integer(power(Rational(10), digits).get_num()));
  bool undecided = separation > 0;
  unsigned log_cells = 1;
  for (;;) {
    if (undecided) {
      const Rational candidate = simplest_between(lower, upper);
      if (candidate > lower && candidate < upper) {
        const Rational value = f.at(candidate);
        if (value == 0) return candidate;
        (sgn(value) == left ? lower : upper) = candidate;
        (sgn(value) == left ? at_lower : at_upper) = value;
      }
      undecided = upper - lower >= separation;
    }
    if (!undecided && narrow(lower, upper, tolerance)) return {lower, upper};

    // Check the ends of the cell that the secant predicts, among 2^log_cells.
    Rational cell = upper - lower;
    mpq_div_2exp(cell.get_mpq_t(), cell.get_mpq_t(), log_cells);
    const Rational guess = at_lower / (at_lower - at_upper);  // in (0, 1)
    const Rational start = lower + (upper - lower) * rounded_down(guess, log_cells);
    bool hit = true;
    for (const Rational& point : {start, Rational(start + cell)}) {
      if (point <= lower || point >= upper) continue;
      const Rational value = f.at(point);
      if (value == 0) return point;
      const bool above = sgn(value) == left;  // the root is above this point
      hit = hit && above == (point == start);
      (above ? lower : upper) = point;
      (above ? at_lower : at_upper) = value;
      if (!hit) break;
    }
    log_cells = hit ? std::min(2 * log_cells, 1u << 16) : std::max(log_cells / 2, 1u);
  }
}

}  // namespace

Rational simplest_between(const Rational& lower, const Rational& upper) {
  if (lower > 0) {
    Integer whole = lower.get_num() / lower.get_den();
    if (lower == whole) return whole;
    if (upper >= whole + 1) return Rational(whole + 1);
    return whole + 1 / simplest_between(1 / (upper - whole), 1 / (lower - whole));
  }
  if (upper < 0) return -simplest_between(-upper, -lower);
  return 0;
}

Interval root_between(const Univariate& polynomial, const Rational& from, const Rational& to,
                      unsigned digits) {
  return simple_root(odd_part(polynomial), from, to, digits);
}

std::vector<Interval> sign_changes(const Univariate& polynomial, const Rational& from,
                                   const Rational& to, unsigned digits) {
  if (polynomial.zero()) return {};
  const Univariate odd = odd_part(polynomial);
  std::vector<Bracket> brackets;
  isolate(bernstein(odd, from, to), from, to, brackets);
  std::vector<Interval> result;
  result.reserve(brackets.size());
  for (const Bracket& bracket : brackets)
    result.push_back(bracket.from == bracket.to
                         ? Interval(bracket.from)
                         : simple_root(odd, bracket.from, bracket.to, digits));
  return result;
}

bool non_negative_between(const Univariate& polynomial, const Rational& from, const Rational& to) {
  if (polynomial.zero()) return true;
  const std::vector<Rational> b = bernstein(polynomial, from, to);
  if (std::all_of(b.begin(), b.end(), [](const Rational& value) { return value >= 0; }))
    return true;
  if (b.front() < 0 || b.back() < 0) return false;
  const Univariate odd = odd_part(polynomial);
  std::vector<Bracket> brackets;
  isolate(bernstein(odd, from, to), from, to, brackets);
  if (!brackets.empty()) return false;
  // The sign is constant: any point that is not a root shows it.
  Rational point = (from + to) / 2;
  while (polynomial.at(point) == 0) point = (from + point) / 2;
  return polynomial.at(point) > 0;
}

}  // namespace wmi
