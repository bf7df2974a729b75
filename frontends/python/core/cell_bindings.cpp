#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>

#include "frontends/python/core/bindings.h"
#include "frontends/python/core/cells.h"
#include "frontends/python/core/interruptible.h"
#include "frontends/python/core/numbers.h"
#include "frontends/python/core/problems.h"
#include "solver/terms/error.h"

namespace wmi::python {
namespace {

py::tuple fractions(const Point& point) {
  py::list result;
  for (const Rational& number : point) result.append(to_fraction(number));
  return result;
}

/// Terms (coefficient, ((coordinate, exponent), ...)).
py::list monomials(const Polynomial& polynomial) {
  py::list result;
  for (const Polynomial::Term& term : polynomial.terms()) {
    py::list powers;
    for (const Power& power : term.monomial)
      powers.append(py::make_tuple(power.variable, power.exponent));
    result.append(py::make_tuple(to_fraction(term.coefficient), py::tuple(powers)));
  }
  return result;
}

/// (names of the coordinates, [(vertices, weight, mass), ...])
py::tuple cells(const NamedProblem& problem, const py::list& queries,
                const std::optional<double>& timeout) {
  const auto work = [task = make_task(problem, queries)](const std::stop_token& stop) {
    return list_cells(task, stop);
  };
  std::optional<Seconds> limit;
  if (timeout) limit = Seconds(*timeout);
  const std::optional<ListedCells> found = result_of(work, limit);
  if (!found) throw Stopped();
  py::list result;
  for (const ListedCell& cell : found->cells) {
    py::list vertices;
    for (const Point& vertex : cell.vertices) vertices.append(fractions(vertex));
    result.append(
        py::make_tuple(py::tuple(vertices), monomials(cell.weight), to_fraction(cell.mass)));
  }
  return py::make_tuple(found->coordinates, result);
}

}  // namespace

void bind_cells(py::module_& module) { module.def("cells", &cells); }

}  // namespace wmi::python
