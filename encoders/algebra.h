#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

#include "encoders/tensor.h"
#include "solver/terms/rational.h"

namespace wmi::encoders {

/// In a list of entries to gather: 0 instead of an entry.
inline constexpr std::size_t nothing = std::numeric_limits<std::size_t>::max();

/// The operations that layers are written in. Each layer is written once and has three meanings:
/// exact numbers (ExactAlgebra), terms of an SMT formula (SymbolicAlgebra), and tensors that train
/// (TensorAlgebra, in bnn/).
///
/// A Value has a shape and entries in row-major order. `parameter` is a tensor of the current
/// layer; its entries may be numbers or unknowns.
template <class A>
concept Algebra = requires(A& a, const typename A::Value& x, const typename A::Value& y,
                           const Rational& c, const Shape& shape,
                           const std::vector<std::size_t>& entries, std::string_view name) {
  { a.shape(x) } -> std::convertible_to<Shape>;
  { a.constant(shape, c) } -> std::same_as<typename A::Value>;  // all entries the same
  { a.parameter(name) } -> std::same_as<typename A::Value>;     // throws Error if there is none
  { a.has_parameter(name) } -> std::convertible_to<bool>;

  { a.add(x, y) } -> std::same_as<typename A::Value>;       // entry by entry, equal shapes
  { a.scale(c, x) } -> std::same_as<typename A::Value>;     // times a number
  { a.multiply(x, y) } -> std::same_as<typename A::Value>;  // entry by entry, equal shapes
  { a.matrix(x, y) } -> std::same_as<typename A::Value>;    // [m, k] times [k, n]: [m, n]
  { a.gather(x, entries, shape) } -> std::same_as<typename A::Value>;  // entries by number

  { a.max(x, y) } -> std::same_as<typename A::Value>;         // entry by entry, equal shapes
  { a.at_least_zero(x) } -> std::same_as<typename A::Value>;  // 1 where x >= 0, else 0
  {
    a.mask(x, c)
    } -> std::same_as<typename A::Value>;  // each entry times 0 or 1/c, 1/c with
                                           // probability c: dropout
  {
    a.inverse_root(x, c)
    } -> std::same_as<typename A::Value>;  // inverse_root(x + c) of each entry, all of them numbers
  { a.reciprocal(x) } -> std::same_as<typename A::Value>;  // 1/x of each entry, likewise
};

/// 1/sqrt(x) rounded to 53 significant bits, with any exponent, ties to even. Throws Error unless
/// x > 0.
Rational inverse_root(const Rational& x);

/// 1/x. Throws Error for 0.
Rational reciprocal(const Rational& x);

// Operations that follow for all algebras.

template <Algebra A>
typename A::Value negative(A& a, const typename A::Value& x) {
  return a.scale(-1, x);
}

template <Algebra A>
typename A::Value min(A& a, const typename A::Value& x, const typename A::Value& y) {
  return negative(a, a.max(negative(a, x), negative(a, y)));
}

/// x + c, entry by entry.
template <Algebra A>
typename A::Value shift(A& a, const typename A::Value& x, const Rational& c) {
  return a.add(x, a.constant(a.shape(x), c));
}

/// x limited to [low, high], entry by entry.
template <Algebra A>
typename A::Value clamp(A& a, const typename A::Value& x, const Rational& low,
                        const Rational& high) {
  const Shape shape = a.shape(x);
  return min(a, a.max(x, a.constant(shape, low)), a.constant(shape, high));
}

/// The same entries with another shape.
template <Algebra A>
typename A::Value reshape(A& a, const typename A::Value& x, const Shape& shape) {
  std::vector<std::size_t> entries(entry_count(shape));
  std::iota(entries.begin(), entries.end(), std::size_t{0});
  return a.gather(x, entries, shape);
}

/// A vector with an entry for each channel, broadcast over a value whose first axis is the channel.
template <Algebra A>
typename A::Value spread(A& a, const typename A::Value& channels, const Shape& shape) {
  const std::size_t inner = shape[0] == 0 ? 0 : entry_count(shape) / shape[0];
  std::vector<std::size_t> entries;
  for (std::size_t channel = 0; channel < shape[0]; ++channel)
    entries.insert(entries.end(), inner, channel);
  return a.gather(channels, entries, shape);
}

/// One value from several parts: entry j of part i becomes entry targets[i][j]. The parts are
/// added up, each with 0 elsewhere.
template <Algebra A>
typename A::Value scatter(A& a, const std::vector<typename A::Value>& parts,
                          const std::vector<std::vector<std::size_t>>& targets,
                          const Shape& shape) {
  typename A::Value result = a.constant(shape, 0);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    std::vector<std::size_t> entries(entry_count(shape), nothing);
    for (std::size_t i = 0; i < targets[part].size(); ++i) entries[targets[part][i]] = i;
    typename A::Value spaced = a.gather(parts[part], entries, shape);
    result = part == 0 ? std::move(spaced) : a.add(result, spaced);
  }
  return result;
}

}  // namespace wmi::encoders
