// Exact integration, face by face.

#include <flint/fmpz.h>

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "solver/integrator.h"
#include "solver/integrators/face_plan.h"
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

/// The series of a face as integers over E D^|m|.
struct Series {
  Fmpz e, d;
  std::vector<Fmpz> entries;
};

class Exact {
 public:
  Exact(const Polytope& region, const FacePlan& plan, const MomentTable& table)
      : n_(region.dimension()), table_(table), slots_(plan.slots()) {
    for (std::size_t i = 0; i < region.corners().size(); ++i)
      corners_.emplace_back(region.corners()[i]);
    for (std::size_t i = 0; i < plan.weights().size(); ++i)
      weights_.emplace_back(plan.weights()[i]);
    scaled_.resize(table.size());
    for (Series& s : slots_) s.entries.resize(table.size());
    for (const FacePlan::Face& face : plan.faces()) combine(plan, face);
    top_ = &slots_[plan.faces().back().slot];
  }
  const Series& top() const { return *top_; }

 private:
  void combine(const FacePlan& plan, const FacePlan::Face& face) {
    Series& s = slots_[face.slot];
    const Fmpz* corner = &corners_[face.apex * (n_ + 1)];
    for (Fmpz& x : s.entries) fmpz_zero(x.get());
    fmpz_set(s.d.get(), corner->get());
    fmpz_one(s.e.get());
    if (face.first == face.last) fmpz_one(s.entries[0].get());
    for (std::size_t i = face.first; i < face.last; ++i) {
      const Series& g = slots_[plan.part(i).slot];
      fmpz_lcm(s.d.get(), s.d.get(), g.d.get());
      fmpz_lcm(s.e.get(), s.e.get(), g.e.get());
    }
    for (std::size_t i = face.first; i < face.last; ++i) {
      const Series& g = slots_[plan.part(i).slot];
      fmpz_divexact(factor_.get(), s.e.get(), g.e.get());
      fmpz_mul(factor_.get(), factor_.get(), weights_[i].get());
      fmpz_divexact(ratio_.get(), s.d.get(), g.d.get());
      for (unsigned k = 0; k <= table_.degree(); ++k) {
        for (std::size_t m = table_.start(k); m < table_.start(k + 1); ++m)
          fmpz_addmul(s.entries[m].get(), factor_.get(), g.entries[m].get());
        fmpz_mul(factor_.get(), factor_.get(), ratio_.get());
      }
    }
    fmpz_mul(s.e.get(), s.e.get(), corner->get());
    fmpz_divexact(ratio_.get(), s.d.get(), corner->get());
    auto step = table_.steps().begin();
    const std::size_t sources = table_.start(table_.degree());
    for (std::size_t m = 0; m < table_.size(); ++m) {
      for (; step != table_.steps().end() && step->target == m; ++step)
        fmpz_addmul(s.entries[m].get(), corner[step->coordinate + 1].get(),
                    scaled_[step->source].get());
      if (m < sources) fmpz_mul(scaled_[m].get(), s.entries[m].get(), ratio_.get());
    }
  }

  std::size_t n_;
  const MomentTable& table_;
  std::vector<Fmpz> corners_, weights_;
  std::vector<Series> slots_;
  std::vector<Fmpz> scaled_;
  const Series* top_;
  Fmpz factor_, ratio_;
};

class FaceLattice : public Integrator {
 public:
  std::vector<Interval> integrate(std::span<const Polynomial> integrands,
                                  const Polytope& region) const override {
    if (region.flat()) return std::vector<Interval>(integrands.size());
    const auto table = MomentTable::of(integrands, region.dimension());
    const FacePlan plan(region);
    const Exact exact(region, plan, *table);
    const Series& top = exact.top();
    const std::size_t n = region.dimension();
    std::vector<Interval> result;
    std::size_t at = 0;
    Fmpz denominator, power;
    fmpz_pow_ui(power.get(), top.d.get(), table->degree());
    fmpz_fac_ui(denominator.get(), table->degree() + n);
    fmpz_mul(denominator.get(), denominator.get(), power.get());
    fmpz_mul(denominator.get(), denominator.get(), top.e.get());
    Integer whole;
    fmpz_get_mpz(whole.get_mpz_t(), denominator.get());
    std::vector<Fmpz> sums(table->degree() + 1);
    for (const Polynomial& integrand : integrands) {
      Integer common = 1;
      for (const Polynomial::Term& term : integrand.terms())
        common = lcm(common, term.coefficient.get_den());
      for (Fmpz& sum : sums) fmpz_zero(sum.get());
      for (const Polynomial::Term& term : integrand.terms()) {
        const std::size_t m = table->terms()[at++];
        const Fmpz coefficient(Integer(term.coefficient.get_num() * table->factorial(m) *
                                       (common / term.coefficient.get_den())));
        fmpz_addmul(sums[degree(term.monomial)].get(), coefficient.get(), top.entries[m].get());
      }
      Fmpz sum;
      for (unsigned k = 0; k <= table->degree(); ++k) {
        if (k > 0) fmpz_mul_ui(sum.get(), sum.get(), k + n);
        fmpz_mul(sum.get(), sum.get(), top.d.get());
        fmpz_add(sum.get(), sum.get(), sums[k].get());
      }
      Integer numerator;
      fmpz_get_mpz(numerator.get_mpz_t(), sum.get());
      result.push_back(ratio(numerator * plan.scale(), whole * common));
    }
    return result;
  }
};

}  // namespace

std::unique_ptr<Integrator> make_face_lattice(const IntegratorOptions&) {
  return std::make_unique<FaceLattice>();
}

}  // namespace wmi
