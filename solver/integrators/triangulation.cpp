// Exact integration, and the reference for every other backend: the moments of all simplices are
// summed as integers, because each coordinate of the vertices gets one common denominator, and
// each integrand is divided once, at the end. FLINT's integers are plain machine words until they
// outgrow 62 bits.

#include <flint/fmpz.h>

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "solver/integrator.h"
#include "solver/integrators/simplex_moments.h"

namespace wmi {
namespace {

class Fmpz {
 public:
  Fmpz() { fmpz_init(value_); }
  explicit Fmpz(const Integer& value) : Fmpz() { fmpz_set_mpz(value_, value.get_mpz_t()); }
  Fmpz(const Fmpz& other) { fmpz_init_set(value_, other.value_); }
  Fmpz(Fmpz&& other) noexcept : Fmpz() { fmpz_swap(value_, other.value_); }
  Fmpz& operator=(Fmpz other) noexcept {
    fmpz_swap(value_, other.value_);
    return *this;
  }
  ~Fmpz() { fmpz_clear(value_); }

  fmpz* get() { return value_; }
  const fmpz* get() const { return value_; }

 private:
  fmpz_t value_;
};

struct ExactArithmetic {
  using Whole = Fmpz;
  using Number = Fmpz;

  static bool zero(const Fmpz& value) { return fmpz_is_zero(value.get()); }
  static void clear(Fmpz& value) { fmpz_zero(value.get()); }
  static void assign(Fmpz& value, unsigned long other) { fmpz_set_ui(value.get(), other); }
  static void assign_volume(Fmpz& value, const Fmpz& det) { fmpz_abs(value.get(), det.get()); }
  static void add(Fmpz& sum, const Fmpz& term) { fmpz_add(sum.get(), sum.get(), term.get()); }
  static void subtract(Fmpz& from, const Fmpz& term) {
    fmpz_sub(from.get(), from.get(), term.get());
  }
  static void add_product(Fmpz& sum, const Fmpz& a, const Fmpz& b) {
    if (!zero(a)) fmpz_addmul(sum.get(), a.get(), b.get());
  }
  /// entry = (pivot * entry - head * above) / previous, which leaves no remainder.
  static void eliminate(Fmpz& entry, const Fmpz& pivot, const Fmpz& head, const Fmpz& above,
                        const Fmpz& previous) {
    fmpz_mul(entry.get(), entry.get(), pivot.get());
    fmpz_submul(entry.get(), head.get(), above.get());
    fmpz_divexact(entry.get(), entry.get(), previous.get());
  }
};

std::vector<std::vector<Fmpz>> to_fmpz(const std::vector<std::vector<Integer>>& rows) {
  std::vector<std::vector<Fmpz>> result;
  result.reserve(rows.size());
  for (const std::vector<Integer>& row : rows) result.emplace_back(row.begin(), row.end());
  return result;
}

std::vector<Fmpz> powers(const Fmpz& base, std::size_t highest) {
  std::vector<Fmpz> result(1, Fmpz(1));
  while (result.size() <= highest) {
    result.emplace_back();
    fmpz_mul(result.back().get(), result[result.size() - 2].get(), base.get());
  }
  return result;
}

/// With per-coordinate denominators d_j and D their common multiple, the integral of x^m is
///
///     sums[m] / prod_j d_j^(m_j + 1) * m! / (|m|+n)!
///
/// Over the same denominator (M+n)! D^M prod_j d_j for all m, with M the highest degree, the
/// numerator is sums[m] m! (M+n)!/(|m|+n)! D^(M-|m|) prod_j (D/d_j)^m_j.
class Moments {
 public:
  Moments(const Polytope& region, std::span<const Polynomial> integrands)
      : table_(integrands, region.dimension()) {
    const std::size_t n = region.dimension();
    const unsigned degree = table_.degree();
    const IntegerVertices vertices(region);
    const std::vector<std::vector<Fmpz>> corners = to_fmpz(vertices.numerators);
    SimplexMoments walk(region, table_, corners, corners, Fmpz(), ExactArithmetic());
    numerators_ = std::move(walk).take_sums();

    Integer common = 1;
    for (const Integer& d : vertices.denominators) common = lcm(common, d);
    const std::vector<Fmpz> common_powers = powers(Fmpz(common), degree);
    std::vector<std::vector<Fmpz>> cofactor_powers;
    for (const Integer& d : vertices.denominators)
      cofactor_powers.push_back(powers(Fmpz(Integer(common / d)), degree));
    std::vector<Fmpz> factorials(1, Fmpz(1)), falling(1, Fmpz(1));
    for (unsigned k = 1; k <= degree; ++k) {  // falling[k] = (M+n)! / (M+n-k)!
      factorials.push_back(factorials.back());
      fmpz_mul_ui(factorials.back().get(), factorials.back().get(), k);
      falling.push_back(falling.back());
      fmpz_mul_ui(falling.back().get(), falling.back().get(), degree + n + 1 - k);
    }

    for (std::size_t i = 0; i < table_.size(); ++i) {
      fmpz* const numerator = numerators_[i].get();
      unsigned left = degree;
      for (std::size_t j = 0; j < n; ++j) {
        const std::uint32_t exponent = table_[i][j];
        if (exponent == 0) continue;
        left -= exponent;
        fmpz_mul(numerator, numerator, factorials[exponent].get());
        fmpz_mul(numerator, numerator, cofactor_powers[j][exponent].get());
      }
      fmpz_mul(numerator, numerator, falling[left].get());
      fmpz_mul(numerator, numerator, common_powers[left].get());
    }

    mpz_fac_ui(denominator_.get_mpz_t(), degree + n);
    for (unsigned k = 0; k < degree; ++k) denominator_ *= common;
    for (const Integer& d : vertices.denominators) denominator_ *= d;
  }

  Rational integral(const Polynomial& integrand) const {
    Integer common = 1;
    for (const Polynomial::Term& term : integrand.terms())
      common = lcm(common, term.coefficient.get_den());
    Fmpz sum;
    for (const Polynomial::Term& term : integrand.terms()) {
      const Fmpz coefficient(
          Integer(term.coefficient.get_num() * (common / term.coefficient.get_den())));
      ExactArithmetic::add_product(sum, coefficient, numerators_[table_.index(term.monomial)]);
    }
    Integer numerator;
    fmpz_get_mpz(numerator.get_mpz_t(), sum.get());
    return ratio(numerator, denominator_ * common);
  }

 private:
  MomentTable table_;
  std::vector<Fmpz> numerators_;
  Integer denominator_;
};

class Triangulation : public Integrator {
 public:
  std::vector<Interval> integrate(std::span<const Polynomial> integrands,
                                  const Polytope& region) const override {
    if (region.flat()) return std::vector<Interval>(integrands.size());
    const Moments moments(region, integrands);
    std::vector<Interval> result;
    result.reserve(integrands.size());
    for (const Polynomial& integrand : integrands) result.push_back(moments.integral(integrand));
    return result;
  }
};

}  // namespace

std::unique_ptr<Integrator> make_triangulation(const IntegratorOptions&) {
  return std::make_unique<Triangulation>();
}

}  // namespace wmi
