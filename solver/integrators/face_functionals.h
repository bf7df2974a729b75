#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "solver/integrators/face_plan.h"
#include "solver/integrators/face_vertices.h"
#include "solver/integrators/face_walk.h"
#include "solver/integrators/graded_vector.h"
#include "solver/terms/polynomial.h"

namespace wmi::face_lattice {

/// The fraction numerator / (apexes powers^M).
struct Value {
  Integer numerator;
  Denominator denominator;
};

/// The functional of an integrand, from the region down to the vertices: the transpose of the
/// recurrence of FacePlan, for each integrand on its own. Keeps its memory from one region to the
/// next.
class FaceFunctionals {
 public:
  /// `all_faces`: the denominators of all faces are needed, not of the region alone.
  void prepare(const FacePlan& plan, const MomentTable& table, const FaceVertices& vertices,
               std::size_t dimension, std::size_t integrands, bool all_faces) {
    plan_ = &plan;
    table_ = &table;
    vertices_ = &vertices;
    faces_ = plan.faces();
    dimension_ = dimension;
    all_faces_ = all_faces;
    if (functionals_.size() < integrands) functionals_.resize(integrands);
    find_denominators();
  }

  /// Sets the functional of the i-th integrand at the region, times (M+n)! and the number that is
  /// returned, a common denominator of its coefficients: the one of x^m is m! (M+n)!/(|m|+n)!.
  Integer start(const Polynomial& integrand, std::size_t i, std::size_t first_term) {
    if (functionals_[i].size() < faces_.size()) functionals_[i].resize(faces_.size());
    GradedVector& functional = functionals_[i][faces_.size() - 1];
    functional.reset(table_->degree());
    return start(integrand, first_term, functional);
  }

  /// At the region.
  const GradedVector& functional(std::size_t i) const { return functionals_[i][faces_.size() - 1]; }
  const Denominator& denominator() const { return denominators_[faces_.size() - 1]; }

  /// Carries the i-th functional from the region to the vertices. Sets its values there, and
  /// returns their number. Throws PlanTooLarge.
  std::size_t descend(std::size_t i, std::vector<Value>& values) {
    std::vector<GradedVector>& functionals = functionals_[i];
    bytes_ = faces_.size() * (table_->degree() + 1) * sizeof(GradedVector::Degree);
    check_plan_memory(bytes_);
    for (std::size_t f = 0; f + 1 < faces_.size(); ++f) functionals[f].reset(table_->degree());
    for (std::size_t f = faces_.size(); f-- > 0;) {
      const FacePlan::Face& face = faces_[f];
      GradedVector& own = functionals[f];
      if (f + 1 < faces_.size()) pull_bounds(own, face.apex);
      for (std::size_t p = face.first; p < face.last; ++p) {
        GradedVector& part = functionals[plan_->part(p)];
        const double weight = weight_log(*plan_, p) - vertices_->denominator_logs[face.apex];
        for (unsigned k = 0; k <= table_->degree(); ++k)
          part.degrees[k].bound =
              log_bounds::log_sum(part.degrees[k].bound, own.degrees[k].bound + weight);
      }
    }
    Descent descent{*this, functionals, values};
    walk_down(*plan_, descent);
    return descent.count;
  }

  /// The memory that the current region can have used, in words.
  std::size_t capacity() const {
    std::size_t result = 0;
    for (const std::vector<GradedVector>& functionals : functionals_)
      for (std::size_t f = 0; f < std::min(faces_.size(), functionals.size()); ++f)
        result += functionals[f].numbers.capacity();
    return result;
  }

 private:
  /// `apexes` before the face itself is pulled, `powers` afterwards.
  void find_denominators() {
    if (denominators_.size() < faces_.size()) denominators_.resize(faces_.size());
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      denominators_[f].apexes = 1;
      denominators_[f].powers = 1;
    }
    if (!all_faces_) return;
    for (std::size_t f = faces_.size(); f-- > 0;) {
      const FacePlan::Face& face = faces_[f];
      Denominator& own = denominators_[f];
      if (table_->degree() > 0)
        denominators::set_multiple(own.powers, vertices_->denominators[face.apex]);
      own.pulled = own.apexes * vertices_->denominators[face.apex];
      for (std::size_t i = face.first; i < face.last; ++i) {
        Denominator& part = denominators_[plan_->part(i)];
        denominators::set_multiple(part.powers, own.powers);
        denominators::set_multiple(part.apexes, own.pulled);
      }
    }
  }

