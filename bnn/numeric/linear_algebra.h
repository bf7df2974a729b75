#pragma once

#include <span>
#include <vector>

#include "bnn/numeric/matrix.h"

namespace wmi::bnn {

/// The lower triangle L of a symmetric positive definite matrix L L'. Throws Error when it is none.
Matrix cholesky(const Matrix& matrix);
/// x with L L' x = b.
std::vector<double> solve_cholesky(const Matrix& lower, std::span<const double> b);
/// (L L')^-1.
Matrix inverse_cholesky(const Matrix& lower);

/// The eigenvalues of a symmetric matrix, ascending, and its eigenvectors, a row each. Equal inputs
/// give equal bytes on every platform with IEEE doubles.
struct Eigen {
  std::vector<double> values;
  Matrix vectors;
};
Eigen symmetric_eigen(const Matrix& matrix);

/// sum over rows i of scale_i * z_i z_i'.
Matrix weighted_gram(const Matrix& rows, std::span<const double> scales);
/// The same for so many lists of scales, which are the rows of a matrix.
std::vector<Matrix> weighted_grams(const Matrix& rows, std::size_t count, const Matrix& scales);

}  // namespace wmi::bnn
