// Exact integration over a pulling triangulation: the reference for every other integrator. All
// sums are of integers, and each integrand is divided once, at the end. Each face has its own
// common denominator, since that of a whole polytope can have thousands of digits, and most of the
// work is on small faces. FLINT's integers are machine words up to 62 bits.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "solver/integrator.h"
#include "solver/integrators/face_plan.h"
#include "solver/integrators/simplex_moments.h"
#include "solver/numeric/flint.h"

namespace wmi {
namespace {

/// The series of a face of dimension d as integers over D^(d+1+|m|), D the face's denominator.
class ExactSeries : public FmpzElimination {
 public:
  ExactSeries(std::size_t dimension, const std::vector<std::vector<Fmpz>>& corners,
              const MomentTable& table)
      : dimension_(dimension),
        corners_(corners),
        table_(table),
        series_(dimension + 1, std::vector<Fmpz>(table.size())),
        denominators_(dimension + 1),
        point_(dimension) {}

  std::vector<Fmpz> take() && { return std::move(series_[0]); }
  const Fmpz& denominator() const { return denominators_[0]; }

  void start(std::size_t depth, const std::vector<std::size_t>& vertices) {
    for (Fmpz& entry : series_[depth]) fmpz_zero(entry.get());
    fmpz* const denominator = denominators_[depth].get();
    fmpz_one(denominator);
    for (const std::size_t v : vertices) fmpz_lcm(denominator, denominator, corners_[v][0].get());
  }

  void simplex(std::size_t depth, const std::vector<std::size_t>& vertices, const Fmpz& det) {
    fmpz* const volume = series_[depth][0].get();
    fmpz_abs(volume, det.get());
    for (const std::size_t v : vertices) {
      scale(depth, v);
      fmpz_mul(volume, volume, cofactor_.get());
    }
    for (const std::size_t v : vertices) pull(depth, v);
    check_memory();
  }

  void add(std::size_t depth) {
    fmpz_divexact(cofactor_.get(), denominators_[depth].get(), denominators_[depth + 1].get());
    fmpz_pow_ui(factor_.get(), cofactor_.get(), dimension_ - depth);
    for (unsigned degree = 0; degree <= table_.degree(); ++degree) {
      for (std::size_t i = table_.start(degree); i < table_.start(degree + 1); ++i)
        fmpz_addmul(series_[depth][i].get(), series_[depth + 1][i].get(), factor_.get());
      fmpz_mul(factor_.get(), factor_.get(), cofactor_.get());
    }
  }

  void divide(std::size_t depth, std::size_t vertex) {
    scale(depth, vertex);
    if (!fmpz_is_one(cofactor_.get()))
      for (Fmpz& entry : series_[depth]) fmpz_mul(entry.get(), entry.get(), cofactor_.get());
    pull(depth, vertex);
    check_memory();
  }

 private:
  /// Throws PlanTooLarge. At high degrees, numbers are long.
  void check_memory() const {
    constexpr std::size_t many = 5'000;
    if (table_.size() < many) return;
    std::size_t limbs = 0;
    for (const std::vector<Fmpz>& series : series_)
      for (const Fmpz& entry : series) limbs += fmpz_size(entry.get());
    check_plan_memory(limbs * sizeof(mp_limb_t));
  }

  /// Scales by the quotient of the denominators of the face and the vertex.
  void scale(std::size_t depth, std::size_t vertex) {
    fmpz_divexact(cofactor_.get(), denominators_[depth].get(), corners_[vertex][0].get());
  }

  void pull(std::size_t depth, std::size_t vertex) {
    scale(depth, vertex);
    for (std::size_t j = 0; j < dimension_; ++j)
      fmpz_mul(point_[j].get(), corners_[vertex][j + 1].get(), cofactor_.get());
    std::vector<Fmpz>& series = series_[depth];
    for (const MomentTable::Step& step : table_.steps()) {
      const Fmpz& coordinate = point_[step.coordinate];
      if (zero(coordinate)) continue;
      fmpz_addmul(series[step.target].get(), coordinate.get(), series[step.source].get());
    }
  }

