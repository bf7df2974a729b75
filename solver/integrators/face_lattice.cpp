// Exact integration over a polytope, face by face: the recurrence of FacePlan on integers, over a
// denominator of each face's own. A common denominator of the whole polytope can have thousands of
// digits, and most of the work is on small faces.
//
// An integral is linear in the series of the region, and the series of a face is linear in those of
// its parts. So the plan can be followed in two directions: upwards with series (FaceSeries), which
// serve all integrands at once, and downwards with functionals (FaceFunctionals), one for each
// integrand, whose numbers depend only on the apexes above a face and are shortest in the highest
// degrees, where most monomials are.
//
// With q_i the denominators of the vertices, the series of a face with d dimensions is an integer
// for each monomial m over
//
//     lcm over its simplices of prod q_i  *  (lcm of q_i)^|m|
//
// which is far less than (lcm of q_i)^(d+1+|m|); likewise for functionals, with M-|m| for |m|.
// Bounds on the logarithms of series and functionals, degree by degree, limit the size of every
// number, so that numbers have a fixed width for each degree and never overflow.

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "solver/integrator.h"
#include "solver/integrators/face_functionals.h"
#include "solver/integrators/face_plan.h"
#include "solver/integrators/face_series.h"
#include "solver/integrators/methods.h"

namespace wmi {
namespace face_lattice {
namespace {

/// Keeps its memory from one region to the next.
class Exact {
 public:
  std::vector<Interval> integrals(std::span<const Polynomial> integrands, const Polytope& region,
                                  const FacePlan& plan) {
    const std::size_t dimension = region.dimension();
    const std::shared_ptr<const MomentTable> table = MomentTable::of(integrands, dimension);
    table_ = table.get();
    plan_ = &plan;
    // Downwards is faster, and more so in higher degrees, but for one integrand only.
    const bool upwards = integrands.size() > 2;
    vertices_.read(region);

    if (values_.size() < integrands.size()) values_.resize(integrands.size());
    functionals_.prepare(plan, *table, vertices_, dimension, integrands.size(), !upwards);
    if (upwards) series_.compute(plan, *table, vertices_);
    std::size_t count = 0, first_term = 0;
    units_.resize(integrands.size());
    for (std::size_t i = 0; i < integrands.size(); ++i) {
      units_[i] = functionals_.start(integrands[i], i, first_term);
      first_term += integrands[i].terms().size();
      if (upwards) {
        count = 1;
        if (values_[i].empty()) values_[i].emplace_back();
        evaluate(functionals_.functional(i), values_[i][0]);
      } else {
        count = functionals_.descend(i, values_[i]);
      }
    }

    Integer factorial;
    mpz_fac_ui(factorial.get_mpz_t(), table->degree() + dimension);
    std::vector<Interval> result;
    result.reserve(integrands.size());
    for (std::size_t i = 0; i < integrands.size(); ++i)
      result.emplace_back(add_up(std::span(values_[i]).first(count), factorial * units_[i]));
    return result;
  }

  /// The memory that the last region can have used, in words.
  std::size_t capacity() const { return series_.capacity(*plan_) + functionals_.capacity(); }

 private:
  /// The functional of the region at its series.
  void evaluate(const GradedVector& functional, Value& result) {
    using namespace denominators;
    const GradedVector& series = series_.series();
    const Denominator& below = series_.denominator();
    const Denominator& above = functionals_.denominator();
    result.denominator.apexes = above.apexes * below.apexes;
    result.denominator.powers = above.powers;
    set_multiple(result.denominator.powers, below.powers);
    set_quotient(factor_, result.denominator.powers, above.powers);
    set_quotient(ratio_, result.denominator.powers, below.powers);
    result.numerator = 0;
    power_ = 1;
    for (unsigned k = 0; k <= table_->degree(); ++k) {
      const std::size_t width = functional.degrees[k].width, other = series.degrees[k].width;
      scratch_.assign(width + other + 1, 0);
      for (std::size_t m = table_->start(k); m < table_->start(k + 1); ++m)
        limbs::add_signed_product(scratch_.data(), scratch_.size(), functional.entry(k, m), width,
                                  series.entry(k, m), other);
      limbs::load(sum_, scratch_.data(), scratch_.size());
      if (k > 0) result.numerator *= factor_;
      mpz_addmul(result.numerator.get_mpz_t(), power_.get_mpz_t(), sum_.get_mpz_t());
      if (k < table_->degree()) power_ *= ratio_;
    }
  }

  /// The sum of the values, divided by `divisor`.
  Rational add_up(std::span<const Value> values, const Integer& divisor) {
    using namespace denominators;
    common_.apexes = common_.powers = 1;
    for (const Value& value : values) set_multiple(common_.apexes, value.denominator.apexes);
    if (table_->degree() > 0)
      for (const Integer& denominator : vertices_.denominators)
        set_multiple(common_.powers, denominator);
    sum_ = 0;
    for (const Value& value : values) {
      set_quotient(factor_, common_.apexes, value.denominator.apexes);
      if (table_->degree() > 0) {
        set_quotient(ratio_, common_.powers, value.denominator.powers);
        if (table_->degree() > 1)
          mpz_pow_ui(ratio_.get_mpz_t(), ratio_.get_mpz_t(), table_->degree());
        factor_ *= ratio_;
      }
      mpz_addmul(sum_.get_mpz_t(), value.numerator.get_mpz_t(), factor_.get_mpz_t());
    }
    Rational result;
    result.get_num() = sum_ * plan_->scale();
    mpz_pow_ui(ratio_.get_mpz_t(), common_.powers.get_mpz_t(), table_->degree());
    ratio_ *= common_.apexes;
    result.get_den() = ratio_ * divisor;
    result.canonicalize();
    return result;
  }

  const MomentTable* table_ = nullptr;
  const FacePlan* plan_ = nullptr;
  FaceVertices vertices_;
  FaceSeries series_;
  FaceFunctionals functionals_;
  std::vector<std::vector<Value>> values_;  // by integrand; their sum is the integral
  std::vector<Integer> units_;              // by integrand
  std::vector<Limb> scratch_;
  Integer factor_, ratio_, power_, sum_;
  Denominator common_;  // of all values
};

class FaceLattice : public Integrator {
 public:
  std::vector<Interval> integrate(std::span<const Polynomial> integrands,
                                  const Polytope& region) const override {
    if (region.flat()) return std::vector<Interval>(integrands.size());
    return integrate_faces(integrands, region, FacePlan(region));
  }
};

}  // namespace
}  // namespace face_lattice

std::vector<Interval> integrate_faces(std::span<const Polynomial> integrands,
                                      const Polytope& region, const FacePlan& plan) {
  constexpr std::size_t kept = 1 << 21;
  thread_local face_lattice::Exact exact;
  try {
    std::vector<Interval> result = exact.integrals(integrands, region, plan);
    if (exact.capacity() > kept) exact = face_lattice::Exact();
    return result;
  } catch (const PlanTooLarge&) {
    exact = face_lattice::Exact();
    throw;
  }
}

std::unique_ptr<Integrator> make_face_lattice(const IntegratorOptions&) {
  return std::make_unique<face_lattice::FaceLattice>();
}

}  // namespace wmi
