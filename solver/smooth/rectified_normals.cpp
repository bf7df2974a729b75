// Where each unit is on or off - in an orthant - f is affine, so that f and the A_j are normal together.
//
// density       the normal density of f + noise in the orthant, times the probability of the orthant
//               given y, which is one of a normal law, too
// cdf           the integral over the orthant of the density of the A_j times Phi((y - f) / noise)
// sigmoid       likewise, of the sigmoid of f
// moments       closed forms of single units and pairs (Stein's identity)
//
// Probabilities of orthants in up to three dimensions are one-dimensional integrals (normal_orthant.h);
// smooth_integrator.h does the rest.
//
// Units that are almost certainly on (or off) are taken as that: the probability that one is not is
// added to the enclosure. What they add to f is then normal given the others, so that integrals are over
// the uncertain units alone; without any there are closed forms.

#include "solver/smooth/rectified_normals.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "solver/numeric/reals.h"
#include "solver/smooth/normal_orthant.h"
#include "solver/smooth/smooth_integrator.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

using Signs = std::vector<int>;  // of coordinates; 0: free

Rational tenth_power(unsigned digits) { return 1 / power(Rational(10), digits); }

/// Several numbers that are normal together.
struct Normal {
  std::vector<Rational> mean;
  std::vector<Rational> covariance;

  std::size_t size() const { return mean.size(); }
  const Rational& at(std::size_t i, std::size_t j) const { return covariance[i * size() + j]; }

  /// The law of these of them.
  Normal of(std::span<const std::size_t> which) const {
    Normal result;
    for (const std::size_t i : which) {
      result.mean.push_back(mean[i]);
      for (const std::size_t j : which) result.covariance.push_back(at(i, j));
    }
    return result;
  }
};

/// The inverse of a positive definite matrix and its determinant; throws Error for others.
struct Inverse {
  std::vector<Rational> entries;
  Rational determinant = 1;

  explicit Inverse(const Normal& law) {
    const std::size_t n = law.size();
    std::vector<Rational> a = law.covariance;
    entries.resize(n * n);
    for (std::size_t i = 0; i < n; ++i) entries[i * n + i] = 1;
    for (std::size_t i = 0; i < n; ++i) {
      const Rational pivot = a[i * n + i];
      if (pivot <= 0)
        throw Error("the joint law of hidden units has no positive definite covariance");
      determinant *= pivot;
      for (std::size_t j = 0; j < n; ++j) {
        a[i * n + j] /= pivot;
        entries[i * n + j] /= pivot;
      }
      for (std::size_t k = 0; k < n; ++k) {
        if (k == i) continue;
        const Rational factor = a[k * n + i];
        for (std::size_t j = 0; j < n; ++j) {
          a[k * n + j] -= factor * a[i * n + j];
          entries[k * n + j] -= factor * entries[i * n + j];
        }
      }
    }
  }
};

/// A power of two near the root of a number above 0.
Rational near_root(const Rational& square) {
  const auto bits = static_cast<long>(mpz_sizeinbase(square.get_num_mpz_t(), 2)) -
                    static_cast<long>(mpz_sizeinbase(square.get_den_mpz_t(), 2));
  const long half = bits / 2;
  Rational result = 1;
  if (half >= 0)
    mpq_mul_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(half));
  else
    mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(-half));
  return result;
}

/// A law, in coordinates of about its deviations, each turned so that it is to be above 0.
struct Oriented {
  std::vector<Rational> scales;  // x = scale * t
  Normal law;                    // of t
  std::vector<Halfspace> region;

  Oriented(const Normal& given, const Signs& signs) {
    const std::size_t n = given.size();
    for (std::size_t i = 0; i < n; ++i)
      scales.push_back(near_root(given.at(i, i)) * (signs[i] < 0 ? -1 : 1));
    for (std::size_t i = 0; i < n; ++i) {
      law.mean.push_back(given.mean[i] / scales[i]);
      for (std::size_t j = 0; j < n; ++j)
        law.covariance.push_back(given.at(i, j) / (scales[i] * scales[j]));
      if (signs[i] == 0) continue;
      Halfspace& side = region.emplace_back();
      side.normal.resize(n);
      side.normal[i] = -1;
    }
  }

