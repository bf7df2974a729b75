#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace wmi {

/// Products d ^ v of a vector and a k-vector in n dimensions, in doubles.
///
/// The volume of a k-dimensional simplex, times k!, is the length of the product of k edges from one
/// vertex, whatever n is. A k-vector has a component for each k of the n unit vectors: first those
/// without the last unit vector, then those with it, likewise in fewer dimensions.
///
///     const std::array<double, 3> x{1, 0, 0}, y{0, 1, 0};
///     std::array<double, 3> area{};
///     exterior::product(3, 1)(x.data(), y.data(), area.data());  // 1, 0, 0: in the plane of x, y
namespace exterior {

inline constexpr std::size_t most_dimensions = 12;

constexpr std::size_t binomial(std::size_t n, std::size_t k) {
  if (k > n) return 0;
  std::size_t result = 1;
  for (std::size_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

/// Adds d ^ v to `out`. With v = a + b ^ e and d = c + s e, where e is the last unit vector:
/// d ^ v = c ^ a + (c ^ b + (-1)^k s a) ^ e.
template <std::size_t n, std::size_t k>
void add_product(const double* d, const double* v, double* out) {
  if constexpr (k == 0) {
    for (std::size_t j = 0; j < n; ++j) out[j] += d[j] * v[0];
  } else if constexpr (k < n) {
    constexpr std::size_t size = binomial(n - 1, k);
    add_product<n - 1, k>(d, v, out);
    double* const last = out + binomial(n - 1, k + 1);
    add_product<n - 1, k - 1>(d, v + size, last);
    const double s = k % 2 == 0 ? d[n - 1] : -d[n - 1];
    for (std::size_t i = 0; i < size; ++i) last[i] += s * v[i];
  }
}

/// Sets `out` to d ^ v. Each component is a sum of k + 1 products, one added after the other.
using Product = void (*)(const double* d, const double* v, double* out);

template <std::size_t n, std::size_t k>
void set_product(const double* d, const double* v, double* out) {
  for (std::size_t i = 0; i < binomial(n, k + 1); ++i) out[i] = 0;
  add_product<n, k>(d, v, out);
}

/// Requires k < n <= most_dimensions.
inline Product product(std::size_t n, std::size_t k) {
  static constexpr auto row = []<std::size_t m, std::size_t... j>(std::index_sequence<j...>) {
    return std::array<Product, most_dimensions>{set_product<m, j>...};
  };
  static constexpr auto table = []<std::size_t... m>(std::index_sequence<m...>) {
    return std::array{row.template operator()<m + 1>(std::make_index_sequence<m + 1>())...};
  }
  (std::make_index_sequence<most_dimensions>());
  return table[n - 1][k];
}

}  // namespace exterior
}  // namespace wmi
