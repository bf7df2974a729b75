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

class RoundedSeries {
 public:
  using Whole = Integer;

  RoundedSeries(const Polytope& region, const std::vector<std::vector<Integer>>& corners,
                const MomentTable& table, unsigned precision)
      : corners_(corners),
        table_(table),
        series_(region.dimension() + 1, std::vector<Mpfi>(table.size(), Mpfi(precision))),
        product_(precision) {
    points_.reserve(corners.size());
    for (const Point& vertex : region.vertices()) {
      points_.emplace_back();
      for (const Rational& entry : vertex) points_.back().emplace_back(precision, entry);
    }
  }

  std::vector<Mpfi> take() && { return std::move(series_[0]); }

  void start(std::size_t depth, const std::vector<std::size_t>&) {
    for (Mpfi& entry : series_[depth]) mpfi_set_ui(entry.get(), 0);
  }

  void simplex(std::size_t depth, const std::vector<std::size_t>& vertices, const Integer& det) {
    const mpfi_ptr volume = series_[depth][0].get();
    mpfi_set_z(volume, det.get_mpz_t());
    mpfi_abs(volume, volume);
    for (const std::size_t v : vertices) mpfi_div_z(volume, volume, corners_[v][0].get_mpz_t());
    for (const std::size_t v : vertices) pull(depth, v);
  }

  void add(std::size_t depth) {
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const mpfi_ptr sum = series_[depth][i].get();
      mpfi_add(sum, sum, series_[depth + 1][i].get());
    }
  }

  void divide(std::size_t depth, std::size_t vertex) {
    const Integer& denominator = corners_[vertex][0];
    if (denominator != 1)
      for (Mpfi& entry : series_[depth])
        mpfi_div_z(entry.get(), entry.get(), denominator.get_mpz_t());
    pull(depth, vertex);
  }

  static bool zero(const Integer& value) { return value == 0; }
  static void eliminate(Integer& entry, const Integer& pivot, const Integer& head,
                        const Integer& above) {
    entry *= pivot;
    entry -= head * above;
  }
  static void divide_exactly(Integer& entry, const Integer& divisor) {
    mpz_divexact(entry.get_mpz_t(), entry.get_mpz_t(), divisor.get_mpz_t());
  }

 private:
  void pull(std::size_t depth, std::size_t vertex) {
    std::vector<Mpfi>& series = series_[depth];
    for (const MomentTable::Step& step : table_.steps()) {
      const mpfi_srcptr coordinate = points_[vertex][step.coordinate].get();
      if (mpfi_is_zero(coordinate) > 0) continue;
      const mpfi_ptr target = series[step.target].get();
      mpfi_mul(product_.get(), coordinate, series[step.source].get());
      mpfi_add(target, target, product_.get());
    }
  }

  const std::vector<std::vector<Integer>>& corners_;
  const MomentTable& table_;
  std::vector<std::vector<Mpfi>> points_;
  std::vector<std::vector<Mpfi>> series_;  // by depth
  Mpfi product_;
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
    const MomentTable table(integrands, region.dimension());
    const std::vector<Mpfi> moments = this->moments(region, table);
    std::vector<Interval> result;
    result.reserve(integrands.size());
    for (const Polynomial& integrand : integrands) {
      Mpfi sum(precision_);
      for (const Polynomial::Term& term : integrand.terms()) {
        Mpfi part = moments[table.index(term.monomial)];
        mpfi_mul_q(part.get(), part.get(), term.coefficient.get_mpq_t());
        mpfi_add(sum.get(), sum.get(), part.get());
      }
      result.emplace_back(to_rational(&sum.get()->left), to_rational(&sum.get()->right));
    }
    return result;
  }

 private:
  std::vector<Mpfi> moments(const Polytope& region, const MomentTable& table) const {
    std::vector<std::vector<Integer>> corners;
    for (std::size_t v = 0; v < region.vertex_count(); ++v) {
      corners.emplace_back();
      for (std::size_t j = 0; j <= region.dimension(); ++j)
        corners.back().push_back(region.corners()[v * (region.dimension() + 1) + j]);
    }
    RoundedSeries series(region, corners, table, precision_);
    SimplexWalk(region, corners, series);
    std::vector<Mpfi> result = std::move(series).take();

    std::vector<Integer> factorials;
    for (unsigned k = 0; k <= table.degree() + region.dimension(); ++k)
      factorials.push_back(factorial(k));
    for (std::size_t i = 0; i < table.size(); ++i) {  // times m! / (|m|+n)!
      Integer numerator = 1;
      std::size_t degree = 0;
      for (const std::uint32_t exponent : table[i]) {
        numerator *= factorials[exponent];
        degree += exponent;
      }
      mpfi_mul_z(result[i].get(), result[i].get(), numerator.get_mpz_t());
      mpfi_div_z(result[i].get(), result[i].get(),
                 factorials[degree + region.dimension()].get_mpz_t());
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