  /// The integral of the density times a polynomial in the coordinates and in functions of them, which
  /// have the numbers after those of the coordinates and one more.
  Interval integral(const Polynomial& factor, std::vector<AppliedFunction> functions,
                    unsigned digits) const {
    const std::size_t n = law.size();
    const Inverse inverse(law);
    Polynomial exponent;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        exponent += Polynomial(-inverse.entries[i * n + j] / 2) * deviation(i) * deviation(j);
    const auto variable = static_cast<Variable>(n);
    functions.insert(functions.begin(), {variable, Function::exp, exponent});
    const Polynomial integrand = factor * Polynomial::variable(variable);
    const Interval found =
        integrate_smooth(std::span(&integrand, 1), functions, n, region, digits + 1).integrals[0];
    const Reals r{bits_of(digits) + 64};
    Ball constant = r.root(r(inverse.determinant));
    for (std::size_t i = 0; i < n; ++i)
      constant = r.product(constant, r.root(r.product(r(2), r.pi())));
    return interval(r.quotient(ball(found, r.bits), constant));
  }

 private:
  Polynomial deviation(std::size_t i) const {
    return Polynomial::variable(static_cast<Variable>(i)) - Polynomial(law.mean[i]);
  }
};

/// P(a normal number has this sign), to about so many digits.
Ball sign_probability(const Rational& mean, const Rational& variance, int sign, const Reals& r) {
  return r.normal_below(r.quotient(r(Rational(sign * mean)), r.root(r(variance))));
}

Rational upper(const Ball& value) { return interval(value).upper; }

/// The law with its coordinates turned so that each sign is above 0.
Normal turned(Normal law, const Signs& signs) {
  const std::size_t n = law.size();
  for (std::size_t i = 0; i < n; ++i) {
    law.mean[i] *= signs[i];
    for (std::size_t j = 0; j < n; ++j) law.covariance[i * n + j] *= signs[i] * signs[j];
  }
  return law;
}

/// Quadrature in more dimensions takes too long.
void refuse_many(std::size_t dimensions) {
  if (dimensions > 3)
    throw GaveUp(
        "three hidden units may each be on or off: a certified probability takes too long; leave "
        "fewer units unknown, or ask for no certified digits");
}

enum class Precision { of_value, absolute };

/// The probability that all coordinates have their signs, with an error of 10^-digits.
Interval orthant(const Normal& law, const Signs& signs, unsigned digits, Precision error) {
  constexpr slong most_bits = 500;
  const std::size_t n = law.size();
  const Reals r{bits_of(digits) + 16};
  std::vector<std::size_t> open;
  Signs open_signs;
  Rational others = 0;  // the probability that one of the others has the wrong sign, at most
  for (std::size_t i = 0; i < n; ++i) {
    const Rational wrong = upper(sign_probability(law.mean[i], law.at(i, i), -signs[i], r));
    if (n == 1 || wrong > tenth_power(digits + 3)) {
      open.push_back(i);
      open_signs.push_back(signs[i]);
    } else {
      others += wrong;
    }
  }
  const auto narrow = [&](const Interval& found) {
    return error == Precision::of_value ? has_digits(found, digits)
                                        : found.upper - found.lower < tenth_power(digits);
  };
  if (open.size() < n) {
    const Interval rest = orthant(law.of(open), open_signs, digits + 1, error);
    const Interval found(std::max(Rational(0), Rational(rest.lower - others)), rest.upper);
    if (narrow(found)) return found;
  }
  refuse_many(n);
  const Normal positive = turned(law, signs);
  if (n == 2 && error == Precision::of_value) {
    return interval(normal_quadrant(positive.mean, positive.covariance, digits + 1));
  } else {
    for (slong bits = r.bits; bits <= most_bits; bits *= 2) {
      const Ball value = normal_orthant(positive.mean, positive.covariance, bits);
      if (!arb_is_finite(value)) continue;
      const Interval found = interval(value);
      if (narrow(found))
        return {std::max(Rational(0), found.lower), std::min(Rational(1), found.upper)};
    }
  }
  throw GaveUp("three hidden units have a law whose probabilities are too small here");
}

