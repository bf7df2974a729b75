#pragma once

#include <cstddef>

namespace wmi::bnn {

/// Matrices that lie row by row, each row padded with zeros to a multiple of `lanes`, or of
/// `float_lanes` for 32-bit floats.
inline constexpr std::size_t lanes = 4;
inline constexpr std::size_t float_lanes = 16;

/// A matrix of numbers that factors are read from: entry (j, k) is at[j * across + k * along].
template <class Number>
struct FactorsOf {
  const Number* at;
  std::size_t across, along;
};
using Factors = FactorsOf<double>;
using FloatFactors = FactorsOf<float>;

/// to[j] += sum over k of factors(j, k) from[k], for rows j < outputs and k < inputs of `columns`
/// numbers, which is a multiple of `lanes`.
///
/// Every sum is taken in the same order on every machine, so that its bits are the same.
void add_products(std::size_t outputs, std::size_t inputs, const Factors& factors,
                  const double* from, std::size_t columns, double* to);
void add_products(std::size_t outputs, std::size_t inputs, const FloatFactors& factors,
                  const float* from, std::size_t columns, float* to);

/// One step of Adam (Kingma and Ba 2015) with decoupled decay (Loshchilov and Hutter 2019).
struct AdamStep {
  double rate;
  double decay;
  double scale;  // of the gradient
  double mean_memory, square_memory;
  double mean_factor, square_factor;  // correct the first steps, when the memories are empty
  double least_root;
};

/// Updates n entries and the running means of their gradients and squared gradients.
void adam_step(const AdamStep& step, std::size_t n, const double* gradient, double* entries,
               double* means, double* squares);

/// Replaces n numbers x of at most 708 by e^x, to 2 units in the last place; below -708 by 0.
void exponentials(std::size_t n, double* x);

/// The quadratic form z' A z of a symmetric matrix of n rows, of which the lower triangle is read.
double quadratic_form(std::size_t n, const double* matrix, const double* z);

}  // namespace wmi::bnn
