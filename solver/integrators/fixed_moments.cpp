// The recurrence of FacePlan in fixed-point numbers. With F(m) the series of a face at t^m, the
// numbers kept are
//
//     f(m) = F(m) m! / |m|!
//
// since 1/(1 - <t,s>) turns into f(m) += sum over j of s_j m_j/|m| f(m - e_j), in which the factors
// add up to at most 1: no number is larger than f(0) times a binomial coefficient, and errors add up
// without growing. The integral of u^m is |m|!/(|m|+n)! f(m) at the region.

#include "solver/integrators/fixed_moments.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/integrators/face_plan.h"

namespace wmi {
namespace {

using namespace fixed_point;

double log_of(const Integer& positive) {
  long exponent = 0;
  const double mantissa = mpz_get_d_2exp(&exponent, positive.get_mpz_t());
  return std::log2(mantissa) + static_cast<double>(exponent);
}

double log_binomial(unsigned n, unsigned k) {
  double result = 0;
  for (unsigned i = 1; i <= k; ++i) result += std::log2(double(n - k + i) / i);
  return result;
}

/// The numbers of one face.
template <std::size_t width>
struct Series {
  std::vector<Number<width>> numbers;
  long exponent = 0;
  double log_first = 0;  // of f(0), in truth
  double error = 0;      // of each number, in units of the last bit
};

template <std::size_t width>
class Walk {
 public:
  Walk(const Polytope& polytope, std::span<const long> scales, const MonomialRows& monomials)
      : polytope_(polytope),
        scales_(scales),
        monomials_(monomials),
        dimension_(polytope.dimension()),
        plan_(polytope) {
    check_plan_memory(plan_.slots() * monomials.size() * sizeof(Number<width>));
    series_.resize(plan_.slots());
    factors_.resize(dimension_);
  }

  Series<width> run() {
    for (const FacePlan::Face& face : plan_.faces()) {
      Series<width>& own = series_[face.slot];
      own.numbers.assign(monomials_.size(), Number<width>());
      if (face.first == face.last)
        start(face, own);
      else
        add_parts(face, own);
      divide(face.apex, own);
    }
    return std::move(series_[plan_.faces().back().slot]);
  }

  const Integer& scale() const { return plan_.scale(); }

 private:
  Integer denominator(std::size_t vertex) const {
    return polytope_.homogeneous_vertices()[vertex * (dimension_ + 1)];
  }

  /// All numbers of a face are below 2^(64 width - 2).
  void choose_exponent(const FacePlan::Face& face, Series<width>& own) const {
    const double bits =
        own.log_first + log_binomial(monomials_.total() + face.dimension, face.dimension);
    own.exponent = static_cast<long>(std::ceil(bits + 1e-3)) + 2 - 64 * static_cast<long>(width);
  }

  void start(const FacePlan::Face& face, Series<width>& own) const {
    const Integer denominator = this->denominator(face.apex);
    own.log_first = -log_of(denominator);
    choose_exponent(face, own);
    own.numbers[0] = rounded<width>(ratio(1, denominator), -own.exponent);
    own.error = 1;
  }

  void add_parts(const FacePlan::Face& face, Series<width>& own) const {
    constexpr long room = 4;  // the factors of parts are below 2^room
    const Integer denominator = this->denominator(face.apex);
    const double log_denominator = log_of(denominator);
    std::vector<double> logs;
    for (std::size_t i = face.first; i < face.last; ++i)
      logs.push_back(log_of(plan_.weights()[i]) - log_denominator + part(i).log_first);
    const double highest = *std::ranges::max_element(logs);
    double sum = 0;
    for (const double log : logs) sum += std::exp2(log - highest);
    own.log_first = highest + std::log2(sum) + 1e-6;
    choose_exponent(face, own);
    own.error = 0;
    for (std::size_t i = face.first; i < face.last; ++i) {
      const Series<width>& part = this->part(i);
      const long shift = part.exponent - own.exponent;
      const Number<width> factor = rounded<width>(ratio(plan_.weights()[i], denominator),
                                                  shift + 64 * static_cast<long>(width) - room);
      for (std::size_t m = 0; m < own.numbers.size(); ++m)
        add_high_product<false>(own.numbers[m], part.numbers[m], factor);
      const double log_factor =
          log_of(plan_.weights()[i]) - log_denominator + static_cast<double>(shift);
      own.error += part.error * std::exp2(std::max(log_factor, -1000.0)) * (1 + 1e-6) +
                   std::exp2(room) * (product_error<width> + 1);
    }
    for (Number<width>& number : own.numbers) shift_left(number, room);
  }