/// Calls `visit` with the signs of all coordinates for each choice of those of the open ones.
template <class Visit>
void for_each_pattern(Signs signs, std::span<const std::size_t> open, const Visit& visit) {
  for (std::size_t pattern = 0; pattern < std::size_t{1} << open.size(); ++pattern) {
    for (std::size_t i = 0; i < open.size(); ++i) signs[open[i]] = pattern >> i & 1 ? 1 : -1;
    visit(std::as_const(signs));
  }
}

/// Which units may be on or off, and the signs of the others, which hold but for a probability.
struct Certainty {
  std::vector<std::size_t> open;
  Signs signs;
  Rational wrong = 0;

  Certainty(const Normal& law, const Rational& tolerance, const Reals& r) {
    for (std::size_t i = 0; i < law.size(); ++i) {
      signs.push_back(law.mean[i] < 0 ? -1 : 1);
      const Rational other = upper(sign_probability(law.mean[i], law.at(i, i), -signs[i], r));
      if (other > tolerance)
        open.push_back(i);
      else
        wrong += other;
    }
  }
};

/// f where all units have these signs: its law together with that of the open units, f last.
struct Affine {
  std::vector<Rational> factors;
  Normal joint;

  Affine(const RectifiedNormals& units, const Normal& law, const Signs& signs,
         std::span<const std::size_t> open) {
    for (std::size_t i = 0; i < units.size(); ++i)
      factors.push_back(signs[i] > 0 ? units.factors[i] : units.factors[i] * units.slope);
    joint.mean.resize(open.size() + 1);
    joint.covariance.resize((open.size() + 1) * (open.size() + 1));
    const std::size_t last = open.size(), n = last + 1;
    joint.mean[last] = units.constant;
    for (std::size_t i = 0; i < units.size(); ++i) {
      joint.mean[last] += factors[i] * law.mean[i];
      for (std::size_t j = 0; j < units.size(); ++j)
        joint.covariance[n * n - 1] += factors[i] * factors[j] * law.at(i, j);
    }
    for (std::size_t i = 0; i < last; ++i) {
      joint.mean[i] = law.mean[open[i]];
      for (std::size_t j = 0; j < last; ++j) joint.covariance[i * n + j] = law.at(open[i], open[j]);
      Rational& with = joint.covariance[i * n + last];
      for (std::size_t j = 0; j < units.size(); ++j) with += factors[j] * law.at(open[i], j);
      joint.covariance[last * n + i] = with;
    }
  }

  const Rational& mean() const { return joint.mean.back(); }
  const Rational& variance() const { return joint.covariance.back(); }
  /// The law of the open units.
  Normal open() const {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i + 1 < joint.size(); ++i) all.push_back(i);
    return joint.of(all);
  }

  /// f given the open units: the mean as an affine function of them, and the variance.
  struct Given {
    Rational constant;
    std::vector<Rational> slopes;
    Rational variance;
  };
  Given given_open() const {
    const Normal others = open();
    const std::size_t n = others.size();
    const Inverse inverse(others);
    Given result{mean(), std::vector<Rational>(n), variance()};
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        result.slopes[i] += inverse.entries[i * n + j] * joint.at(j, n);
      result.constant -= result.slopes[i] * others.mean[i];
      result.variance -= result.slopes[i] * joint.at(i, n);
    }
    return result;
  }
};

Signs of_open(const Signs& signs, std::span<const std::size_t> open) {
  Signs result;
  for (const std::size_t i : open) result.push_back(signs[i]);
  return result;
}

Polynomial affine(const Rational& constant, std::span<const Rational> slopes,
                  std::span<const Rational> scales) {
  Polynomial result = constant;
  for (std::size_t i = 0; i < slopes.size(); ++i)
    result += Rational(slopes[i] * scales[i]) * Polynomial::variable(static_cast<Variable>(i));
  return result;
}