  Integer start(const Polynomial& integrand, std::size_t first_term, GradedVector& functional) {
    Integer common = 1;
    for (const Polynomial::Term& term : integrand.terms())
      denominators::set_multiple(common, term.coefficient.get_den());

    const Denominator& denominator = this->denominator();
    scales_.resize(table_->degree() + 1);
    scales_[table_->degree()] = 1;
    for (unsigned k = table_->degree(); k-- > 0;)
      scales_[k] = scales_[k + 1] * (k + 1 + dimension_) * denominator.powers;

    const std::size_t count = integrand.terms().size();
    if (entries_.size() < count) entries_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Polynomial::Term& term = integrand.terms()[i];
      const unsigned k = degree(term.monomial);
      Integer& entry = entries_[i];
      entry = term.coefficient.get_num() * table_->factorial(table_->terms()[first_term + i]);
      entry *= scales_[k];
      if (!denominators::is_one(common)) entry *= common / term.coefficient.get_den();
      double& bound = functional.degrees[k].bound;
      bound = std::max(bound, log_bounds::log_above(entry));
    }
    const double powers = log_bounds::log_below(denominator.powers);
    for (unsigned k = 0; k < table_->degree(); ++k)
      functional.degrees[k].bound -= powers * (table_->degree() - k);
    if (all_faces_) pull_bounds(functional, faces_.back().apex);
    functional.allocate(*table_, denominator, true);
    for (std::size_t i = 0; i < count; ++i) {
      const unsigned k = degree(integrand.terms()[i].monomial);
      limbs::store(functional.entry(k, table_->terms()[first_term + i]),
                   functional.degrees[k].width, entries_[i]);
    }
    constexpr std::size_t many = 4096;  // not worth keeping for the next region
    if (entries_.size() > many) entries_ = std::vector<Integer>();
    return common;
  }

  /// The effect of `pull` on the bounds of a functional.
  void pull_bounds(GradedVector& functional, std::size_t apex) const {
    for (unsigned k = table_->degree(); k-- > 0;) {
      double& bound = functional.degrees[k].bound;
      bound = log_bounds::log_sum(bound, functional.degrees[k + 1].bound + vertices_->sizes[apex]);
    }
  }

  /// The operations of `walk_down`.
  struct Descent {
    FaceFunctionals& all;
    std::vector<GradedVector>& functionals;
    std::vector<Value>& values;
    std::size_t count = 0;

    void pull(std::size_t f) { all.pull(functionals[f], f); }
    void take(std::size_t f) {
      if (values.size() == count) values.emplace_back();
      Value& value = values[count++];
      GradedVector& own = functionals[f];
      limbs::load(value.numerator, own.entry(0, 0), own.degrees[0].width);
      value.denominator.apexes = all.denominators_[f].pulled;
      value.denominator.powers = all.denominators_[f].powers;
    }
    void hand_down(std::size_t f, std::size_t i) {
      GradedVector& own = functionals[f];
      all.hand_down(own, functionals[all.plan_->part(i)], f, i);
      constexpr std::size_t large = 1 << 14;  // not worth keeping for the next region
      if (i + 1 == all.faces_[f].last && own.numbers.size() > large) {
        all.bytes_ -= std::min(all.bytes_, own.numbers.size() * sizeof(Limb));
        own.numbers = std::vector<Limb>();
      }
    }
  };

  void hand_down(const GradedVector& own, GradedVector& part, std::size_t f, std::size_t i) {
    const Denominator& part_denominator = denominators_[plan_->part(i)];
    if (!part.allocated) {
      part.allocate(*table_, part_denominator, true);
      bytes_ += part.numbers.size() * sizeof(Limb);
      check_plan_memory(bytes_);
    }
    denominators::set_quotient(factor_, part_denominator.apexes, denominators_[f].pulled);
    denominators::set_quotient(ratio_, part_denominator.powers, denominators_[f].powers);
    denominators::Factor factor(factor_);
    factor.multiply(plan_->weights(), i);
    const bool grows = !denominators::is_one(ratio_);
    for (unsigned k = table_->degree() + 1; k-- > 0;) {
      add_multiple(*table_, part, own, k, factor);
      if (k > 0 && grows) factor.multiply(ratio_);
    }
  }

  /// functional[m] += sum over j of x_j functional[m + e_j], x the apex.
  void pull(GradedVector& functional, std::size_t f) {
    const std::size_t apex = faces_[f].apex;
    if (vertices_->sizes[apex] == log_bounds::zero || table_->degree() == 0) return;
    denominators::set_quotient(ratio_, denominators_[f].powers, vertices_->denominators[apex]);
    const VertexCoordinates point = vertices_->coordinates(apex);
    const MomentTable::Step* rise = table_->rises().data() + table_->rises().size();
    for (unsigned k = table_->degree(); k-- > 0;) {
      const GradedVector::Degree &here = functional.degrees[k], &above = functional.degrees[k + 1];
      const std::size_t width =
          std::min(here.width, log_bounds::words_for(above.bits + vertices_->lengths[apex]));
      const std::size_t next = table_->start(k + 1), count = table_->start(k + 2) - next;
      const Limb* numbers = functional.entry(k + 1, next);
      const bool pairs = width == 2 && above.width == 1 && point.words != nullptr;
      if (above.width != width && !pairs) {
        scratch_.resize(count * width);
        for (std::size_t i = 0; i < count; ++i)
          limbs::extend(&scratch_[i * width], width, numbers + i * above.width, above.width);
        numbers = scratch_.data();
      }
      const auto add_up = [&](auto constant, auto&& add) {
        sum_up<decltype(constant)::value>(functional, k, width, rise, add);
      };
      if (pairs)
        add_up(std::integral_constant<std::size_t, 2>(),
               [=, words = point.words](Limb* sum, const MomentTable::Step& step) {
                 limbs::add_pair(sum, numbers[step.target - next], words[step.coordinate]);
               });
      else
        limbs::with_width(width, [&](auto constant) {
          constexpr std::size_t fixed = decltype(constant)::value;
          if constexpr (fixed > 0)
            if (point.words != nullptr)
              return add_up(constant,
                            [=, words = point.words](Limb* sum, const MomentTable::Step& step) {
                              limbs::add_product<fixed>(sum, numbers + (step.target - next) * fixed,
                                                        words[step.coordinate]);
                            });
          add_up(std::integral_constant<std::size_t, 0>(),
                 [&](Limb* sum, const MomentTable::Step& step) {
                   point.add_product<0>(sum, numbers + (step.target - next) * width, width,
                                        step.coordinate);
                 });
        });
    }
  }

  /// The entries of degree k in `pull`: `add` adds the products of a monomial into a sum of `width`
  /// words.
  template <std::size_t fixed, class Add>
  void sum_up(GradedVector& functional, unsigned k, std::size_t width,
              const MomentTable::Step*& last, Add add) const {
    const MomentTable::Step* const begin = table_->rises().data();
    const MomentTable::Step* rise = last;
    const std::size_t own_width = functional.degrees[k].width;
    const bool word = denominators::is_word(ratio_);
    const Limb ratio = denominators::limb(ratio_);
    std::vector<Limb> room(fixed > 0 ? 0 : width);
    Limb* entry = functional.entry(k, table_->start(k + 1));
    for (std::size_t m = table_->start(k + 1); m-- > table_->start(k);) {
      entry -= own_width;
      Limb numbers[fixed > 0 ? fixed : 1] = {};
      Limb* const sum = fixed > 0 ? numbers : room.data();
      if constexpr (fixed == 0) std::fill(room.begin(), room.end(), 0);
      for (; rise != begin && rise[-1].source == m; --rise) add(sum, rise[-1]);
      if (word)
        limbs::add_word_product(entry, own_width, sum, fixed > 0 ? fixed : width, ratio);
      else
        limbs::add_product(entry, own_width, sum, width, denominators::data(ratio_),
                           denominators::size(ratio_));
    }
    last = rise;
  }

  const FacePlan* plan_ = nullptr;
  const MomentTable* table_ = nullptr;
  const FaceVertices* vertices_ = nullptr;
  std::span<const FacePlan::Face> faces_;
  std::size_t dimension_ = 0;
  bool all_faces_ = false;
  std::vector<std::vector<GradedVector>> functionals_;  // by integrand and face
  std::vector<Denominator> denominators_;               // by face
  std::vector<Limb> scratch_;
  std::vector<Integer> scales_, entries_;  // scratch of `start`, by degree and by term
  Integer factor_, ratio_;
  std::size_t bytes_ = 0;  // of the functionals of one descent
};

}  // namespace wmi::face_lattice
