#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "solver/integrators/face_plan.h"
#include "solver/integrators/face_vertices.h"
#include "solver/integrators/graded_vector.h"

namespace wmi::face_lattice {

/// The power series of faces, from the vertices up to the region, by the recurrence of FacePlan:
/// one pass serves all integrands. Keeps its memory from one region to the next.
class FaceSeries {
 public:
  /// Throws PlanTooLarge.
  void compute(const FacePlan& plan, const MomentTable& table, const FaceVertices& vertices) {
    plan_ = &plan;
    table_ = &table;
    vertices_ = &vertices;
    if (series_.size() < plan.slots()) {
      series_.resize(plan.slots());
      denominators_.resize(plan.slots());
    }
    for (const FacePlan::Face& face : plan.faces()) combine(face);
  }

  /// Of the region.
  const GradedVector& series() const { return series_[plan_->faces().back().slot]; }
  const Denominator& denominator() const { return denominators_[plan_->faces().back().slot]; }

  /// The memory that a region with this plan can have used, in words.
  std::size_t capacity(const FacePlan& plan) const {
    std::size_t result = 0;
    for (std::size_t slot = 0; slot < std::min(plan.slots(), series_.size()); ++slot)
      result += series_[slot].numbers.capacity();
    return result;
  }

 private:
  /// The series of a face from those of its parts.
  void combine(const FacePlan::Face& face) {
    using namespace denominators;
    using log_bounds::log_sum;
    GradedVector& own = series_[face.slot];
    Denominator& denominator = denominators_[face.slot];
    denominator.powers = 1;
    if (table_->degree() > 0) denominator.powers = vertices_->denominators[face.apex];
    denominator.apexes = 1;
    own.reset(table_->degree());
    if (face.first == face.last) own.degrees[0].bound = -vertices_->denominator_logs[face.apex];
    for (std::size_t i = face.first; i < face.last; ++i) {
      const std::size_t slot = plan_->faces()[plan_->part(i)].slot;
      set_multiple(denominator.powers, denominators_[slot].powers);
      set_multiple(denominator.apexes, denominators_[slot].apexes);
      const double weight = weight_log(*plan_, i) - vertices_->denominator_logs[face.apex];
      for (unsigned k = 0; k <= table_->degree(); ++k)
        own.degrees[k].bound =
            log_sum(own.degrees[k].bound, series_[slot].degrees[k].bound + weight);
    }
    for (unsigned k = 1; k <= table_->degree(); ++k)
      own.degrees[k].bound =
          log_sum(own.degrees[k].bound, own.degrees[k - 1].bound + vertices_->sizes[face.apex]);
    parts_apexes_ = denominator.apexes;
    denominator.apexes *= vertices_->denominators[face.apex];
    bytes_ -= own.numbers.size() * sizeof(Limb);
    own.allocate(*table_, denominator, false);
    bytes_ += own.numbers.size() * sizeof(Limb);
    check_plan_memory(bytes_);

    if (face.first == face.last) own.entry(0, 0)[0] = 1;
    for (std::size_t i = face.first; i < face.last; ++i) {
      const std::size_t slot = plan_->faces()[plan_->part(i)].slot;
      set_quotient(factor_, parts_apexes_, denominators_[slot].apexes);
      set_quotient(ratio_, denominator.powers, denominators_[slot].powers);
      Factor factor(factor_);
      factor.multiply(plan_->weights(), i);
      const bool grows = !is_one(ratio_);
      for (unsigned k = 0; k <= table_->degree(); ++k) {
        add_multiple(*table_, own, series_[slot], k, factor);
        if (k < table_->degree() && grows) factor.multiply(ratio_);
      }
    }
    divide(own, denominator, face.apex);
  }

  /// series[m] += sum over j of x_j series[m - e_j], x the apex.
  void divide(GradedVector& series, const Denominator& denominator, std::size_t apex) {
    if (vertices_->sizes[apex] == log_bounds::zero || table_->degree() == 0) return;
    denominators::set_quotient(ratio_, denominator.powers, vertices_->denominators[apex]);
    const VertexCoordinates point = vertices_->coordinates(apex);
    auto step = table_->steps().begin();
    for (unsigned k = 1; k <= table_->degree(); ++k) {
      const std::size_t width = series.degrees[k].width, before = table_->start(k - 1);
      scratch_.assign((table_->start(k) - before) * width, 0);
      limbs::with_width(width, [&](auto constant) {
        constexpr std::size_t fixed = decltype(constant)::value;
        for (std::size_t m = before; m < table_->start(k); ++m) {
          Limb* const to = &scratch_[(m - before) * width];
          const Limb* const from = series.entry(k - 1, m);
          const std::size_t from_width = series.degrees[k - 1].width;
          if constexpr (fixed == 0)
            limbs::add_product(to, width, from, from_width, denominators::data(ratio_),
                               denominators::size(ratio_));
          else
            limbs::add_product<fixed>(to, from, from_width, denominators::data(ratio_),
                                      denominators::size(ratio_));
        }
        for (; step != table_->steps().end() && step->target < table_->start(k + 1); ++step)
          point.template add_product<fixed>(series.entry(k, step->target),
                                            &scratch_[(step->source - before) * width], width,
                                            step->coordinate);
      });
    }
  }

  const FacePlan* plan_ = nullptr;
  const MomentTable* table_ = nullptr;
  const FaceVertices* vertices_ = nullptr;
  std::vector<GradedVector> series_;       // by slot
  std::vector<Denominator> denominators_;  // likewise
  std::vector<Limb> scratch_;
  Integer factor_, ratio_, parts_apexes_;
  std::size_t bytes_ = 0;  // of all series
};

}  // namespace wmi::face_lattice
