#pragma once

#include <cstddef>

namespace wmi::bnn {

/// Matrices that lie row by row, each row padded with zeros to a multiple of `lanes`, or of
/// `float_lanes` for 32-bit floats.
inline constexpr std::size_t lanes = 4;
inline constexpr std::size_t float_lanes = 8;

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

/// to[j * inputs + k] += the scalar product of left[j] and right[k], rows of `columns` numbers.
void add_scalar_products(std::size_t outputs, std::size_t inputs, const double* left,
                         const double* right, std::size_t columns, double* to);

/// The quadratic form z' A z of a symmetric matrix of n rows, of which the lower triangle is read.
double quadratic_form(std::size_t n, const double* matrix, const double* z);

}  // namespace wmi::bnn
