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

using Lanes = double __attribute__((vector_size(lanes * sizeof(double))));

[[gnu::always_inline]] inline void load(const double* from, Lanes& to) {
  std::memcpy(&to, from, sizeof to);
}

/// `height` rows of the result times `width` lanes of them, from the pointers on.
template <std::size_t height, std::size_t width>
[[gnu::always_inline]] inline void add_block(std::size_t inputs, const double* factors,
                                             std::size_t across, std::size_t along,
                                             const double* from, std::size_t columns, double* to) {
  Lanes sums[height][width];
#pragma GCC unroll 4
  for (std::size_t j = 0; j < height; ++j)
#pragma GCC unroll 4
    for (std::size_t v = 0; v < width; ++v) load(to + j * columns + v * lanes, sums[j][v]);
  std::size_t k = 0;
  for (; k + 4 <= inputs; k += 4) {
    Lanes x[4][width];
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 4; ++i)
#pragma GCC unroll 4
      for (std::size_t v = 0; v < width; ++v) load(from + (k + i) * columns + v * lanes, x[i][v]);
#pragma GCC unroll 4
    for (std::size_t j = 0; j < height; ++j) {
      const double* const f = factors + j * across + k * along;
#pragma GCC unroll 4
      for (std::size_t v = 0; v < width; ++v)
        sums[j][v] += (f[0] * x[0][v] + f[along] * x[1][v]) +
                      (f[2 * along] * x[2][v] + f[3 * along] * x[3][v]);
    }
  }
  for (; k < inputs; ++k)
#pragma GCC unroll 4
    for (std::size_t v = 0; v < width; ++v) {
      Lanes x;
      load(from + k * columns + v * lanes, x);
#pragma GCC unroll 4
      for (std::size_t j = 0; j < height; ++j) sums[j][v] += factors[j * across + k * along] * x;
    }
#pragma GCC unroll 4
  for (std::size_t j = 0; j < height; ++j)
#pragma GCC unroll 4
    for (std::size_t v = 0; v < width; ++v)
      std::memcpy(to + j * columns + v * lanes, &sums[j][v], sizeof(Lanes));
}

template <std::size_t height>
[[gnu::always_inline]] inline void add_rows(std::size_t inputs, const double* factors,
                                            std::size_t across, std::size_t along,
                                            const double* from, std::size_t columns, double* to) {
  std::size_t c = 0;
  for (; c + 2 * lanes <= columns; c += 2 * lanes)
    add_block<height, 2>(inputs, factors, across, along, from + c, columns, to + c);
  if (c < columns) add_block<height, 1>(inputs, factors, across, along, from + c, columns, to + c);
}

[[gnu::always_inline]] inline void add_all(std::size_t outputs, std::size_t inputs,
                                           const Factors& factors, const double* from,
                                           std::size_t columns, double* to) {
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

}  // namespace
}  // namespace wmi::bnn
