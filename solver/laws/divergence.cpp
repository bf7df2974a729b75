// Divergences of piecewise polynomial densities: integrals of p log|q| in closed form. With the
// complex roots rho of q and P an antiderivative of p,
//
//     log|q(s)| = log|lead| + sum over rho of log|s - rho|,
//     integral of p(s) log(s - rho) = (P(s) - P(rho)) log(s - rho)
//                                     - integral of (P(s) - P(rho))/(s - rho),
//
// where the last integrand is a polynomial. Real parts give log|s - rho|, also across a real root
// between the ends, since P(s) - P(rho) vanishes there. Roots at an end of the interval, where
// densities often start, are divided out exactly first; the other roots are isolated by Arb.

#include "solver/laws/divergence.h"

#include <acb.h>
#include <arb_fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>

#include <algorithm>

#include "solver/numeric/reals.h"
#include "solver/numeric/roots.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

/// An owner of Arb's complex balls.
class Complex {
 public:
  Complex() { acb_init(value_); }
  explicit Complex(const Ball& real) : Complex() { acb_set_arb(value_, real); }
  Complex(const Complex& other) : Complex() { acb_set(value_, other.value_); }
  Complex& operator=(const Complex& other) {
    acb_set(value_, other.value_);
    return *this;
  }
  ~Complex() { acb_clear(value_); }

  operator acb_ptr() { return value_; }           // NOLINT
  operator acb_srcptr() const { return value_; }  // NOLINT

  Ball real() const {
    Ball result;
    arb_set(result, acb_realref(value_));
    return result;
  }

 private:
  acb_t value_;
};

struct ExactRoot {
  Rational at;
  unsigned multiplicity;
};

/// A squarefree integer polynomial without its roots at the ends.
struct Factor {
  std::vector<Integer> coefficients;
  unsigned multiplicity;
};

/// log|q| on an interval, as a sum over the factors of q.
struct LogFactors {
  Rational lead = 1;               // leading coefficient of the product of all factors
  std::vector<ExactRoot> at_ends;  // exact, at either end of the interval
  std::vector<Factor> others;
};

/// An owner of FLINT's polynomial and of its factors.
struct Factorisation {
  fmpz_poly_t polynomial;
  fmpz_poly_factor_t factors;

  Factorisation() {
    fmpz_poly_init(polynomial);
    fmpz_poly_factor_init(factors);
  }
  Factorisation(const Factorisation&) = delete;
  Factorisation& operator=(const Factorisation&) = delete;
  ~Factorisation() {
    fmpz_poly_factor_clear(factors);
    fmpz_poly_clear(polynomial);
  }
};

void set(fmpz_poly_t polynomial, const std::vector<Integer>& coefficients) {
  fmpz_poly_zero(polynomial);
  fmpz_t value;
  fmpz_init(value);
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    fmpz_set_mpz(value, coefficients[i].get_mpz_t());
    fmpz_poly_set_coeff_fmpz(polynomial, static_cast<slong>(i), value);
  }
  fmpz_clear(value);
}

std::vector<Integer> coefficients_of(const fmpz_poly_struct* polynomial) {
  std::vector<Integer> result(static_cast<std::size_t>(fmpz_poly_length(polynomial)));
  for (std::size_t i = 0; i < result.size(); ++i)
    fmpz_get_mpz(result[i].get_mpz_t(), fmpz_poly_get_coeff_ptr(polynomial, static_cast<slong>(i)));
  return result;
}

Univariate univariate(const std::vector<Integer>& coefficients) {
  return Univariate(std::vector<Rational>(coefficients.begin(), coefficients.end()));
}

/// The polynomial divided by s - root, without remainder.
std::vector<Rational> divided(const std::vector<Rational>& coefficients, const Rational& root) {
  std::vector<Rational> result(coefficients.size() - 1);
  Rational carry;
  for (std::size_t i = coefficients.size(); i-- > 1;) {
    carry = carry * root + coefficients[i];
    result[i - 1] = carry;
  }
  return result;
}

LogFactors take_apart(const Univariate& q, const Rational& from, const Rational& to) {
  LogFactors result;
  result.lead = q.coefficients().back();
  Integer denominator = 1;
  for (const Rational& coefficient : q.coefficients())
    denominator = lcm(denominator, coefficient.get_den());
  std::vector<Integer> integers;
  for (const Rational& coefficient : q.coefficients())
    integers.emplace_back(coefficient.get_num() * (denominator / coefficient.get_den()));
  Factorisation found;
  set(found.polynomial, integers);
  fmpz_poly_factor_squarefree(found.factors, found.polynomial);
  for (slong i = 0; i < found.factors->num; ++i) {
    const auto multiplicity = static_cast<unsigned>(found.factors->exp[i]);
    Univariate factor = univariate(coefficients_of(found.factors->p + i));
    for (const Rational& end : {from, to})
      if (factor.degree() > 0 && factor.at(end) == 0) {
        factor = Univariate(divided(factor.coefficients(), end));
        result.at_ends.push_back({end, multiplicity});
      }
    if (factor.degree() == 0) continue;
    Integer common = 1;
    for (const Rational& coefficient : factor.coefficients())
      common = lcm(common, coefficient.get_den());
    Factor rest{{}, multiplicity};
    for (const Rational& coefficient : factor.coefficients())
      rest.coefficients.emplace_back(coefficient.get_num() * (common / coefficient.get_den()));
    result.others.push_back(std::move(rest));
  }
  return result;
}

