#pragma once

#include <random>
#include <vector>

#include "encoders/attributes.h"
#include "encoders/tensor.h"
#include "solver/terms/rational.h"

namespace wmi::encoders {

/// Values for test cases of layers: small numbers and shapes.

using Numbers = std::vector<Rational>;

inline std::size_t between(std::mt19937& random, std::size_t low, std::size_t high) {
  return std::uniform_int_distribution<std::size_t>(low, high)(random);
}

inline bool coin(std::mt19937& random) { return between(random, 0, 1) == 1; }

/// A small number, often 0 or an integer.
inline Rational some_number(std::mt19937& random) {
  const int numerator = std::uniform_int_distribution<int>(-12, 12)(random);
  return ratio(numerator, static_cast<int>(between(random, 1, 4)));
}

inline Tensor<Rational> some_tensor(const Shape& shape, std::mt19937& random) {
  Tensor<Rational> result = Tensor<Rational>::filled(shape, 0);
  for (Rational& entry : result.entries) entry = some_number(random);
  return result;
}

inline Shape some_shape(std::mt19937& random) {
  Shape result(between(random, 1, 3));
  for (std::size_t& length : result) length = between(random, 1, 3);
  return result;
}

inline Rational number_of(std::size_t n) { return Rational(Integer(n)); }

/// A number if both are equal, or a list of two.
inline Attributes::Value pair(const std::vector<std::size_t>& two) {
  if (two[0] == two[1]) return number_of(two[0]);
  return Numbers{number_of(two[0]), number_of(two[1])};
}

}  // namespace wmi::encoders
