#pragma once

#include <cstddef>
#include <cstring>

#include "bnn/numeric/products.h"

// The loops behind bnn/numeric/products.h, for the machine that the including file is compiled for.
// Blocks of a result stay in registers: two rows of it times eight columns, or two times four
// scalar products. Nothing fuses a product with a sum (-ffp-contract=off), so that all machines
// round alike.
namespace wmi::bnn {
namespace {

template <class Number>
struct VectorOf;
template <>
struct VectorOf<double> {
  using Type = double __attribute__((vector_size(lanes * sizeof(double))));
  static constexpr std::size_t length = lanes;
};
template <>
struct VectorOf<float> {
  using Type = float __attribute__((vector_size(float_lanes * sizeof(float))));
  static constexpr std::size_t length = float_lanes;
};
using Lanes = VectorOf<double>::Type;

template <class Number>
[[gnu::always_inline]] inline void load(const Number* from, typename VectorOf<Number>::Type& to) {
  std::memcpy(&to, from, sizeof to);
}

/// `height` rows of the result times `width` lanes of them, from the pointers on.
template <std::size_t height, std::size_t width, class Number>
[[gnu::always_inline]] inline void add_block(std::size_t inputs, const Number* factors,
                                             std::size_t across, std::size_t along,
                                             const Number* from, std::size_t columns, Number* to) {
  using Vector = typename VectorOf<Number>::Type;
  constexpr std::size_t length = VectorOf<Number>::length;
  Vector sums[height][width];
#pragma GCC unroll 4
  for (std::size_t j = 0; j < height; ++j)
#pragma GCC unroll 4
    for (std::size_t v = 0; v < width; ++v) load(to + j * columns + v * length, sums[j][v]);
  std::size_t k = 0;
  for (; k + 4 <= inputs; k += 4) {
    Vector x[4][width];
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 4; ++i)
#pragma GCC unroll 4
      for (std::size_t v = 0; v < width; ++v) load(from + (k + i) * columns + v * length, x[i][v]);
#pragma GCC unroll 4
    for (std::size_t j = 0; j < height; ++j) {
      const Number* const f = factors + j * across + k * along;
#pragma GCC unroll 4
      for (std::size_t v = 0; v < width; ++v)
        sums[j][v] += (f[0] * x[0][v] + f[along] * x[1][v]) +
                      (f[2 * along] * x[2][v] + f[3 * along] * x[3][v]);
    }
  }
  for (; k < inputs; ++k)
#pragma GCC unroll 4
    for (std::size_t v = 0; v < width; ++v) {
      Vector x;
      load(from + k * columns + v * length, x);
#pragma GCC unroll 4
      for (std::size_t j = 0; j < height; ++j) sums[j][v] += factors[j * across + k * along] * x;
    }
#pragma GCC unroll 4
  for (std::size_t j = 0; j < height; ++j)
#pragma GCC unroll 4
    for (std::size_t v = 0; v < width; ++v)
      std::memcpy(to + j * columns + v * length, &sums[j][v], sizeof(Vector));
}

template <std::size_t height, class Number>
[[gnu::always_inline]] inline void add_rows(std::size_t inputs, const Number* factors,
                                            std::size_t across, std::size_t along,
                                            const Number* from, std::size_t columns, Number* to) {
  constexpr std::size_t length = VectorOf<Number>::length;
  std::size_t c = 0;
  for (; c + 2 * length <= columns; c += 2 * length)
    add_block<height, 2>(inputs, factors, across, along, from + c, columns, to + c);
  if (c < columns) add_block<height, 1>(inputs, factors, across, along, from + c, columns, to + c);
}

template <class Number>
[[gnu::always_inline]] inline void add_all(std::size_t outputs, std::size_t inputs,
                                           const FactorsOf<Number>& factors, const Number* from,
                                           std::size_t columns, Number* to) {
  const auto [at, across, along] = factors;
  std::size_t j = 0;
  for (; j + 2 <= outputs; j += 2)
    add_rows<2>(inputs, at + j * across, across, along, from, columns, to + j * columns);
  if (j < outputs)
    add_rows<1>(inputs, at + j * across, across, along, from, columns, to + j * columns);
}

template <std::size_t height, std::size_t width>
[[gnu::always_inline]] inline void add_scalars(const double* left, const double* right,
                                               std::size_t columns, std::size_t inputs,
                                               double* to) {
  Lanes sums[height][width] = {};
  for (std::size_t c = 0; c < columns; c += lanes) {
    Lanes x[height], y;
#pragma GCC unroll 4
    for (std::size_t j = 0; j < height; ++j) load(left + j * columns + c, x[j]);
#pragma GCC unroll 4
    for (std::size_t k = 0; k < width; ++k) {
      load(right + k * columns + c, y);
#pragma GCC unroll 4
      for (std::size_t j = 0; j < height; ++j) sums[j][k] += x[j] * y;
    }
  }
#pragma GCC unroll 4
  for (std::size_t j = 0; j < height; ++j)
#pragma GCC unroll 4
    for (std::size_t k = 0; k < width; ++k) {
      const Lanes& sum = sums[j][k];
      to[j * inputs + k] += (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

template <std::size_t height>
[[gnu::always_inline]] inline void add_scalar_rows(std::size_t inputs, const double* left,
                                                   const double* right, std::size_t columns,
                                                   double* to) {
  std::size_t k = 0;
  for (; k + 4 <= inputs; k += 4)
    add_scalars<height, 4>(left, right + k * columns, columns, inputs, to + k);
  for (; k < inputs; ++k)
    add_scalars<height, 1>(left, right + k * columns, columns, inputs, to + k);
}

[[gnu::always_inline]] inline void add_all_scalars(std::size_t outputs, std::size_t inputs,
                                                   const double* left, const double* right,
                                                   std::size_t columns, double* to) {
  std::size_t j = 0;
  for (; j + 2 <= outputs; j += 2)
    add_scalar_rows<2>(inputs, left + j * columns, right, columns, to + j * inputs);
  if (j < outputs) add_scalar_rows<1>(inputs, left + j * columns, right, columns, to + j * inputs);
}

/// The sum over i of z_i (a_ii z_i + 2 sum over j < i of a_ij z_j); rows with z_i = 0 are left out,
/// as units that are off leave many.
[[gnu::always_inline]] inline double triangular_form(std::size_t n, const double* matrix,
                                                     const double* z) {
  double result = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (z[i] == 0) continue;
    const double* const row = matrix + i * n;
    Lanes sums = {};
    std::size_t j = 0;
    for (; j + lanes <= i; j += lanes) {
      Lanes a, x;
      load(row + j, a);
      load(z + j, x);
      sums += a * x;
    }
    double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (; j < i; ++j) sum += row[j] * z[j];
    result += z[i] * (row[i] * z[i] + 2 * sum);
  }
  return result;
}

}  // namespace
}  // namespace wmi::bnn
