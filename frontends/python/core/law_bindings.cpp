#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "frontends/python/core/bindings.h"
#include "frontends/python/core/interruptible.h"
#include "frontends/python/core/numbers.h"
#include "frontends/python/core/released_lock.h"
#include "solver/laws/law.h"
#include "solver/terms/decimal.h"
#include "solver/terms/error.h"

namespace wmi::python {
namespace {

/// From tuples (at, mass) and (from, to, coefficients).
Law make_law(const py::list& atoms, const py::list& pieces) {
  std::vector<PointMass> masses;
  for (const py::handle one : atoms) {
    const auto atom = py::cast<py::tuple>(one);
    masses.push_back({to_rational(atom[0]), to_rational(atom[1])});
  }
  std::vector<Piece> densities;
  for (const py::handle one : pieces) {
    const auto piece = py::cast<py::tuple>(one);
    std::vector<Rational> coefficients;
    for (const py::handle number : piece[2]) coefficients.push_back(to_rational(number));
    densities.push_back(
        {to_rational(piece[0]), to_rational(piece[1]), Univariate(std::move(coefficients))});
  }
  return Law(masses, densities);
}

py::list atoms(const Law& law) {
  py::list result;
  for (const PointMass& atom : law.atoms())
    result.append(py::make_tuple(to_fraction(atom.at), to_fraction(atom.mass)));
  return result;
}

py::list pieces(const Law& law) {
  py::list result;
  for (const Piece& piece : law.pieces()) {
    py::list coefficients;
    for (const Rational& number : piece.density.coefficients())
      coefficients.append(to_fraction(number));
    result.append(
        py::make_tuple(to_fraction(piece.from), to_fraction(piece.to), py::tuple(coefficients)));
  }
  return result;
}

template <auto Function>
py::object of_number(const Law& law, py::handle at) {
  return to_fraction((law.*Function)(to_rational(at)));
}

template <auto Function>
py::object of_law(const Law& law) {
  return to_fraction((law.*Function)());
}

constexpr unsigned most_digits_at_once = 100;  // in the calling thread, without signals

py::tuple quantile(const Law& law, py::handle probability, unsigned digits) {
  const Rational sought = to_rational(probability);
  Interval found;
  if (digits > most_digits_at_once) {
    found = result_of([law, sought, digits](const std::stop_token&) {
              return law.quantile(sought, digits);
            }).value();
  } else {
    const ReleasedLock released;
    found = law.quantile(sought, digits);
  }
  return py::make_tuple(to_fraction(found.lower), to_fraction(found.upper));
}

Rounding rounding(const std::string& name) {
  if (name == "down") return Rounding::down;
  if (name == "up") return Rounding::up;
  return Rounding::nearest;
}

}  // namespace

void bind_numbers(py::module_& module) {
  module.def("parse_number",
             [](const std::string& text) { return to_fraction(parse_fraction(text)); });
  module.def(
      "decimal",
      [](py::handle value, int digits, const std::string& direction) {
        return decimal(to_rational(value), digits, rounding(direction));
      },
      py::arg("value"), py::arg("digits"), py::arg("rounding") = "nearest");
}

void bind_laws(py::module_& module) {
  py::class_<Law>(module, "Law")
      .def(py::init(&make_law))
      .def("atoms", &atoms)
      .def("pieces", &pieces)
      .def("mass", &of_law<&Law::mass>)
      .def("mean", &of_law<&Law::mean>)
      .def("variance", &of_law<&Law::variance>)
      .def("moment", [](const Law& law, unsigned order) { return to_fraction(law.moment(order)); })
      .def("cdf", &of_number<&Law::cdf>)
      .def("density", &of_number<&Law::density>)
      .def("density_left", &of_number<&Law::density_left>)
      .def("mass_at", &of_number<&Law::mass_at>)
      .def("non_negative", &Law::non_negative)
      .def("quantile", &quantile);
}

}  // namespace wmi::python
