#include "frontends/python/core/numbers.h"

#include "solver/terms/error.h"

namespace wmi::python {
namespace {

Integer to_integer(py::handle number) {
  int overflow = 0;
  const long value = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
  if (overflow == 0) return value;
  const auto digits = py::reinterpret_steal<py::object>(PyNumber_ToBase(number.ptr(), 16));
  if (!digits) throw py::error_already_set();
  return Integer(py::cast<std::string>(digits), 0);  // with its prefix 0x
}

py::object to_int(const Integer& number) {
  PyObject* const result = number.fits_slong_p()
                               ? PyLong_FromLong(number.get_si())
                               : PyLong_FromString(number.get_str(16).c_str(), nullptr, 16);
  if (result == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(result);
}

/// Null if there is no such attribute.
py::object attribute(py::handle object, const char* name) {
  auto result = py::reinterpret_steal<py::object>(PyObject_GetAttrString(object.ptr(), name));
  if (!result) PyErr_Clear();
  return result;
}

}  // namespace

Rational to_rational(py::handle number) {
  if (PyLong_Check(number.ptr())) return to_integer(number);
  const py::object numerator = attribute(number, "numerator");
  const py::object denominator = attribute(number, "denominator");
  if (!numerator || !denominator || !PyLong_Check(numerator.ptr()) ||
      !PyLong_Check(denominator.ptr()))
    throw Error("expected an int, a Fraction, or a term or formula of ciber");
  const Integer divisor = to_integer(denominator);
  if (divisor == 0) throw Error("division by zero");
  return ratio(to_integer(numerator), divisor);
}

std::optional<Rational> to_rational_or_none(py::handle number) {
  if (number.is_none()) return std::nullopt;
  return to_rational(number);
}

py::object to_fraction(const Rational& number) {
  return py::module_::import("fractions")
      .attr("Fraction")(to_int(number.get_num()), to_int(number.get_den()));
}

}  // namespace wmi::python
