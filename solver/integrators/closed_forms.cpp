// Closed forms of integrals over boxes and boxes between two parallel hyperplanes.
//
// Over a box, the integral of a monomial is a product of one-dimensional integrals. Over the part
// of a box with  from <= l(x) <= to,  l = a_1 x_1 + ... + a_k x_k  with no a_i = 0, the integral of
// g(l(x)) is
//
//     1/(a_1 ... a_k) * sum over corners of  (-1)^(lower ends)  G(l(corner))
//
// times the widths of the other coordinates, where G is a k-fold antiderivative of the function
// that is g on [from, to] and 0 elsewhere. One such is A_from - A_to, where A_c(s) is 0 for s < c
// and otherwise the integral of (s-r)^(k-1)/(k-1)! g(r) over r from c to s: if g(c+r) is the sum of
// b_d r^d, then A_c(s) = sum of b_d d!/(d+k)! (s-c)^(d+k).
//
// The box is the bounding box of the region; its sides need not be facets of the region.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "solver/integrators/methods.h"

namespace wmi {
namespace {

/// A box between two parallel hyperplanes; without these, `normal` is 0.
struct CutBox {
  Point lower, upper;
  std::vector<Integer> normal;
  Rational from, to;
};

/// The number of facets that are not orthogonal to an axis, or 3 if there are more.
std::size_t slanted(const Polytope& region) {
  const std::size_t n = region.dimension();
  std::size_t result = 0;
  for (std::size_t i = 0; i < region.facet_count() && result < 3; ++i) {
    const std::size_t first = i * (n + 1) + 1;
    const auto entries = [&](const auto& rows) {
      return std::count_if(rows.begin() + static_cast<std::ptrdiff_t>(first),
                           rows.begin() + static_cast<std::ptrdiff_t>(first + n),
                           [](const auto& entry) { return entry != 0; });
    };
    result += (region.rows().small() ? entries(region.rows().words())
                                     : entries(region.rows().large())) > 1;
  }
  return result;
}

std::optional<CutBox> recognise(const Polytope& region) {
  const std::size_t n = region.dimension();
  if (slanted(region) > 2) return std::nullopt;
  CutBox box;
  box.lower.resize(n);
  box.upper.resize(n);
  box.normal.resize(n);
  std::vector<bool> below(n), above(n);  // whether there is a facet
  std::optional<Rational> from, to;
  for (std::size_t i = 0; i < region.facet_count(); ++i) {
    const std::size_t first = i * (n + 1) + 1;
    std::vector<Integer> normal;
    for (std::size_t j = 0; j < n; ++j) normal.emplace_back(-region.rows()[first + j]);
    const Integer bound = region.rows()[first - 1];
    const auto j = static_cast<std::size_t>(
        std::find_if(normal.begin(), normal.end(), [](const Integer& x) { return x != 0; }) -
        normal.begin());
    if (std::count(normal.begin(), normal.end(), 0) + 1 == static_cast<std::ptrdiff_t>(n)) {
      const bool up = normal[j] > 0;
      (up ? above : below)[j] = true;
      (up ? box.upper : box.lower)[j] = ratio(bound, normal[j]);
      continue;
    }
    if (!to) {
      box.normal = std::move(normal);
      to = bound;
      continue;
    }
    // It must be opposite to the first, up to a positive factor.
    if (from || sgn(normal[j]) * sgn(box.normal[j]) >= 0) return std::nullopt;
    const Rational factor = ratio(box.normal[j], normal[j]);
    for (std::size_t k = 0; k < n; ++k)
      if (factor * normal[k] != box.normal[k]) return std::nullopt;
    from = factor * bound;
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t v = 0; !(below[j] && above[j]) && v < region.vertex_count(); ++v) {
      const std::size_t first = v * (n + 1);
      const Rational x =
          ratio(region.homogeneous_vertices()[first + j + 1], region.homogeneous_vertices()[first]);
      if (!below[j] && (v == 0 || x < box.lower[j])) box.lower[j] = x;
      if (!above[j] && (v == 0 || x > box.upper[j])) box.upper[j] = x;
    }
  }
  if (!to) return box;
  box.to = *to;
  if (!from) {
    from = 0;  // the least value over the box
    for (std::size_t j = 0; j < n; ++j)
      *from += box.normal[j] * (box.normal[j] > 0 ? box.lower[j] : box.upper[j]);
  }
  box.from = *from;
  return box;
}

/// The coefficients of g if the integrand is g(normal . x), otherwise nullopt.
std::optional<std::vector<Rational>> in_form(const Polynomial& integrand,
                                             const std::vector<Integer>& normal) {
  std::vector<Rational> result(integrand.degree() + 1);
  if (integrand.constant()) {
    result[0] = integrand.constant_term();
    return result;
  }
  const auto axis = static_cast<Variable>(
      std::find_if(normal.begin(), normal.end(), [](const Integer& x) { return x != 0; }) -
      normal.begin());
  if (axis == normal.size()) return std::nullopt;
  for (const Polynomial::Term& term : integrand.terms()) {
    if (term.monomial.empty()) result[0] = term.coefficient;
    if (term.monomial.size() != 1 || term.monomial[0].variable != axis) continue;
    const unsigned d = term.monomial[0].exponent;
    result[d] = term.coefficient / power(Rational(normal[axis]), d);
  }
  // The coefficient of x^m in g(normal . x) is |m|!/m! g_|m| normal^m.
  std::size_t terms = 0;
  std::vector<Integer> factorials(1, 1);
  for (unsigned d = 1; d <= integrand.degree(); ++d) factorials.emplace_back(factorials.back() * d);
  for (const Polynomial::Term& term : integrand.terms()) {
    const unsigned d = degree(term.monomial);
    Rational expected = result[d] * factorials[d];
    for (const Power& factor : term.monomial)
      expected *= ratio(power(Rational(normal[factor.variable]), factor.exponent).get_num(),
                        factorials[factor.exponent]);
    if (term.coefficient != expected) return std::nullopt;
    ++terms;
  }
  const std::size_t variables =
      normal.size() - static_cast<std::size_t>(std::count(normal.begin(), normal.end(), 0));
  Integer all = 0, count;
  for (unsigned d = 0; d <= integrand.degree(); ++d) {
    if (result[d] == 0) continue;
    mpz_bin_uiui(count.get_mpz_t(), variables + d - 1, d);
    all += count;
  }
  if (all != terms) return std::nullopt;
  return result;
}

/// The coefficients of a polynomial in s, as those in s - at.
std::vector<Rational> shifted(std::vector<Rational> coefficients, const Rational& at) {
  for (std::size_t i = 0; i + 1 < coefficients.size(); ++i)
    for (std::size_t k = coefficients.size() - 1; k-- > i;)
      coefficients[k] += at * coefficients[k + 1];
  return coefficients;
}

/// Integrals over a cut box of functions of its linear form.
class CornerSum {
 public:
  explicit CornerSum(const CutBox& box) : box_(box) {
    for (std::size_t j = 0; j < box.normal.size(); ++j) {
      const Rational width = box.upper[j] - box.lower[j];
      if (box.normal[j] == 0) {
        unit_ *= width;
        continue;
      }
      unit_ /= box.normal[j];
      steps_.emplace_back(box.normal[j] * width);
      lowest_ += box.normal[j] * box.lower[j];
    }
    scale_ = lcm(Integer(box.from.get_den()), Integer(box.to.get_den()));
    scale_ = lcm(scale_, Integer(lowest_.get_den()));
    for (const Rational& step : steps_) scale_ = lcm(scale_, Integer(step.get_den()));
  }

