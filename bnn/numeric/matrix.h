#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace wmi::bnn {

/// Rows of doubles, all of one length.
struct Matrix {
  std::size_t columns = 0;
  std::vector<double> entries;  // row by row

  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns_each)
      : columns(columns_each), entries(rows * columns_each) {}

  std::size_t rows() const { return columns == 0 ? 0 : entries.size() / columns; }
  std::span<double> row(std::size_t i) { return {entries.data() + i * columns, columns}; }
  std::span<const double> row(std::size_t i) const {
    return {entries.data() + i * columns, columns};
  }
  double& at(std::size_t i, std::size_t j) { return entries[i * columns + j]; }
  double at(std::size_t i, std::size_t j) const { return entries[i * columns + j]; }
};

}  // namespace wmi::bnn
