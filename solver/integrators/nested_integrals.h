#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "solver/geometry/region.h"
#include "solver/integrators/fixed_polynomial.h"
#include "solver/terms/interval.h"
#include "solver/terms/nested_polynomial.h"

namespace wmi {

/// Integrals of polynomials that are not multiplied out, in fixed-point numbers of more and more
/// words. Many cells have the same weight: the last few that were multiplied out are kept.
class NestedIntegrals {
 public:
  /// The integrals of the weight times each factor to so many significant digits; nullopt if the
  /// longest numbers do not suffice, or the plan of a polytope is too large. Requires a region that
  /// is not flat. Safe to call from several threads.
  std::optional<std::vector<Interval>> operator()(const NestedPolynomial& weight,
                                                  std::span<const Polynomial> factors,
                                                  const Region& region, unsigned digits) const;

 private:
  template <std::size_t width>
  struct Entry {
    NestedPolynomial weight;
    std::vector<long> scales;
    std::shared_ptr<const FixedPolynomial<width>> value;
  };
  template <std::size_t width>
  using Known = std::vector<Entry<width>>;  // the last used first

  template <std::size_t width>
  std::shared_ptr<const FixedPolynomial<width>> value(const NestedPolynomial& weight,
                                                      const std::vector<long>& scales) const;
  template <std::size_t width>
  std::vector<Interval> enclose(const NestedPolynomial& weight, std::span<const Polynomial> factors,
                                const Region& region, const std::vector<long>& scales) const;

  mutable std::mutex mutex_;
  mutable std::tuple<Known<4>, Known<8>, Known<16>> known_;
};

}  // namespace wmi
