#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include "frontends/python/core/solving.h"

namespace wmi::python {

namespace py = pybind11;

/// The keywords of a question, as `ciber.options` checks them.
struct Options {
  unsigned digits;
  py::object gap;
  std::optional<double> timeout;
  unsigned threads;  // 0: all cores
  bool certify;
};

/// The same without Python. Throws Error.
Request request(const Options& options);

/// The arguments of `ciber.answer.Answer`, after the query. Throws Error for a refused query.
py::tuple record(Answer&& answer);

/// Answers a task: (records of the answers, warnings, certificate or None). The certificate begins
/// with `head`.
py::tuple answers(Task task, const Options& options, const std::string& head = "");

/// A tuple of two Fractions, or None.
py::object ends(const std::optional<Interval>& interval);

}  // namespace wmi::python
