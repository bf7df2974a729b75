#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/integrators/denominators.h"
#include "solver/integrators/face_plan.h"
#include "solver/integrators/limbs.h"
#include "solver/integrators/log_bounds.h"
#include "solver/integrators/simplex_moments.h"

namespace wmi::face_lattice {

using limbs::Limb;

/// The denominator apexes * powers^k of a face's numbers of degree k.
struct Denominator {
  Integer apexes = 1;
  Integer powers = 1;
  Integer pulled = 1;  // of functionals: `apexes` once the face itself is pulled
};

/// Integers for all monomials, in a fixed number of words for each degree.
///
/// As a series it represents entries / (apexes powers^k), k the degree of the monomial; as a
/// functional, entries / (apexes powers^(M-k)), M the highest degree. Bounds on the represented
/// numbers come first; `allocate` then makes the entries wide enough, so that they never overflow.
struct GradedVector {
  struct Degree {
    double bound = log_bounds::zero;  // on the logarithm of the numbers represented
    double bits = 0;                  // of an entry, its sign included
    std::size_t width = 0;            // of an entry, in words
    std::size_t offset = 0;           // of entry 0, if it were of this degree
  };

  std::vector<Degree> degrees;
  std::vector<Limb> numbers;
  bool allocated = false;

  void reset(unsigned degree) {
    degrees.assign(degree + 1, {});
    allocated = false;
  }

  Limb* entry(unsigned k, std::size_t m) {
    return numbers.data() + (degrees[k].offset + m * degrees[k].width);
  }
  const Limb* entry(unsigned k, std::size_t m) const {
    return numbers.data() + (degrees[k].offset + m * degrees[k].width);
  }

  /// Zeros, wide enough for all numbers within the bounds.
  void allocate(const MomentTable& table, const Denominator& denominator, bool functional) {
    const double apexes = log_bounds::log_above(denominator.apexes),
                 powers = log_bounds::log_above(denominator.powers);
    std::size_t size = 0;
    for (unsigned k = 0; k <= table.degree(); ++k) {
      Degree& degree = degrees[k];
      degree.bits = degree.bound + apexes + powers * (functional ? table.degree() - k : k) + 2;
      degree.width = log_bounds::words_for(degree.bits);
      degree.offset = size - table.start(k) * degree.width;
      size += (table.start(k + 1) - table.start(k)) * degree.width;
    }
    if (numbers.size() < size) numbers.resize(size);
    std::fill_n(numbers.begin(), size, 0);
    allocated = true;
  }
};

/// target += factor * other, in degree k.
inline void add_multiple(const MomentTable& table, GradedVector& target, const GradedVector& other,
                         unsigned k, const denominators::Factor& factor) {
  const std::size_t width = target.degrees[k].width, other_width = other.degrees[k].width;
  const std::size_t begin = table.start(k), count = table.start(k + 1) - begin;
  Limb* to = target.entry(k, begin);
  const Limb* from = other.entry(k, begin);
  limbs::with_width(width, [&](auto constant) {
    constexpr std::size_t fixed = decltype(constant)::value;
    if constexpr (fixed > 0) {
      if (const Limb word = factor.word(); word != 0) {
        if (width == other_width)
          for (std::size_t m = 0; m < count; ++m, to += fixed, from += fixed)
            limbs::add_product<fixed>(to, from, static_cast<std::int64_t>(word));
        else if (fixed == 2 && other_width == 1)
          for (std::size_t m = 0; m < count; ++m, to += 2, ++from)
            limbs::add_pair(to, *from, static_cast<std::int64_t>(word));
        else if (fixed == 1)
          for (std::size_t m = 0; m < count; ++m, ++to, from += other_width)
            limbs::add_product<1>(to, from, static_cast<std::int64_t>(word));
        else
          for (std::size_t m = 0; m < count; ++m, to += fixed, from += other_width)
            limbs::add_word_product(to, fixed, from, std::min(fixed, other_width), word);
        return;
      }
    }
    for (std::size_t m = 0; m < count; ++m, to += width, from += other_width) {
      if constexpr (fixed == 0)
        limbs::add_product(to, width, from, other_width, factor.data(), factor.size());
      else
        limbs::add_product<fixed>(to, from, other_width, factor.data(), factor.size());
    }
  });
}

/// An upper bound on the logarithm of a weight of the plan.
inline double weight_log(const FacePlan& plan, std::size_t i) {
  return plan.weights().small()
             ? log_bounds::log_above(static_cast<double>(plan.weights().words()[i]))
             : log_bounds::log_above(plan.weights().large()[i]);
}

}  // namespace wmi::face_lattice
