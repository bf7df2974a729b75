// The default integrator: closed forms where they apply; the triangulation for low degrees in the
// plane and on simplices, where no faces are shared; cones at the vertices of large cells in high
// dimensions, which have too many faces; otherwise the face lattice, which measured faster. Where
// the face lattice would take too much memory, cones are used if they can be, or the triangulation,
// whose memory does not grow with the region. If a number of digits is enough, doubles rounded
// outwards come first. Integrands for which these are too wide are integrated again: exactly if the
// numbers are short, which is then cheaper than MPFR, otherwise with more and more bits.

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "solver/integrator.h"
#include "solver/integrators/cone_sums.h"
#include "solver/integrators/enclosed_faces.h"
#include "solver/integrators/face_plan.h"
#include "solver/integrators/methods.h"
#include "solver/integrators/nested_integrals.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

class Auto : public Integrator {
 public:
  Auto(unsigned digits, bool wide_cells) : digits_(digits), wide_cells_(wide_cells) {
    // Some bits are lost to rounding.
    for (const unsigned bits : {128u, 256u, 512u})
      if (digits > 0 && bits > 4 * digits) ladder_.push_back(make_mpfr({.precision = bits}));
  }

  std::vector<Interval> integrate(std::span<const Polynomial> integrands,
                                  const Polytope& region) const override {
    if (region.flat()) return std::vector<Interval>(integrands.size());
    const std::size_t n = region.dimension();
    if (n >= 4)
      if (auto result = integrate_closed_form(integrands, region)) return std::move(*result);
    unsigned degree = 0;
    for (const Polynomial& integrand : integrands) degree = std::max(degree, integrand.degree());
    if (n <= 2 ? degree <= 4 : degree <= 2 && region.vertex_count() == n + 1)
      return triangulation_->integrate(integrands, region);
    const auto from_cones = [&]() -> std::optional<std::vector<Interval>> {
      try {
        return integrate_by_cones(integrands, region, digits_);
      } catch (const PlanTooLarge&) {
        return std::nullopt;
      }
    };
    const bool by_cones = prefers_cones(region, degree);
    if (by_cones)
      if (auto result = from_cones()) return std::move(*result);
    try {
      const FacePlan plan(region);
      return digits_ == 0 ? integrate_faces(integrands, region, plan)
                          : enclose(integrands, region, plan);
    } catch (const PlanTooLarge&) {
      if (!by_cones)
        if (auto result = from_cones()) return std::move(*result);
      return triangulation_->integrate(integrands, region);
    }
  }

  std::optional<std::vector<Interval>> enclose(std::span<const EnclosedPolynomial> integrands,
                                               const EnclosedPolytope& region) const override {
    if (digits_ == 0 && !wide_cells_) return std::nullopt;
    auto result = enclose_integrals(integrands, region);
    const auto narrow = [&](const Interval& integral) { return has_digits(integral, digits_); };
    if (result && !wide_cells_ && !std::ranges::all_of(*result, narrow)) return std::nullopt;
    return result;
  }

  std::optional<std::vector<Interval>> enclose(const NestedPolynomial& weight,
                                               std::span<const Polynomial> factors,
                                               const Region& region) const override {
    if (digits_ == 0) return std::nullopt;
    return nested_(weight, factors, region, digits_);
  }

 private:
  std::vector<Interval> enclose(std::span<const Polynomial> integrands, const Polytope& region,
                                const FacePlan& plan) const {
    constexpr unsigned digits_of_double = 15;
    std::vector<Interval> result(integrands.size());
    std::vector<std::size_t> open(integrands.size());
    std::iota(open.begin(), open.end(), std::size_t{0});
    const auto keep = [&](const std::vector<Interval>& found) {
      std::vector<std::size_t> still;
      for (std::size_t k = 0; k < found.size(); ++k) {
        result[open[k]] = found[k];
        if (!has_digits(found[k], digits_)) still.push_back(open[k]);
      }
      open = std::move(still);
    };
    const auto rest = [&] {
      std::vector<Polynomial> polynomials;
      polynomials.reserve(open.size());
      for (const std::size_t i : open) polynomials.push_back(integrands[i]);
      return polynomials;
    };
    if (digits_ <= digits_of_double)
      if (const auto found = enclose_faces(integrands, region, plan)) keep(*found);
    for (const auto& rounded : ladder_) {
      if (open.empty() || region.homogeneous_vertices().small()) break;
      try {
        keep(rounded->integrate(rest(), region));
      } catch (const GaveUp&) {  // beyond the range of MPFR
        break;
      }
    }
    if (!open.empty()) keep(integrate_faces(rest(), region, plan));
    return result;
  }

  unsigned digits_;
  bool wide_cells_;
  std::unique_ptr<Integrator> triangulation_ = make_triangulation({});
  std::vector<std::unique_ptr<Integrator>> ladder_;  // by increasing precision
  NestedIntegrals nested_;
};

}  // namespace

std::unique_ptr<Integrator> make_auto(const IntegratorOptions& options) {
  constexpr unsigned most = 100'000;
  if (options.digits > most)
    throw Error(std::to_string(options.digits) + " digits are more than " + std::to_string(most));
  return std::make_unique<Auto>(options.digits, options.wide_cells);
}

}  // namespace wmi
