#pragma once

#include <pybind11/numpy.h>

#include <vector>

#include "bnn/numeric/matrix.h"

namespace wmi::python {

namespace py = pybind11;

/// An array of numpy, converted to doubles.
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// Throw Error for an array of another number of dimensions, or of no rows or columns.
bnn::Matrix to_matrix(const Array& array);
std::vector<double> to_vector(const Array& array);

py::array to_array(const bnn::Matrix& matrix);
py::array to_array(const std::vector<double>& numbers);

}  // namespace wmi::python