/// P(f + noise <= y and the open units have their signs).
Interval below(const Affine& f, Signs signs, const Rational& noise, const Rational& y,
               unsigned digits) {
  const Affine::Given given = f.given_open();
  if (given.variance + noise * noise > 0) {  // y - f - noise is above 0, too
    Normal law = f.joint;
    const std::size_t n = law.size();
    law.mean.back() = y - law.mean.back();
    law.covariance.back() += noise * noise;
    for (std::size_t i = 0; i + 1 < n; ++i)
      for (const std::size_t at : {i * n + n - 1, (n - 1) * n + i})
        law.covariance[at] = -law.covariance[at];
    signs.push_back(1);
    return orthant(law, signs, digits, Precision::absolute);
  }
  const Normal law = f.open();
  if (std::ranges::all_of(given.slopes, [](const Rational& slope) { return slope == 0; }))
    return given.constant <= y ? orthant(law, signs, digits, Precision::absolute) : Interval(0);
  refuse_many(law.size() + 1);
  Oriented oriented(law, signs);
  const Polynomial rest = Polynomial(y) - affine(given.constant, given.slopes, oriented.scales);
  Halfspace& side = oriented.region.emplace_back();  // rest >= 0
  side.bound = rest.constant_term();
  for (std::size_t i = 0; i < given.slopes.size(); ++i)
    side.normal.push_back(given.slopes[i] * oriented.scales[i]);
  return oriented.integral(1, {}, digits + 1);
}

/// The mean of the sigmoid of sign * f where the open units have their signs.
Interval sigmoid_of(const Affine& f, Signs signs, int sign, unsigned digits) {
  const Affine::Given given = f.given_open();
  const bool with_f = given.variance > 0;  // not determined by the open units
  if (with_f) signs.push_back(0);
  const Normal law = with_f ? f.joint : f.open();
  refuse_many(law.size() + 1);
  if (law.size() == 0) {
    const Reals r{bits_of(digits) + 64};
    const Ball power = r.exp(r(Rational(-sign * given.constant)));
    return interval(r.quotient(r(1), r.sum(r(1), power)));
  }
  const Oriented oriented(law, signs);
  Polynomial argument = affine(given.constant, given.slopes, oriented.scales);
  if (with_f)
    argument = oriented.scales.back() * Polynomial::variable(static_cast<Variable>(law.size() - 1));
  if (argument.constant()) {
    const Reals r{bits_of(digits) + 64};
    const Ball power = r.exp(r(Rational(-sign * argument.constant_term())));
    return orthant(law, signs, digits + 1, Precision::of_value) *
           interval(r.quotient(r(1), r.sum(r(1), power)));
  }
  const auto variable = static_cast<Variable>(law.size() + 1);
  return oriented.integral(Polynomial::variable(variable),
                           {{variable, Function::sigmoid, Rational(sign) * argument}}, digits + 1);
}

Normal law_of(const RectifiedNormals& units) { return {units.means, units.covariance}; }

/// What is known of one unit: with m and v the mean and the variance of A,
struct UnitMoments {
  Ball on;      // P(A > 0)
  Ball first;   // E max(A, 0) = m P(A > 0) + sqrt(v) phi(m / sqrt v)
  Ball second;  // E max(A, 0)^2 = (m^2 + v) P(A > 0) + m sqrt(v) phi(m / sqrt v)
  Ball peak;    // the density of A at 0

  UnitMoments(const Rational& m, const Rational& v, const Reals& r) {
    const Ball deviation = r.root(r(v)), z = r.quotient(r(m), deviation);
    const Ball spread = r.product(deviation, r.normal_density(z));
    on = r.normal_below(z);
    first = r.sum(r.product(r(m), on), spread);
    second = r.sum(r.product(r(Rational(m * m + v)), on), r.product(r(m), spread));
    peak = r.quotient(spread, r(v));
  }
};