  std::size_t dimension_;
  const std::vector<std::vector<Fmpz>>& corners_;
  const MomentTable& table_;
  std::vector<std::vector<Fmpz>> series_;  // by depth
  std::vector<Fmpz> denominators_;         // by depth
  std::vector<Fmpz> point_;
  Fmpz cofactor_, factor_;
};

/// With D the denominator of all vertices, the integral of x^m is
///
///     sums[m] / D^(n+1+|m|) * m! / (|m|+n)!
///
/// Over the same denominator (M+n)! D^(n+1+M) for all m, with M the highest degree, the numerator
/// is sums[m] D^(M-|m|) m! (M+n)!/(|m|+n)!.
class Moments {
 public:
  Moments(const Polytope& region, std::span<const Polynomial> integrands)
      : table_holder_(MomentTable::of(integrands, region.dimension())), table_(*table_holder_) {
    const std::size_t n = region.dimension();
    const unsigned degree = table_.degree();
    std::vector<std::vector<Fmpz>> corners;
    for (std::size_t v = 0; v < region.vertex_count(); ++v) {
      corners.emplace_back();
      for (std::size_t j = 0; j <= n; ++j)
        corners.back().emplace_back(region.homogeneous_vertices()[v * (n + 1) + j]);
    }
    ExactSeries series(n, corners, table_);
    SimplexWalk(region, corners, series).run();

    const Fmpz common = series.denominator();
    numerators_ = std::move(series).take();
    Fmpz factor(1);  // D^(M-d) (M+n)!/(d+n)!
    for (unsigned d = degree + 1; d-- > 0;) {
      for (std::size_t i = table_.start(d); i < table_.start(d + 1); ++i) {
        fmpz* const numerator = numerators_[i].get();
        fmpz_mul(numerator, numerator, Fmpz(table_.factorial(i)).get());
        fmpz_mul(numerator, numerator, factor.get());
      }
      fmpz_mul(factor.get(), factor.get(), common.get());
      if (d + n > 0) fmpz_mul_ui(factor.get(), factor.get(), d + n);
    }
    Fmpz power;
    fmpz_pow_ui(power.get(), common.get(), n + 1 + degree);
    fmpz_fac_ui(factor.get(), degree + n);
    fmpz_mul(power.get(), power.get(), factor.get());
    fmpz_get_mpz(denominator_.get_mpz_t(), power.get());
  }

  /// To be called for the integrands in their order.
  Rational integral(const Polynomial& integrand) {
    Integer common = 1;
    for (const Polynomial::Term& term : integrand.terms())
      common = lcm(common, term.coefficient.get_den());
    Fmpz sum;
    for (const Polynomial::Term& term : integrand.terms()) {
      const Fmpz coefficient(
          Integer(term.coefficient.get_num() * (common / term.coefficient.get_den())));
      fmpz_addmul(sum.get(), coefficient.get(), numerators_[table_.terms()[next_term_++]].get());
    }
    Integer numerator;
    fmpz_get_mpz(numerator.get_mpz_t(), sum.get());
    return ratio(numerator, denominator_ * common);
  }

 private:
  std::shared_ptr<const MomentTable> table_holder_;
  const MomentTable& table_;
  std::size_t next_term_ = 0;
  std::vector<Fmpz> numerators_;
  Integer denominator_;
};

class Triangulation : public Integrator {
 public:
  std::vector<Interval> integrate(std::span<const Polynomial> integrands,
                                  const Polytope& region) const override {
    if (region.flat()) return std::vector<Interval>(integrands.size());
    thread_local const FlintCache cache;
    Moments moments(region, integrands);
    std::vector<Interval> result;
    result.reserve(integrands.size());
    for (const Polynomial& integrand : integrands) result.emplace_back(moments.integral(integrand));
    return result;
  }
};

}  // namespace

std::unique_ptr<Integrator> make_triangulation(const IntegratorOptions&) {
  return std::make_unique<Triangulation>();
}

}  // namespace wmi