  const Series<width>& part(std::size_t i) const {
    return series_[plan_.faces()[plan_.part(i)].slot];
  }

  /// f(m) += sum over j of s_j m_j/|m| f(m - e_j).
  void divide(std::size_t apex, Series<width>& own) {
    std::vector<bool> minus(dimension_), zero(dimension_);
    for (std::size_t j = 0; j < dimension_; ++j) {
      Rational coordinate = ratio(polytope_.homogeneous_vertices()[apex * (dimension_ + 1) + 1 + j],
                                  denominator(apex));
      minus[j] = coordinate < 0;
      zero[j] = coordinate == 0;
      if (zero[j]) continue;
      const Number<width> magnitude =
          rounded<width>(abs(coordinate), 64 * static_cast<long>(width) - scales_[j]);
      std::vector<Number<width>>& factors = factors_[j];  // by exponent and degree
      const std::size_t degrees = monomials_.total() + std::size_t{1};
      factors.resize((monomials_.degrees()[j] + 1) * degrees);
      for (unsigned e = 1; e <= monomials_.degrees()[j]; ++e)
        for (unsigned k = e; k < degrees; ++k) factors[e * degrees + k] = scaled(magnitude, e, k);
    }
    const std::size_t last = dimension_ - 1, degrees = monomials_.total() + std::size_t{1};
    for (const MonomialRows::Row& row : monomials_.rows()) {
      for (std::size_t j = 0; j < last; ++j) {
        const unsigned exponent = row.exponents[j];
        if (zero[j] || exponent == 0) continue;
        const Number<width>* const source =
            &own.numbers[monomials_.start(row.place - monomials_.stride(j))];
        add_products(minus[j], &own.numbers[row.start], source,
                     &factors_[j][exponent * degrees + row.degree], row.length);
      }
      if (zero[last]) continue;
      for (std::size_t k = 1; k < row.length; ++k)
        add_products(minus[last], &own.numbers[row.start + k], &own.numbers[row.start + k - 1],
                     &factors_[last][k * degrees + row.degree + k], 1);
    }
    own.error += static_cast<double>(monomials_.total()) * static_cast<double>(dimension_) *
                 (product_error<width> + 2);
  }

  static void add_products(bool minus, Number<width>* target, const Number<width>* source,
                           const Number<width>* factors, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      if (minus)
        add_high_product<true>(target[i], source[i], factors[i]);
      else
        add_high_product<false>(target[i], source[i], factors[i]);
  }

  const Polytope& polytope_;
  const std::span<const long> scales_;
  const MonomialRows& monomials_;
  const std::size_t dimension_;
  const FacePlan plan_;
  std::vector<Series<width>> series_;                // by slot
  std::vector<std::vector<Number<width>>> factors_;  // of each coordinate; scratch of `divide`
};

}  // namespace

template <std::size_t width>
FixedMoments<width> fixed_moments(const Polytope& polytope, std::span<const long> scales,
                                  MonomialRows monomials) {
  Walk<width> walk(polytope, scales, monomials);
  Series<width> series = walk.run();
  FixedMoments<width> result{std::move(monomials), std::move(series.numbers), series.exponent,
                             series.error + product_error<width> + 2, walk.scale()};
  std::vector<Number<width>> factors;  // k!/(k+n)!
  Integer product;
  for (unsigned k = 0; k <= result.monomials.total(); ++k) {
    product = 1;
    for (std::size_t i = 1; i <= polytope.dimension(); ++i) product *= k + i;
    factors.push_back(rounded<width>(ratio(1, product), 64 * static_cast<long>(width)));
  }
  for (const MonomialRows::Row& row : result.monomials.rows())
    for (std::size_t k = 0; k < row.length; ++k) {
      Number<width> number = {};
      add_high_product<false>(number, result.numbers[row.start + k], factors[row.degree + k]);
      result.numbers[row.start + k] = number;
    }
  return result;
}

template FixedMoments<4> fixed_moments(const Polytope&, std::span<const long>, MonomialRows);
template FixedMoments<8> fixed_moments(const Polytope&, std::span<const long>, MonomialRows);
template FixedMoments<16> fixed_moments(const Polytope&, std::span<const long>, MonomialRows);

}  // namespace wmi
