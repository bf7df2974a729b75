#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <variant>

#include "encoders/affine_tensor.h"
#include "encoders/tensor.h"
#include "solver/terms/polynomial.h"

namespace wmi::encoders {

/// A tensor of polynomials: where they are affine, most often as integers over a common denominator
/// (AffineTensor), else as they are.
class SymbolicValue {
 public:
  SymbolicValue() : SymbolicValue(AffineTensor::zeros({})) {}
  SymbolicValue(AffineTensor affine) : content_(std::move(affine)) {}  // NOLINT: the same value
  SymbolicValue(Tensor<Polynomial> polynomials) {                      // NOLINT
    if (std::optional<AffineTensor> affine = AffineTensor::make(polynomials))
      content_ = *std::move(affine);
    else
      content_ = std::move(polynomials);
  }

  const Shape& shape() const {
    const AffineTensor* const forms = affine();
    return forms != nullptr ? forms->shape() : std::get<Tensor<Polynomial>>(content_).shape;
  }
  std::size_t size() const {
    const AffineTensor* const forms = affine();
    return forms != nullptr ? forms->size() : std::get<Tensor<Polynomial>>(content_).size();
  }

  /// Null if it is stored as polynomials.
  const AffineTensor* affine() const { return std::get_if<AffineTensor>(&content_); }

  Polynomial polynomial(std::size_t entry) const {
    const AffineTensor* const forms = affine();
    return forms != nullptr ? forms->polynomial(entry)
                            : std::get<Tensor<Polynomial>>(content_).entries[entry];
  }
  Tensor<Polynomial> polynomials() const {
    const AffineTensor* const forms = affine();
    return forms != nullptr ? forms->polynomials() : std::get<Tensor<Polynomial>>(content_);
  }
  operator Tensor<Polynomial>() const { return polynomials(); }  // NOLINT: the same value

 private:
  std::variant<AffineTensor, Tensor<Polynomial>> content_ = AffineTensor::zeros({});
};

}  // namespace wmi::encoders