/// E max(A, 0) max(B, 0), with m, n the means and c the covariance: by E A g = m E g + v E dg/dA +
/// c E dg/dB, twice,
///
///     m E[B; both] + v p_A(0) E[max(B, 0) | A = 0] + c P(both)
///     E[B; both] = n P(both) + w p_B(0) P(A > 0 | B = 0) + c p_A(0) P(B > 0 | A = 0).
Ball both_moment(const Normal& law, const Reals& r) {
  const Rational &m = law.mean[0], &n = law.mean[1], &v = law.at(0, 0), &w = law.at(1, 1),
                 &c = law.at(0, 1);
  const UnitMoments a(m, v, r), b(n, w, r);
  const UnitMoments b_at_0(n - c * m / v, w - c * c / v, r),
      a_at_0(m - c * n / w, v - c * c / w, r);
  const Ball both = normal_orthant(law.mean, law.covariance, r.bits);
  const Ball of_b =
      r.sum(r.product(r(n), both), r.sum(r.product(r(w), r.product(b.peak, a_at_0.on)),
                                         r.product(r(c), r.product(a.peak, b_at_0.on))));
  return r.sum(r.product(r(m), of_b),
               r.sum(r.product(r(v), r.product(a.peak, b_at_0.first)), r.product(r(c), both)));
}

}  // namespace

RectifiedLaw::RectifiedLaw(RectifiedNormals units) : units_(std::move(units)) {
  Inverse{law_of(units_)};
}

Interval RectifiedLaw::mean(unsigned digits) const {
  const Reals r{bits_of(digits) + 128};
  Ball sum = r(units_.constant);
  for (std::size_t j = 0; j < units_.size(); ++j) {
    const UnitMoments moments(units_.means[j], law_of(units_).at(j, j), r);
    const Ball leaked = r(Rational(units_.slope * units_.means[j]));
    sum = r.sum(sum,
                r.product(r(units_.factors[j]),
                          r.sum(leaked, r.product(r(Rational(1 - units_.slope)), moments.first))));
  }
  return interval(sum);
}

Interval RectifiedLaw::variance(unsigned digits) const {
  const Reals r{bits_of(digits) + 128};
  const Normal law = law_of(units_);
  const Rational &s = units_.slope, on = 1 - s;
  std::vector<UnitMoments> moments;
  for (std::size_t j = 0; j < units_.size(); ++j)
    moments.emplace_back(law.mean[j], law.at(j, j), r);
  Ball sum = r(Rational(units_.noise * units_.noise));
  for (std::size_t i = 0; i < units_.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      // E max(A_i, 0) max(A_j, 0)
      Ball product = moments[i].second;
      if (i != j) {
        product = both_moment(law.of(std::vector<std::size_t>{i, j}), r);
      }
      // Of max(A, sA) = sA + (1-s) max(A, 0), with Cov(A_i, max(A_j, 0)) = C_ij P(A_j > 0).
      const Ball rectified = r.difference(product, r.product(moments[i].first, moments[j].first));
      const Ball mixed =
          r.product(r(Rational(s * on * law.at(i, j))), r.sum(moments[i].on, moments[j].on));
      Ball covariance = r.sum(r(Rational(s * s * law.at(i, j))),
                              r.sum(mixed, r.product(r(Rational(on * on)), rectified)));
      const Rational times = units_.factors[i] * units_.factors[j] * (i == j ? 1 : 2);
      sum = r.sum(sum, r.product(r(times), covariance));
    }
  const Interval found = interval(sum);
  return {std::max(Rational(0), found.lower), found.upper};
}