  Rational integral(const std::vector<Rational>& g) const {
    return unit_ * (sum(shifted(g, box_.from), box_.from) - sum(shifted(g, box_.to), box_.to));
  }

 private:
  /// The signed sum of A_c over the corners; g is given in s - c.
  Rational sum(const std::vector<Rational>& g, const Rational& c) const {
    const auto k = static_cast<unsigned>(steps_.size());
    std::vector<Integer> sums(g.size());  // signed, of (s-c)^(d+k), in units of 1/scale
    std::vector<Integer> steps;
    for (const Rational& step : steps_) steps.push_back(Rational(step * scale_).get_num());
    Integer value = Rational((lowest_ - c) * scale_).get_num(), power;
    std::uint64_t corner = 0;
    for (std::uint64_t i = 1;; ++i) {  // in the order of a Gray code
      if (value > 0) {
        mpz_pow_ui(power.get_mpz_t(), value.get_mpz_t(), k);
        if ((k - static_cast<unsigned>(std::popcount(corner))) % 2 == 1) power = -power;
        for (std::size_t d = 0; d < g.size(); ++d) {
          if (d > 0) power *= value;
          sums[d] += power;
        }
      }
      if (i >> k != 0) break;
      const auto j = static_cast<std::size_t>(std::countr_zero(i));
      corner ^= std::uint64_t{1} << j;
      if (corner >> j & 1)
        value += steps[j];
      else
        value -= steps[j];
    }
    Rational result;
    Integer factorial, denominator;
    mpz_pow_ui(denominator.get_mpz_t(), scale_.get_mpz_t(), k);
    mpz_fac_ui(factorial.get_mpz_t(), k);
    denominator *= factorial;  // (d+k)!/d! scale^(d+k)
    for (std::size_t d = 0; d < g.size(); ++d) {
      if (d > 0) {
        denominator *= scale_ * (d + k);
        mpz_divexact_ui(denominator.get_mpz_t(), denominator.get_mpz_t(), d);
      }
      result += g[d] * ratio(sums[d], denominator);
    }
    return result;
  }

