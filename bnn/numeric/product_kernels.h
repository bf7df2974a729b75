#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "bnn/numeric/products.h"

// The loops behind bnn/numeric/products.h, for the machine that the including file is compiled for.
// Blocks of a result stay in registers: some rows of it times some vectors, a shape that does not
// change the order in which terms are added. Nothing fuses a product with a sum
// (-ffp-contract=off), so that all machines round alike.
namespace wmi::bnn {

/// The loops, compiled for one kind of processor.
struct ProductLoops {
  void (*add_doubles)(std::size_t outputs, std::size_t inputs, const Factors& factors,
                      const double* from, std::size_t columns, double* to);
  void (*add_floats)(std::size_t outputs, std::size_t inputs, const FloatFactors& factors,
                     const float* from, std::size_t columns, float* to);
  void (*adam_step)(const AdamStep& step, std::size_t n, const double* gradient, double* entries,
                    double* means, double* squares);
  void (*exponentials)(std::size_t n, double* x);
  double (*quadratic_form)(std::size_t n, const double* matrix, const double* z);
};

ProductLoops avx2_loops();
ProductLoops avx512_loops();

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

#ifdef __AVX512F__
constexpr std::size_t block_height = 4;  // of 32 registers
template <class Number>
constexpr std::size_t block_width = 2;
#else
constexpr std::size_t block_height = 2;  // of 16 registers, of which a vector of floats takes two
template <class Number>
constexpr std::size_t block_width = VectorOf<Number>::length == lanes ? 2 : 1;
#endif

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
  constexpr std::size_t width = block_width<Number>;
  std::size_t c = 0;
  for (; c + width * length <= columns; c += width * length)
    add_block<height, width>(inputs, factors, across, along, from + c, columns, to + c);
  if (c < columns) add_block<height, 1>(inputs, factors, across, along, from + c, columns, to + c);
}

template <class Number>
void add_all(std::size_t outputs, std::size_t inputs, const FactorsOf<Number>& factors,
             const Number* from, std::size_t columns, Number* to) {
  const auto [at, across, along] = factors;
  std::size_t j = 0;
  for (; j + block_height <= outputs; j += block_height)
    add_rows<block_height>(inputs, at + j * across, across, along, from, columns, to + j * columns);
  for (; j < outputs; ++j)
    add_rows<1>(inputs, at + j * across, across, along, from, columns, to + j * columns);
}

/// The sum over i of z_i (a_ii z_i + 2 sum over j < i of a_ij z_j); rows with z_i = 0 are left out,
/// as units that are off leave many.
double triangular_form(std::size_t n, const double* matrix, const double* z) {
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

/// See adam_step.
void adam_loop(const AdamStep& step, std::size_t n, const double* __restrict gradient,
               double* __restrict entries, double* __restrict means, double* __restrict squares) {
  const double mean_share = 1 - step.mean_memory, square_share = 1 - step.square_memory;
  for (std::size_t i = 0; i < n; ++i) {
    const double slope = step.scale * gradient[i];
    means[i] = step.mean_memory * means[i] + mean_share * slope;
    squares[i] = step.square_memory * squares[i] + square_share * slope * slope;
    const double root = std::sqrt(squares[i] * step.square_factor) + step.least_root;
    entries[i] -= step.rate * (means[i] * step.mean_factor / root + step.decay * entries[i]);
  }
}

/// e^x = 2^k e^r with |r| <= log(2) / 2, e^r by its Taylor polynomial, which errs by r^14 / 14!.
void exponential_loop(std::size_t n, double* __restrict x) {
  constexpr double least = -708;
  constexpr double rounding = 0x1.8p52;            // its sum with a small number is an integer
  constexpr double per_log = 0x1.71547652b82fep0;  // 1 / log 2
  constexpr double log_high = 0x1.62e42feep-1, log_low = 0x1.a39ef35793c76p-33;  // log 2
  for (std::size_t i = 0; i < n; ++i) {
    const double at = x[i] < least ? least : x[i];
    const double shifted = at * per_log + rounding, k = shifted - rounding;
    const double r = (at - k * log_high) - k * log_low;
    double sum = 1.0 / 6227020800;
    sum = sum * r + 1.0 / 479001600;
    sum = sum * r + 1.0 / 39916800;
    sum = sum * r + 1.0 / 3628800;
    sum = sum * r + 1.0 / 362880;
    sum = sum * r + 1.0 / 40320;
    sum = sum * r + 1.0 / 5040;
    sum = sum * r + 1.0 / 720;
    sum = sum * r + 1.0 / 120;
    sum = sum * r + 1.0 / 24;
    sum = sum * r + 1.0 / 6;
    sum = sum * r + 0.5;
    sum = 1 + (r + r * r * sum);
    // The last bits of `shifted` are k; those of a double from 52 on are its exponent.
    const std::uint64_t power = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52U;
    x[i] = x[i] < least ? 0 : sum * std::bit_cast<double>(power);
  }
}

constexpr ProductLoops own_loops = {add_all<double>, add_all<float>, adam_loop, exponential_loop,
                                    triangular_form};

}  // namespace
}  // namespace wmi::bnn