namespace {

/// The density at y as a ball: relative digits.
Ball density_ball(const RectifiedNormals& units, const Rational& y, unsigned digits) {
  if (units.noise <= 0) throw Error("without noise a law of hidden units has no density");
  const Reals r{2 * bits_of(digits) + 64};
  const Normal law = law_of(units);
  const std::size_t n = units.size();
  std::vector<std::size_t> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = i;
  struct Part {
    Signs signs;
    Normal given;       // the units given f + noise = y
    Ball most;          // the density of f + noise at y, whatever the signs
    Ball value;         // times the probability of the signs
    unsigned decimals;  // of that; 0: only bounded
  };
  std::vector<Part> parts;
  for_each_pattern(Signs(n), all, [&](const Signs& signs) {
    const Affine f(units, law, signs, all);
    const Rational variance = f.variance() + units.noise * units.noise;
    const Rational away = y - f.mean();
    Part part{signs, f.open(), {}, {}, 0};
    for (std::size_t i = 0; i < n; ++i) {
      part.given.mean[i] += f.joint.at(i, n) * away / variance;
      for (std::size_t j = 0; j < n; ++j)
        part.given.covariance[i * n + j] -= f.joint.at(i, n) * f.joint.at(j, n) / variance;
    }
    const Ball deviation = r.root(r(variance));
    part.most = r.quotient(r.normal_density(r.quotient(r(away), deviation)), deviation);
    Ball upper = part.most;  // times the least probability of a sign
    for (std::size_t i = 0; i < n; ++i) {
      const Ball own = r.product(
          part.most, sign_probability(part.given.mean[i], part.given.at(i, i), signs[i], r));
      if (arb_lt(own, upper)) upper = own;
    }
    arb_add_error(part.value, upper);
    parts.push_back(std::move(part));
  });
  // The part with the largest error gets more decimals, until the sum has its digits.
  for (;;) {
    Ball sum;
    for (const Part& part : parts) sum = r.sum(sum, part.value);
    if (has_digits(sum, digits)) return sum;
    Part& part = *std::ranges::max_element(parts, [](const Part& a, const Part& b) {
      return mag_cmp(arb_radref(static_cast<arb_srcptr>(a.value)),
                     arb_radref(static_cast<arb_srcptr>(b.value))) < 0;
    });
    constexpr unsigned most_decimals = 60;  // then relative ones are the quicker
    part.decimals = part.decimals == 0 ? digits + 3 : 2 * part.decimals;
    if (part.decimals > 64 * most_decimals) return sum;
    const bool relative = part.decimals > most_decimals && n <= 2;
    const Interval probability =
        orthant(part.given, part.signs, relative ? digits + 2 : part.decimals,
                relative ? Precision::of_value : Precision::absolute);
    const Reals more{r.bits + bits_of(part.decimals)};
    part.value = more.product(part.most, ball(probability, more.bits));
  }
}

}  // namespace

Interval RectifiedLaw::density(const Rational& y, unsigned digits) const {
  return interval(density_ball(units_, y, digits));
}

Interval RectifiedLaw::log_density(const Rational& y, unsigned digits) const {
  const Reals r{2 * bits_of(digits) + 64};
  return interval(r.log(density_ball(units_, y, digits + 1)));
}

Interval RectifiedLaw::cdf(const Rational& y, unsigned digits) const {
  const Reals r{bits_of(digits) + 64};
  const Normal law = law_of(units_);
  const Certainty certainty(law, tenth_power(digits + 2), r);
  Interval sum(0);
  for_each_pattern(certainty.signs, certainty.open, [&](const Signs& signs) {
    const Affine f(units_, law, signs, certainty.open);
    sum += below(f, of_open(signs, certainty.open), units_.noise, y, digits + 2);
  });
  return {std::max(Rational(0), Rational(sum.lower - certainty.wrong)),
          std::min(Rational(1), Rational(sum.upper + certainty.wrong))};
}

Interval RectifiedLaw::mean_sigmoid(int sign, unsigned digits) const {
  if (units_.noise != 0) throw Error("the mean of a sigmoid is one without noise");
  const Normal law = law_of(units_);
  for (unsigned known = digits + 2;; known = 2 * known + 10) {
    const Reals r{bits_of(known) + 64};
    // In the end no unit is taken as certain.
    const Certainty certainty(law, known > 300 ? Rational(0) : tenth_power(known), r);
    Interval sum(0);
    for_each_pattern(certainty.signs, certainty.open, [&](const Signs& signs) {
      const Affine f(units_, law, signs, certainty.open);
      sum += sigmoid_of(f, of_open(signs, certainty.open), sign, digits + 2);
    });
    const Interval found(std::max(Rational(0), Rational(sum.lower - certainty.wrong)),
                         std::min(Rational(1), Rational(sum.upper + certainty.wrong)));
    if (has_digits(found, digits) || certainty.wrong == 0) return found;
  }
}

}  // namespace wmi
