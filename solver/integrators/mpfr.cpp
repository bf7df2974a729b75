// The moments of the triangulation backend in interval arithmetic: every number is a pair of MPFR
// floats that are rounded outwards, by MPFI. Only the volumes of the simplices are exact, because
// an elimination in intervals could find no pivot that is certainly not 0.

#include <mpfi.h>
#include <mpfr.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "solver/error.h"
#include "solver/integrator.h"
#include "solver/integrators/simplex_moments.h"

namespace wmi {
namespace {

class Mpfi {
 public:
  explicit Mpfi(unsigned precision) {
    mpfi_init2(value_, static_cast<mpfr_prec_t>(precision));
    mpfi_set_ui(value_, 0);
  }
  Mpfi(unsigned precision, const Rational& value) : Mpfi(precision) {
    mpfi_set_q(value_, value.get_mpq_t());
  }
  Mpfi(const Mpfi& other) {
    mpfi_init2(value_, mpfi_get_prec(other.value_));
    mpfi_set(value_, other.value_);
  }
  Mpfi& operator=(const Mpfi& other) = delete;
  ~Mpfi() { mpfi_clear(value_); }

  mpfi_ptr get() { return value_; }
  mpfi_srcptr get() const { return value_; }

 private:
  mpfi_t value_;
};

class RoundedArithmetic {
 public:
  using Whole = Integer;
  using Number = Mpfi;

  explicit RoundedArithmetic(unsigned precision) : product_(precision) {}

  static bool zero(const Integer& value) { return value == 0; }
  static void clear(Mpfi& value) { mpfi_set_ui(value.get(), 0); }
  static void assign(Integer& value, unsigned long other) { value = other; }
  static void assign_volume(Mpfi& value, const Integer& det) {
    mpfi_set_z(value.get(), Integer(abs(det)).get_mpz_t());
  }
  static void add(Mpfi& sum, const Mpfi& term) { mpfi_add(sum.get(), sum.get(), term.get()); }
  static void subtract(Integer& from, const Integer& term) { from -= term; }
  void add_product(Mpfi& sum, const Mpfi& a, const Mpfi& b) {
    if (mpfi_is_zero(a.get()) > 0) return;
    mpfi_mul(product_.get(), a.get(), b.get());
    add(sum, product_);
  }
  static void eliminate(Integer& entry, const Integer& pivot, const Integer& head,
                        const Integer& above, const Integer& previous) {
    entry *= pivot;
    entry -= head * above;
    mpz_divexact(entry.get_mpz_t(), entry.get_mpz_t(), previous.get_mpz_t());
  }

 private:
  Mpfi product_;
};

Rational to_rational(mpfr_srcptr value) {
  if (!mpfr_number_p(value))
    throw Error("an integral is beyond the range of MPFR; integrate exactly");
  Rational result;
  mpfr_get_q(result.get_mpq_t(), value);
  return result;
}

Integer factorial(unsigned long n) {
  Integer result;
  mpz_fac_ui(result.get_mpz_t(), n);
  return result;
}

class Mpfr : public Integrator {
 public:
  explicit Mpfr(unsigned precision) : precision_(precision) {}

  std::vector<Interval> integrate(std::span<const Polynomial> integrands,
                                  const Polytope& region) const override {
    if (region.flat()) return std::vector<Interval>(integrands.size());
    const MomentTable table(integrands, region.dimension());
    const std::vector<Mpfi> moments = this->moments(region, table);
    RoundedArithmetic arithmetic(precision_);
    std::vector<Interval> result;
    result.reserve(integrands.size());
    for (const Polynomial& integrand : integrands) {
      Mpfi sum(precision_);
      for (const Polynomial::Term& term : integrand.terms())
        arithmetic.add_product(sum, Mpfi(precision_, term.coefficient),
                               moments[table.index(term.monomial)]);
      result.emplace_back(to_rational(&sum.get()->left), to_rational(&sum.get()->right));
    }
    return result;
  }

 private:
  std::vector<Mpfi> moments(const Polytope& region, const MomentTable& table) const {
    const IntegerVertices vertices(region);
    std::vector<std::vector<Mpfi>> points;
    for (const Point& vertex : region.vertices()) {
      points.emplace_back();
      for (const Rational& entry : vertex) points.back().emplace_back(precision_, entry);
    }
    SimplexMoments walk(region, table, vertices.numerators, points, Mpfi(precision_),
                        RoundedArithmetic(precision_));
    std::vector<Mpfi> result = std::move(walk).take_sums();

    Integer scale = 1;
    for (const Integer& denominator : vertices.denominators) scale *= denominator;
    std::vector<Integer> factorials;
    for (unsigned k = 0; k <= table.degree() + region.dimension(); ++k)
      factorials.push_back(factorial(k));
    for (std::size_t i = 0; i < table.size(); ++i) {
      Integer numerator = 1;
      std::size_t degree = 0;
      for (const std::uint32_t exponent : table[i]) {
        numerator *= factorials[exponent];
        degree += exponent;
      }
      mpfi_mul_z(result[i].get(), result[i].get(), numerator.get_mpz_t());
      mpfi_div_z(result[i].get(), result[i].get(),
                 Integer(factorials[degree + region.dimension()] * scale).get_mpz_t());
    }
    return result;
  }

  unsigned precision_;
};

}  // namespace

std::unique_ptr<Integrator> make_mpfr(const IntegratorOptions& options) {
  constexpr unsigned least = 2, most = 1'000'000;
  if (options.precision < least || options.precision > most)
    throw Error("a precision of " + std::to_string(options.precision) + " bits is not between " +
                std::to_string(least) + " and " + std::to_string(most));
  return std::make_unique<Mpfr>(options.precision);
}

}  // namespace wmi
