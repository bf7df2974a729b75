#pragma once

#include <pybind11/pybind11.h>

#include "solver/terms/rational.h"

namespace wmi::python {

namespace py = pybind11;

/// The value of an int or a Fraction. Throws Error for any other object: `ciber.numbers` makes exact
/// numbers of what users write.
Rational to_rational(py::handle number);
std::optional<Rational> to_rational_or_none(py::handle number);

/// A Fraction.
py::object to_fraction(const Rational& number);

}  // namespace wmi::python
