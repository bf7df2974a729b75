#include "frontends/python/core/arrays.h"

#include <algorithm>
#include <string>

#include "solver/terms/error.h"

namespace wmi::python {
namespace {

py::array filled(const std::vector<py::ssize_t>& shape, const std::vector<double>& entries) {
  Array result(shape);
  std::ranges::copy(entries, result.mutable_data());
  return result;
}

}  // namespace

bnn::Matrix to_matrix(const Array& array) {
  if (array.ndim() != 2 || array.size() == 0)
    throw Error("expected an array with rows and columns, not one of " +
                std::to_string(array.ndim()) + " dimensions and " + std::to_string(array.size()) +
                " entries");
  bnn::Matrix result(static_cast<std::size_t>(array.shape(0)),
                     static_cast<std::size_t>(array.shape(1)));
  std::copy_n(array.data(), result.entries.size(), result.entries.data());
  return result;
}

std::vector<double> to_vector(const Array& array) {
  if (array.ndim() != 1)
    throw Error("expected an array of one dimension, not of " + std::to_string(array.ndim()));
  return {array.data(), array.data() + array.size()};
}

py::array to_array(const bnn::Matrix& matrix) {
  return filled({static_cast<py::ssize_t>(matrix.rows()), static_cast<py::ssize_t>(matrix.columns)},
                matrix.entries);
}

py::array to_array(const std::vector<double>& numbers) {
  return filled({static_cast<py::ssize_t>(numbers.size())}, numbers);
}

}  // namespace wmi::python
