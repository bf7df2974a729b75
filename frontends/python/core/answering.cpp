#include "frontends/python/core/answering.h"

#include <pybind11/stl.h>

#include <utility>

#include "frontends/python/core/numbers.h"
#include "solver/terms/error.h"

namespace wmi::python {
namespace {

py::object bound(const std::optional<Rational>& number) {
  return number ? to_fraction(*number) : py::none();
}

}  // namespace

py::object ends(const std::optional<Interval>& interval) {
  if (!interval) return py::none();
  const py::object lower = to_fraction(interval->lower);
  return py::make_tuple(lower, interval->exact() ? lower : to_fraction(interval->upper));
}

py::tuple record(Answer&& answer) {
  if (answer.gave_up) throw GaveUp(answer.refused);
  if (!answer.refused.empty()) throw Error(answer.refused);
  py::object value = ends(answer.value);
  if (!answer.complete) value = py::make_tuple(bound(answer.lower), bound(answer.upper));
  return py::make_tuple(answer.complete, value, ends(answer.left), std::move(answer.law),
                        answer.text, answer.undefined, answer.cells, answer.assumptions);
}

Request request(const Options& options) {
  Request result{.digits = options.digits,
                 .gap = to_rational_or_none(options.gap),
                 .timeout = {},
                 .threads = options.threads,
                 .certify = options.certify};
  if (options.timeout) result.timeout = Seconds(*options.timeout);
  return result;
}

py::tuple answers(Task task, const Options& options, const std::string& head) {
  Outcome outcome = answer(std::move(task), request(options));
  py::list records;
  for (Answer& one : outcome.solution.answers) records.append(record(std::move(one)));
  py::object certificate = py::none();
  if (!outcome.certificate.empty()) certificate = py::bytes(head + outcome.certificate);
  return py::make_tuple(records, outcome.solution.warnings, certificate);
}

}  // namespace wmi::python