std::vector<Complex> complex_roots(const std::vector<Integer>& squarefree, slong bits) {
  fmpz_poly_t polynomial;
  fmpz_poly_init(polynomial);
  set(polynomial, squarefree);
  const slong count = fmpz_poly_degree(polynomial);
  acb_ptr roots = _acb_vec_init(count);
  arb_fmpz_poly_complex_roots(roots, polynomial, 0, bits);
  std::vector<Complex> result(static_cast<std::size_t>(count));
  for (slong i = 0; i < count; ++i) acb_set(result[static_cast<std::size_t>(i)], roots + i);
  _acb_vec_clear(roots, count);
  fmpz_poly_clear(polynomial);
  return result;
}

/// Integrals of p(s) log|s - rho| over an interval.
class LogIntegral {
 public:
  LogIntegral(const Univariate& p, const Rational& from, const Rational& to, const Reals& r)
      : r_(r), from_(from), to_(to), whole_(p.antiderivative()) {}

  /// With rho at one of the ends, which contributes nothing to the boundary terms.
  Ball at_end(const Rational& rho) const {
    const Rational& other = rho == from_ ? to_ : from_;
    Univariate excess = whole_ - Univariate::constant(whole_.at(rho));
    const Rational value = excess.at(other);
    const Ball logarithm = r_.log(r_(Rational(abs(other - rho))));
    const Univariate quotient(divided(excess.coefficients(), rho));
    const Rational rest = quotient.integral(from_, to_);
    const Ball boundary = r_.product(r_(value), logarithm);
    return r_.difference(rho == from_ ? boundary : r_.negative(boundary), r_(rest));
  }

  Ball at(const Complex& rho) const {
    // Horner's rule: its intermediate values are the coefficients of (P(s) - P(rho))/(s - rho).
    const std::vector<Rational>& coefficients = whole_.coefficients();
    std::vector<Complex> quotient(coefficients.size() - 1);
    Complex value;
    for (std::size_t i = coefficients.size(); i-- > 0;) {
      acb_mul(value, value, rho, r_.bits);
      acb_add_arb(value, value, r_(coefficients[i]), r_.bits);
      if (i > 0) quotient[i - 1] = value;
    }
    Complex result;  // boundary terms minus the integral of the quotient, at `to` minus at `from`
    for (const bool upper : {true, false}) {
      const Rational& end = upper ? to_ : from_;
      const Complex s(r_(end));
      Complex part, logarithm;
      acb_sub(part, s, rho, r_.bits);
      acb_log(logarithm, part, r_.bits);
      acb_sub_arb(part, value, r_(whole_.at(end)), r_.bits);  // P(rho) - P(s)
      acb_mul(part, part, logarithm, r_.bits);
      acb_neg(part, part);
      Complex sum;
      for (std::size_t i = quotient.size(); i-- > 0;) {
        Complex term;
        acb_div_ui(term, quotient[i], i + 1, r_.bits);
        acb_mul(sum, sum, s, r_.bits);
        acb_add(sum, sum, term, r_.bits);
      }
      acb_mul(sum, sum, s, r_.bits);
      acb_sub(part, part, sum, r_.bits);
      if (upper)
        acb_add(result, result, part, r_.bits);
      else
        acb_sub(result, result, part, r_.bits);
    }
    return result.real();
  }

 private:
  const Reals& r_;
  const Rational &from_, &to_;
  Univariate whole_;
};

/// The integral of p log|q|, where neither is the zero polynomial.
Ball integral_of_log(const Univariate& p, const Univariate& q, const Rational& from,
                     const Rational& to, const Reals& r) {
  const LogFactors factors = take_apart(q, from, to);
  const LogIntegral integral(p, from, to, r);
  Ball result = r.product(r(p.integral(from, to)), r.log(r(Rational(abs(factors.lead)))));
  const auto add = [&](const Ball& value, unsigned multiplicity) {
    result = r.sum(result, r.product(r(Rational(multiplicity)), value));
  };
  for (const ExactRoot& root : factors.at_ends) add(integral.at_end(root.at), root.multiplicity);
  for (const Factor& factor : factors.others)
    for (const Complex& root : complex_roots(factor.coefficients, r.bits))
      add(integral.at(root), factor.multiplicity);
  return result;
}

