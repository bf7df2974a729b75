// A cubic Hermite interpolant, with the values and slopes of f at both ends of an interval of
// length h, has an error of at most h^4/384 times the largest fourth derivative; that of the
// standard normal density phi is 3 phi(0) < 6/5, at 0. With values rounded to 80 bits, which adds
// less than 2^-70, the interpolant q is within e = h^4/384 * 6/5 + 2^-70 of phi. With M the mass of
// q and P that of phi, over a length of 8,
//
//     |q/M - phi/P| <= e/M + phi(0) 8e/(M P) < 5 e,
//
// since both masses are above 99/100 and phi(0) < 2/5.

#include "encoders/densities/gaussian.h"

#include "solver/terms/decimal.h"
#include "solver/terms/error.h"

namespace wmi::encoders {
namespace {

constexpr int reach = 4, pieces = 64;

Rational rounded(const Rational& value) {
  Integer scaled = value.get_num() << 80;
  mpz_fdiv_q(scaled.get_mpz_t(), scaled.get_mpz_t(), value.get_den_mpz_t());
  Rational result(scaled);
  mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), 80);
  return result;
}

/// e^-t for 0 <= t <= 8, with an error below 2^-76: the inverse of e^(t/16), whose series is
/// truncated where its terms are below 2^-100, to the power 16.
Rational exponential(const Rational& t) {
  const Rational x = t / 16;
  Rational sum = 1, term = 1;
  for (int k = 1; k <= 40; ++k) {
    term = rounded(term * x * (Integer(1) << 40)) / (Integer(1) << 40) / k;
    sum += term;
  }
  return rounded(1 / power(sum, 16));
}

/// phi(x), with an error below 2^-74.
Rational normal(const Rational& x) {
  // 1/sqrt(2 pi), to 30 digits.
  static const Rational factor = parse_number("0.398942280401432677939946059934");
  return rounded(factor * exponential(x * x / 2));
}

/// The cubic with values f, g and slopes d, e at a and a + h.
Univariate cubic(const Rational& a, const Rational& h, const Rational& f, const Rational& g,
                 const Rational& d, const Rational& e) {
  const Rational rise = (g - f) / h;
  const Univariate local(
      {f, d, (3 * rise - 2 * d - e) / h, (d + e - 2 * rise) / (h * h)});  // in x - a
  return local.composed(1, -a);
}

/// The standard normal law.
const Law& standard() {
  static const Law law = [] {
    const Rational h = ratio(2 * reach, pieces);
    std::vector<Piece> parts;
    for (int i = 0; i < pieces; ++i) {
      const Rational a = -reach + i * h, b = a + h;
      const Rational f = normal(abs(a)), g = normal(abs(b));
      parts.push_back({a, b, cubic(a, h, f, g, -a * f, -b * g)});
    }
    return Law({}, parts).normalised();
  }();
  return law;
}

}  // namespace

Density Gaussian::make(std::span<const Rational> a) {
  const Rational &mean = a[0], &deviation = a[1];
  if (deviation <= 0) throw Error("gaussian(mean, deviation) needs a deviation above 0");
  const Rational h = ratio(2 * reach, pieces);
  const Rational error = 5 * (power(h, 4) / 384 * ratio(6, 5) + power(ratio(1, 2), 70)) / deviation;
  return {standard().image(deviation, mean),
          "the normal law with mean " + decimal(mean, 6) + " and deviation " +
              decimal(deviation, 6) +
              ", cut off at 4 deviations, by cubic pieces whose density is "
              "off by at most " +
              decimal(error, 3, Rounding::up)};
}

}  // namespace wmi::encoders
