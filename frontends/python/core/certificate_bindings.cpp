#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <sstream>

#include "frontends/check/program/script_check.h"
#include "frontends/python/core/bindings.h"
#include "frontends/python/core/interruptible.h"
#include "frontends/python/core/networks.h"
#include "frontends/python/core/numbers.h"
#include "frontends/python/core/problems.h"
#include "frontends/python/core/scripts.h"

namespace wmi::python {
namespace {

using Handle = std::shared_ptr<frontends::onnx::ReadNetwork>;

/// Checks a certificate; a rejection says where. Throws check::Rejected.
template <class Check>
check::CheckedScript checked_at(const std::string& certificate, Check&& check) {
  std::istringstream stream(certificate);
  check::Bytes in(stream);
  try {
    return check(in);
  } catch (const std::exception& error) {
    throw check::Rejected("rejected at byte " + std::to_string(in.offset()) + ": " + error.what());
  }
}

/// Against a script, whatever problem the certificate contains.
check::CheckedScript check_against(const Script& script, const std::string& certificate) {
  return checked_at(certificate, [&](check::Bytes& in) {
    check::read_embedded(in);
    return check::check_script(script, in);
  });
}

/// Against the problem that it contains, and the network, if there is one.
check::CheckedScript check_embedded(const Handle& network, const std::string& certificate) {
  return checked_at(certificate, [&](check::Bytes& in) {
    const std::optional<check::EmbeddedProblem> embedded = check::read_embedded(in);
    if (!embedded) throw check::Rejected("it contains no problem");
    return check::check_embedded(*embedded, network ? &network->network : nullptr, in);
  });
}

/// A list, for each query, of (certified, lower, upper, undefined); nodes, cells, open leaves; who
/// encoded the network.
py::tuple record(const check::CheckedScript& found) {
  py::list answers;
  for (const auto& task : found.answers)
    for (const check::Certified& one : task)
      answers.append(py::make_tuple(
          one.certified, one.value ? to_fraction(one.value->lower) : py::object(py::none()),
          one.value ? to_fraction(one.value->upper) : py::object(py::none()), one.undefined));
  return py::make_tuple(answers, found.counts.nodes, found.counts.cells, found.counts.open,
                        found.trust);
}

py::tuple checked(Script script, const std::string& certificate) {
  return record(result_of([script = std::move(script), certificate](const std::stop_token&) {
                  return check_against(script, certificate);
                }).value());
}

}  // namespace

void bind_certificates(py::module_& module) {
  module.def("check_script", [](const ReadScript& script, const std::string& certificate) {
    return checked(script.tasks, certificate);
  });
  module.def("check_problem", [](const NamedProblem& problem, const py::list& queries,
                                 const std::string& certificate) {
    return checked({make_task(problem, queries)}, certificate);
  });
  module.def("check_embedded", [](const Handle& network, const std::string& certificate) {
    return record(result_of([network, certificate](const std::stop_token&) {
                    return check_embedded(network, certificate);
                  }).value());
  });
}

}  // namespace wmi::python