  const CutBox& box_;
  Rational unit_ = 1;
  Rational lowest_;              // value of the form where all coordinates are at their lower ends
  std::vector<Rational> steps_;  // its change from the lower to the upper end of each
  Integer scale_;
};

/// Integrals over a box: the moments of each coordinate are integers over one denominator.
class BoxMoments {
 public:
  BoxMoments(const CutBox& box, std::span<const Polynomial> integrands)
      : moments_(box.lower.size()) {
    std::vector<unsigned> degrees(box.lower.size());
    for (const Polynomial& integrand : integrands)
      for (const Polynomial::Term& term : integrand.terms())
        for (const Power& factor : term.monomial)
          degrees[factor.variable] = std::max(degrees[factor.variable], factor.exponent);
    for (std::size_t j = 0; j < moments_.size(); ++j) {
      Integer common = lcm(Integer(box.lower[j].get_den()), Integer(box.upper[j].get_den()));
      const Integer low = Rational(box.lower[j] * common).get_num();
      const Integer high = Rational(box.upper[j] * common).get_num();
      Integer all = 1;  // of 1 ... degree + 1
      for (unsigned e = 1; e <= degrees[j] + 1; ++e) all = lcm(all, Integer(e));
      // (high^(e+1) - low^(e+1)) / ((e+1) common^(e+1)) over all common^(degree+1)
      Integer lift;
      mpz_pow_ui(lift.get_mpz_t(), common.get_mpz_t(), degrees[j] + 1);
      denominator_ *= all * lift;
      Integer high_power = 1, low_power = 1;
      for (unsigned e = 0; e <= degrees[j]; ++e) {
        high_power *= high;
        low_power *= low;
        mpz_divexact(lift.get_mpz_t(), lift.get_mpz_t(), common.get_mpz_t());
        moments_[j].emplace_back((high_power - low_power) * lift * (all / (e + 1)));
      }
    }
  }

  Rational integral(const Polynomial& integrand) const {
    Integer common = 1, sum, product;
    for (const Polynomial::Term& term : integrand.terms())
      if (term.coefficient.get_den() != 1) common = lcm(common, term.coefficient.get_den());
    for (const Polynomial::Term& term : integrand.terms()) {
      product = term.coefficient.get_num() * (common / term.coefficient.get_den());
      auto factor = term.monomial.begin();
      for (std::size_t j = 0; j < moments_.size(); ++j)
        if (factor != term.monomial.end() && factor->variable == j)
          product *= moments_[j][(factor++)->exponent];
        else
          product *= moments_[j][0];
      sum += product;
    }
    return ratio(sum, denominator_ * common);
  }

 private:
  std::vector<std::vector<Integer>> moments_;
  Integer denominator_ = 1;
};

}  // namespace

std::optional<std::vector<Interval>> integrate_closed_form(std::span<const Polynomial> integrands,
                                                           const Polytope& region) {
  if (region.dimension() == 0 || region.facet_count() > 2 * region.dimension() + 2)
    return std::nullopt;
  const std::optional<CutBox> box = recognise(region);
  if (!box) return std::nullopt;
  std::vector<Interval> result;
  if (std::count(box->normal.begin(), box->normal.end(), 0) ==
      static_cast<std::ptrdiff_t>(region.dimension())) {
    const BoxMoments moments(*box, integrands);
    for (const Polynomial& integrand : integrands) result.emplace_back(moments.integral(integrand));
    return result;
  }
  // A cut box can have far fewer vertices than its box has corners; an example is a simplex.
  const auto sides = static_cast<std::size_t>(std::count_if(
      box->normal.begin(), box->normal.end(), [](const Integer& x) { return x != 0; }));
  if (sides >= 24 || std::size_t{1} << sides > 8 * region.vertex_count()) return std::nullopt;
  std::vector<std::vector<Rational>> functions;
  for (const Polynomial& integrand : integrands) {
    std::optional<std::vector<Rational>> function = in_form(integrand, box->normal);
    if (!function) return std::nullopt;
    functions.push_back(std::move(*function));
  }
  const CornerSum corners(*box);
  for (const std::vector<Rational>& function : functions)
    result.emplace_back(corners.integral(function));
  return result;
}

}  // namespace wmi
