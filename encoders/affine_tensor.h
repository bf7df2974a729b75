#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "encoders/tensor.h"
#include "solver/terms/polynomial.h"

namespace wmi::encoders {

/// A tensor of affine forms, such as 3/8 + w/2, stored as integers over one denominator for all
/// entries: sums and products of large tensors then need no common divisors, no memory for each
/// number, and no copies of entries that are used several times.
///
/// A value, immutable. Operations return nullopt where the result is not affine, and where a common
/// denominator would take much more memory than the numbers themselves; callers then compute with
/// polynomials.
///
///     const Polynomial w = Polynomial::variable(0), constant(ratio(3, 8));
///     const auto x = AffineTensor::make(Tensor<Polynomial>({2}, {w, constant}));
///     x->polynomial(1);  // 3/8
class AffineTensor {
 public:
  /// A coefficient times a variable, or times 1. Its value is `size` limbs from `limbs`, lowest
  /// first, negative if `size` is, over the denominator of the tensor.
  struct Term {
    std::uint32_t key;  // 0: the constant; else 1 plus the variable
    std::int32_t size;
    const mp_limb_t* limbs;

    std::size_t length() const { return static_cast<std::size_t>(size < 0 ? -size : size); }
  };

  static std::optional<AffineTensor> make(const Tensor<Polynomial>& polynomials);
  /// Numbers, but for the entries that are `unknowns`: pairs of entry and variable.
  static std::optional<AffineTensor> make(
      const Tensor<Rational>& numbers, std::span<const std::pair<std::size_t, Variable>> unknowns);
  static AffineTensor zeros(const Shape& shape);

  const Shape& shape() const { return shape_; }
  std::size_t size() const { return rows_.size(); }

  /// By ascending key, without zeros.
  std::span<const Term> terms(std::size_t entry) const;
  bool constant(std::size_t entry) const;
  bool zero(std::size_t entry) const { return terms(entry).empty(); }
  Polynomial polynomial(std::size_t entry) const;
  Tensor<Polynomial> polynomials() const;

  /// The denominator is odd * 2^exponent.
  const Integer& odd() const { return odd_; }
  std::size_t exponent() const { return exponent_; }

  /// Entries by number, as Algebra::gather; `nothing` is 0.
  AffineTensor gather(const std::vector<std::size_t>& entries, const Shape& shape) const;
  std::optional<AffineTensor> scaled(const Rational& factor) const;
  /// Entry i is entry `choice[i].second` of the source `choice[i].first`.
  static std::optional<AffineTensor> assembled(
      std::span<const AffineTensor* const> sources,
      const std::vector<std::pair<std::uint32_t, std::uint32_t>>& choice, const Shape& shape);

  friend std::optional<AffineTensor> sum(const AffineTensor& x, const AffineTensor& y);
  friend std::optional<AffineTensor> product(const AffineTensor& x, const AffineTensor& y);
  /// [m, k] times [k, n].
  friend std::optional<AffineTensor> matrix_product(const AffineTensor& x, const AffineTensor& y);

 private:
  class Rows;

  AffineTensor(Shape shape, std::shared_ptr<const Rows> rows, std::vector<std::uint32_t> numbers,
               Integer odd, std::size_t exponent);

  Shape shape_;
  std::shared_ptr<const Rows> stored_;
  std::vector<std::uint32_t> rows_;  // of each entry, its row among the stored ones
  Integer odd_ = 1;
  std::size_t exponent_ = 0;
};

}  // namespace wmi::encoders
