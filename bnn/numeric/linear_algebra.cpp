#include "bnn/numeric/linear_algebra.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bnn/numeric/products.h"
#include "solver/terms/error.h"

namespace wmi::bnn {

Matrix cholesky(const Matrix& matrix) {
  const std::size_t n = matrix.columns;
  Matrix lower(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix.at(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= lower.at(i, k) * lower.at(j, k);
      if (i != j) {
        lower.at(i, j) = sum / lower.at(j, j);
      } else {
        if (!(sum > 0))
          throw Error(
              "the precision of the collapsed weights is not positive; a larger lambda "
              "would help");
        lower.at(i, i) = std::sqrt(sum);
      }
    }
  return lower;
}

std::vector<double> solve_cholesky(const Matrix& lower, std::span<const double> b) {
  const std::size_t n = lower.columns;
  std::vector<double> x(b.begin(), b.end());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= lower.at(i, k) * x[k];
    x[i] /= lower.at(i, i);
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= lower.at(k, i) * x[k];
    x[i] /= lower.at(i, i);
  }
  return x;
}

Matrix inverse_cholesky(const Matrix& lower) {
  const std::size_t n = lower.columns;
  // The inverse of L, row by row, and then (L^-1)' L^-1.
  Matrix inverse(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    inverse.at(i, i) = 1 / lower.at(i, i);
    for (std::size_t j = 0; j < i; ++j) {
      double sum = 0;
      for (std::size_t k = j; k < i; ++k) sum += lower.at(i, k) * inverse.at(k, j);
      inverse.at(i, j) = -sum / lower.at(i, i);
    }
  }
  Matrix result(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = i; k < n; ++k) sum += inverse.at(k, i) * inverse.at(k, j);
      result.at(i, j) = result.at(j, i) = sum;
    }
  return result;
}

// Jacobi's rotations, in cycles over all pairs.
Eigen symmetric_eigen(const Matrix& matrix) {
  const std::size_t n = matrix.columns;
  Matrix a = matrix, vectors(n, n);
  for (std::size_t i = 0; i < n; ++i) vectors.at(i, i) = 1;
  for (int cycle = 0; cycle < 60; ++cycle) {
    double off = 0, diagonal = 0;
    for (std::size_t i = 0; i < n; ++i) {
      diagonal += a.at(i, i) * a.at(i, i);
      for (std::size_t j = 0; j < i; ++j) off += a.at(i, j) * a.at(i, j);
    }
    if (off <= 1e-32 * diagonal) break;
    for (std::size_t p = 0; p + 1 < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        if (a.at(p, q) == 0) continue;
        const double theta = (a.at(q, q) - a.at(p, p)) / (2 * a.at(p, q));
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::hypot(theta, 1.0));
        const double c = 1 / std::hypot(t, 1.0), s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const double x = a.at(k, p), y = a.at(k, q);
          a.at(k, p) = c * x - s * y;
          a.at(k, q) = s * x + c * y;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double x = a.at(p, k), y = a.at(q, k);
          a.at(p, k) = c * x - s * y;
          a.at(q, k) = s * x + c * y;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double x = vectors.at(p, k), y = vectors.at(q, k);
          vectors.at(p, k) = c * x - s * y;
          vectors.at(q, k) = s * x + c * y;
        }
      }
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return a.at(i, i); });
  Eigen result{{}, Matrix(n, n)};
  for (std::size_t i = 0; i < n; ++i) {
    result.values.push_back(a.at(order[i], order[i]));
    std::ranges::copy(vectors.row(order[i]), result.vectors.row(i).begin());
  }
  return result;
}

Matrix weighted_gram(const Matrix& rows, std::span<const double> scales) {
  const std::size_t n = rows.columns;
  Matrix result(n, n);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const double* const z = rows.row(i).data();
    for (std::size_t j = 0; j < n; ++j) {
      const double factor = scales[i] * z[j];
      if (factor == 0) continue;  // dead units are common
      double* const to = result.row(j).data();
      for (std::size_t k = 0; k <= j; ++k) to[k] += factor * z[k];
    }
  }
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < j; ++k) result.at(k, j) = result.at(j, k);
  return result;
}

// The products z_j z_k with k <= j are the columns of a matrix, and all sums one product of matrices:
// some columns and rows at a time, so that they stay in the processor's caches.
std::vector<Matrix> weighted_grams(const Matrix& rows, std::size_t count, const Matrix& scales) {
  constexpr std::size_t width = 16 * lanes, height = 256;
  const std::size_t n = rows.columns;
  std::vector<Matrix> result(count, Matrix(n, n));
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k <= j; ++k) pairs.emplace_back(j, k);
  std::vector<double> products(height * width), sums(count * width);
  for (std::size_t first = 0; first < pairs.size(); first += width) {
    const std::size_t used = std::min(width, pairs.size() - first);
    std::ranges::fill(sums, 0);
    for (std::size_t from = 0; from < rows.rows(); from += height) {
      const std::size_t members = std::min(height, rows.rows() - from);
      for (std::size_t i = 0; i < members; ++i) {
        const std::span<const double> z = rows.row(from + i);
        for (std::size_t p = 0; p < used; ++p)
          products[i * width + p] = z[pairs[first + p].first] * z[pairs[first + p].second];
      }
      add_products(count, members, {scales.entries.data() + from, scales.columns, 1},
                   products.data(), width, sums.data());
    }
    for (std::size_t m = 0; m < count; ++m)
      for (std::size_t p = 0; p < used; ++p) {
        const auto [j, k] = pairs[first + p];
        result[m].at(j, k) = result[m].at(k, j) = sums[m * width + p];
      }
  }
  return result;
}

}  // namespace wmi::bnn