/// Two laws on common intervals, on each of which both are polynomials.
struct Common {
  Rational from, to;
  Univariate a, b;
};

std::vector<Common> common_pieces(const Law& a, const Law& b) {
  std::vector<Rational> points = a.knots();
  const std::vector<Rational> more = b.knots();
  points.insert(points.end(), more.begin(), more.end());
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  const auto density_at = [](const Law& law, const Rational& point) {
    const auto& pieces = law.pieces();
    const auto found = std::partition_point(pieces.begin(), pieces.end(),
                                            [&](const Piece& piece) { return piece.to < point; });
    return found != pieces.end() && found->from < point ? found->density : Univariate();
  };
  std::vector<Common> result;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Rational middle = (points[i] + points[i + 1]) / 2;
    result.push_back({points[i], points[i + 1], density_at(a, middle), density_at(b, middle)});
  }
  return result;
}

/// Computes with more and more bits until the result is narrow enough.
template <class Compute>
Interval narrowed(unsigned digits, Compute&& compute) {
  const Rational width = power(ratio(1, 10), digits);
  constexpr slong most_bits = 1 << 16;
  for (slong bits = bits_of(digits) + 64; bits <= most_bits; bits *= 2) {
    const Ball value = compute(Reals{bits});
    if (!arb_is_finite(value)) continue;
    Interval result = interval(value);
    if (result.upper - result.lower <= width) return result;
  }
  throw GaveUp("roots of the densities are too close to each other for " + std::to_string(digits) +
               " digits");
}

void check_non_negative(const Law& law) {
  if (!law.non_negative())
    throw Error("the law is negative somewhere, so it has no entropy and no divergence");
}

/// An enclosure of the polynomial on the interval.
Interval range(const Univariate& polynomial, const Interval& where) {
  Interval result;
  for (std::size_t i = polynomial.coefficients().size(); i-- > 0;)
    result = result * where + polynomial.coefficients()[i];
  return result;
}

/// The integral of |d|: by an antiderivative between sign changes; across the enclosure of a sign
/// change, at most its width times the largest value there.
Interval absolute_integral(const Univariate& d, const Rational& from, const Rational& to,
                           unsigned digits) {
  Interval result;
  Rational last = from;
  const auto across = [&](const Rational& until) {
    const Rational part = abs(d.integral(last, until));
    result = result + part;
  };
  for (const Interval& change : sign_changes(d, from, to, digits)) {
    across(change.lower);
    const Interval values = range(d, change);
    const Rational most = std::max(Rational(abs(values.lower)), Rational(abs(values.upper)));
    result = result + Interval(0, most * (change.upper - change.lower));
    last = change.upper;
  }
  across(to);
  return result;
}

}  // namespace

Interval l1_distance(const Law& a, const Law& b, unsigned digits) {
  Rational atoms;
  const Law difference = a + -1 * b;
  for (const PointMass& atom : difference.atoms()) atoms += abs(atom.mass);
  const Rational width = power(ratio(1, 10), digits);
  for (unsigned more = digits + 5;; more *= 2) {
    Interval result = atoms;
    for (const Piece& piece : difference.pieces())
      result = result + absolute_integral(piece.density, piece.from, piece.to, more);
    if (result.upper - result.lower <= width) return result;
  }
}

Interval entropy(const Law& law, unsigned digits) {
  check_non_negative(law);
  if (!law.atoms().empty())
    throw Error("a law with a point mass at " + to_string(law.atoms()[0].at) +
                " has no entropy: it is -oo");
  const Law unit = law.normalised();
  return narrowed(digits, [&](const Reals& r) {
    Ball sum;
    for (const Piece& piece : unit.pieces())
      sum =
          r.difference(sum, integral_of_log(piece.density, piece.density, piece.from, piece.to, r));
    return sum;
  });
}

std::optional<Interval> kl_divergence(const Law& a, const Law& b, unsigned digits) {
  check_non_negative(a);
  check_non_negative(b);
  const Law p = a.normalised(), q = b.normalised();
  if (p == q) return Interval(Rational(0));
  for (const PointMass& atom : p.atoms())
    if (q.mass_at(atom.at) == 0) return std::nullopt;
  const std::vector<Common> pieces = common_pieces(p, q);
  for (const Common& piece : pieces)
    if (!piece.a.zero() && piece.b.zero()) return std::nullopt;
  return narrowed(digits, [&](const Reals& r) {
    Ball sum;
    for (const PointMass& atom : p.atoms())
      sum = r.sum(sum, r.product(r(atom.mass), r.log(r(Rational(atom.mass / q.mass_at(atom.at))))));
    for (const Common& piece : pieces) {
      if (piece.a.zero()) continue;
      sum = r.sum(sum, integral_of_log(piece.a, piece.a, piece.from, piece.to, r));
      sum = r.difference(sum, integral_of_log(piece.a, piece.b, piece.from, piece.to, r));
    }
    return sum;
  });
}

}  // namespace wmi
