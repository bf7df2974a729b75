#pragma once

#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

#include "solver/terms/rational.h"

namespace wmi {

/// A measure on the line as a sum of truncated powers at its knots:
///
///     c_0 delta(s - v) + sum_k c_k (s - v)_+^(k-1) / (k-1)!     summed over knots v
///
/// A point mass is the power of order 0. The Laplace transform of the power of order k at v is
/// e^(-vz) z^-k, so a convolution adds knots and orders. This representation is for sums and
/// convolutions; `Law` is for queries.
class TruncatedPowers {
 public:
  struct Knot {
    Rational at;
    std::vector<Rational> coefficients;  // by order; the last is not 0

    // Moves of mpq_class may throw, so that vectors would copy; swapping does not.
    Knot() = default;
    Knot(const Rational& point, std::vector<Rational> by_order)
        : at(point), coefficients(std::move(by_order)) {}
    Knot(const Knot&) = default;
    Knot(Knot&& other) noexcept : coefficients(std::move(other.coefficients)) {
      swap(at, other.at);
    }
    Knot& operator=(const Knot&) = default;
    Knot& operator=(Knot&& other) noexcept {
      swap(at, other.at);
      coefficients.swap(other.coefficients);
      return *this;
    }
    ~Knot() = default;

    friend bool operator==(const Knot&, const Knot&) = default;
  };

  /// A measure with more knots than this is not computed: it is `too_long`, and has no knots.
  static constexpr std::size_t max_knots = 200'000;

  TruncatedPowers() = default;
  explicit TruncatedPowers(std::vector<Knot> knots);
  /// A measure that is `too_long`.
  static TruncatedPowers too_long_measure();

  friend TruncatedPowers convolution(const TruncatedPowers& a, const TruncatedPowers& b);

  /// Adds coefficient * (the power of this order at this knot).
  void add(const Rational& at, std::size_t order, const Rational& coefficient);
  void add(TruncatedPowers other);
  void scale(const Rational& factor);

  bool too_long() const { return too_long_; }

  /// Sorts and merges the knots that were added; required before `knots`.
  void settle();
  /// Ascending, each once, none without coefficients.
  const std::vector<Knot>& knots() const {
    assert(settled_ == knots_.size());
    return knots_;
  }

 private:
  void append(Knot knot);
  void give_up();

  // Sorted up to `settled_`. New knots come behind, and are merged when they are half of all.
  std::vector<Knot> knots_;
  std::size_t settled_ = 0;
  bool too_long_ = false;
};

/// Both must be settled; so is the result.
TruncatedPowers convolution(const TruncatedPowers& a, const TruncatedPowers& b);

}  // namespace wmi
