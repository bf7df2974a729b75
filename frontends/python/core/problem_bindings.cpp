#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "frontends/formats/format.h"
#include "frontends/formats/smtlib_writer.h"
#include "frontends/python/core/answering.h"
#include "frontends/python/core/bindings.h"
#include "frontends/python/core/problems.h"
#include "frontends/python/core/released_lock.h"
#include "frontends/python/core/scripts.h"
#include "solver/answers/bounded_query.h"
#include "solver/terms/error.h"

namespace wmi::python {
namespace {

ReadScript parse(const std::string& name, const std::string& text, const std::string& format) {
  const ReleasedLock released;
  return ReadScript::of(name, text, format);
}

ReadScript read(const std::string& path, const std::string& format) {
  const ReleasedLock released;
  return ReadScript::of_file(path, format);
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
      .def("state",
           [](const NamedProblem& problem) {
             const ProblemState state = state_of(problem);
             return py::make_tuple(state.text, state.names, state.assumptions);
           })
      .def_static("of_state",
                  [](const std::string& text, const std::vector<std::string>& names,
                     const std::vector<std::string>& assumptions) {
                    return of_state({text, names, assumptions});
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
      .def_static("parse", &parse)
      .def_static("read", &read)
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
