#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <thread>

#include "frontends/common/line.h"
#include "frontends/common/read_file.h"
#include "frontends/formats/format.h"
#include "frontends/formats/smtlib_writer.h"
#include "frontends/python/core/bindings.h"
#include "frontends/python/core/numbers.h"
#include "frontends/python/core/problems.h"
#include "frontends/python/core/scripts.h"
#include "frontends/python/core/solving.h"
#include "solver/answers/bounded_query.h"
#include "solver/terms/error.h"

namespace wmi::python {
namespace {

py::object ends(const std::optional<Interval>& interval) {
  if (!interval) return py::none();
  const py::object lower = to_fraction(interval->lower);
  return py::make_tuple(lower, interval->exact() ? lower : to_fraction(interval->upper));
}

py::object bound(const std::optional<Rational>& number) {
  return number ? to_fraction(*number) : py::none();
}

/// The arguments of `ciber.answer.Answer`, after the query.
py::tuple record(Answer&& answer) {
  if (!answer.refused.empty()) throw Error(answer.refused);
  py::object value = ends(answer.value);
  if (!answer.complete) value = py::make_tuple(bound(answer.lower), bound(answer.upper));
  return py::make_tuple(answer.complete, value, ends(answer.left), std::move(answer.law),
                        answer.text, answer.undefined, answer.cells, answer.assumptions);
}

struct Options {
  unsigned digits;
  py::object gap;
  std::optional<double> timeout;
  unsigned threads;  // 0: all cores
  bool certify;
};

Request request(const Options& options) {
  Request result{.digits = options.digits,
                 .gap = to_rational_or_none(options.gap),
                 .timeout = {},
                 .threads = options.threads,
                 .certify = options.certify};
  if (options.timeout) result.timeout = Seconds(*options.timeout);
  if (result.threads == 0) result.threads = std::max(1u, std::thread::hardware_concurrency());
  return result;
}

/// (answers, warnings, certificate or None)
py::tuple answers(Task task, const Options& options) {
  Outcome outcome = answer(std::move(task), request(options));
  py::list records;
  for (Answer& one : outcome.solution.answers) records.append(record(std::move(one)));
  py::object certificate = py::none();
  if (!outcome.certificate.empty()) certificate = py::bytes(outcome.certificate);
  return py::make_tuple(records, outcome.solution.warnings, certificate);
}

/// The source in a list of tasks; the location of an error is in its message.
ReadScript read(const std::string& name, const std::string& text, const std::string& format) {
  const py::gil_scoped_release release;
  return ReadScript::of(name, text, format);
}

ReadScript read_file(const std::string& path, const std::string& format) {
  const py::gil_scoped_release release;
  return ReadScript::of(path, frontends::read_input(path), format);
}

std::vector<std::string> query_texts(const Task& task) {
  std::vector<std::string> result;
  for (const Query& query : asked(task))
    result.push_back(query.text.empty() ? frontends::query_text(task.problem.terms, query)
                                        : query.text);
  return result;
}

}  // namespace

void bind_problems(py::module_& module) {
  py::class_<Options>(module, "Options")
      .def(py::init<unsigned, py::object, std::optional<double>, unsigned, bool>());

  py::class_<NamedProblem>(module, "Problem")
      .def(py::init([](const NamedProblem* base, py::list variables, py::list bounds,
                       py::list assertions, py::list weights, py::list observations,
                       py::object integrated) {
        const ProblemParts parts{std::move(variables),    std::move(bounds),
                                 std::move(assertions),   std::move(weights),
                                 std::move(observations), std::move(integrated)};
        return base == nullptr ? make_problem(parts) : make_problem(*base, parts);
      }))
      .def("ask",
           [](const NamedProblem& problem, const py::list& queries, const Options& options) {
             return answers(make_task(problem, queries), options);
           })
      .def("smtlib",
           [](const NamedProblem& problem, const py::list& queries, bool pure) {
             return frontends::write_smtlib({make_task(problem, queries)}, pure);
           })
      .def("query_texts",
           [](const NamedProblem& problem, const py::list& queries) {
             return query_texts(make_task(problem, queries));
           })
      .def("reals",
           [](const NamedProblem& problem) {
             std::vector<std::pair<std::string, bool>> result;
             for (Variable real = 0; real < problem.problem.integrated.size(); ++real)
               result.emplace_back(problem.problem.terms.real_name(real),
                                   problem.problem.integrated[real]);
             return result;
           })
      .def("booleans", [](const NamedProblem& problem) {
        std::vector<std::string> result;
        for (std::uint32_t i = 0; i < problem.problem.terms.boolean_count(); ++i)
          result.push_back(problem.problem.terms.boolean_name(i));
        return result;
      });

  py::class_<ReadScript>(module, "Script")
      .def_static("parse", &read)
      .def_static("read", &read_file)
      .def("size", [](const ReadScript& script) { return script.tasks.size(); })
      .def("problem",
           [](const ReadScript& script, std::size_t i) { return named(script.tasks.at(i)); })
      .def("queries",
           [](const ReadScript& script, std::size_t i) { return query_texts(script.tasks.at(i)); })
      .def("ask", [](const ReadScript& script, std::size_t i,
                     const Options& options) { return answers(script.tasks.at(i), options); })
      .def("smtlib", [](const ReadScript& script, bool pure) {
        return frontends::write_smtlib(script.tasks, pure);
      });
}

}  // namespace wmi::python
