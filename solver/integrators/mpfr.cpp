// The recurrence of FacePlan in interval arithmetic: every number is a pair of MPFR floats, rounded
// outwards by MPFI. The weights of the plan are exact.

#include <mpfi.h>
#include <mpfr.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "solver/integrator.h"
#include "solver/integrators/face_plan.h"
#include "solver/integrators/simplex_moments.h"
#include "solver/terms/error.h"

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

Rational to_rational(mpfr_srcptr value) {
  if (!mpfr_number_p(value))
    throw GaveUp("an integral is beyond the range of MPFR; integrate exactly");
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
    const std::shared_ptr<const MomentTable> table =
        MomentTable::of(integrands, region.dimension());
    const std::vector<Mpfi> moments = this->moments(region, *table);
    std::vector<Interval> result;
    result.reserve(integrands.size());
    std::size_t term_number = 0;
    for (const Polynomial& integrand : integrands) {
      Mpfi sum(precision_);
      for (const Polynomial::Term& term : integrand.terms()) {
        Mpfi part = moments[table->terms()[term_number++]];
        mpfi_mul_q(part.get(), part.get(), term.coefficient.get_mpq_t());
        mpfi_add(sum.get(), sum.get(), part.get());
      }
      result.emplace_back(to_rational(&sum.get()->left), to_rational(&sum.get()->right));
    }
    return result;
  }

 private:
  std::vector<Mpfi> moments(const Polytope& region, const MomentTable& table) const {
    const std::size_t n = region.dimension();
    std::vector<std::vector<Mpfi>> points;
    for (const Point& vertex : region.vertices()) {
      points.emplace_back();
      for (const Rational& entry : vertex) points.back().emplace_back(precision_, entry);
    }
    const FacePlan plan(region);
    check_plan_memory(plan.slots() * table.size() * (sizeof(Mpfi) + precision_ / 4));
    std::vector<std::vector<Mpfi>> series(plan.slots());
    Mpfi product(precision_);
    for (const FacePlan::Face& face : plan.faces()) {
      std::vector<Mpfi>& own = series[face.slot];
      if (own.empty()) own = std::vector<Mpfi>(table.size(), Mpfi(precision_));
      for (Mpfi& entry : own) mpfi_set_ui(entry.get(), 0);
      const Integer denominator = region.homogeneous_vertices()[face.apex * (n + 1)];
      if (face.first == face.last) mpfi_set_ui(own[0].get(), 1);
      for (std::size_t i = face.first; i < face.last; ++i) {
        const Integer weight = plan.weights()[i];
        const std::vector<Mpfi>& part = series[plan.faces()[plan.part(i)].slot];
        for (std::size_t m = 0; m < table.size(); ++m) {
          mpfi_mul_z(product.get(), part[m].get(), weight.get_mpz_t());
          mpfi_add(own[m].get(), own[m].get(), product.get());
        }
      }
      if (denominator != 1)
        for (Mpfi& entry : own) mpfi_div_z(entry.get(), entry.get(), denominator.get_mpz_t());
      for (const MomentTable::Step& step : table.steps()) {
        const mpfi_srcptr coordinate = points[face.apex][step.coordinate].get();
        if (mpfi_is_zero(coordinate) > 0) continue;
        mpfi_mul(product.get(), coordinate, own[step.source].get());
        mpfi_add(own[step.target].get(), own[step.target].get(), product.get());
      }
    }

    std::vector<Mpfi>& result = series[plan.faces().back().slot];
    for (unsigned k = 0; k <= table.degree(); ++k) {
      const Integer divisor = factorial(k + n);
      for (std::size_t m = table.start(k); m < table.start(k + 1); ++m) {
        const Integer factor = table.factorial(m) * plan.scale();
        mpfi_mul_z(result[m].get(), result[m].get(), factor.get_mpz_t());
        mpfi_div_z(result[m].get(), result[m].get(), divisor.get_mpz_t());
      }
    }
    return std::move(result);
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
