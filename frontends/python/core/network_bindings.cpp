#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <thread>
#include <utility>

#include "bnn/collapse/float_forward.h"
#include "encoders/density.h"
#include "encoders/joint_normal.h"
#include "frontends/ciber/joint_unknown.h"
#include "frontends/ciber/query_arguments.h"
#include "frontends/formats/smtlib_writer.h"
#include "frontends/networks/network.h"
#include "frontends/python/core/answering.h"
#include "frontends/python/core/arrays.h"
#include "frontends/python/core/bindings.h"
#include "frontends/python/core/interruptible.h"
#include "frontends/python/core/networks.h"
#include "frontends/python/core/numbers.h"
#include "frontends/python/core/released_lock.h"
#include "frontends/wmi/explanation.h"
#include "solver/terms/error.h"

namespace wmi::python {
namespace {

using encoders::Network;
using Handle = std::shared_ptr<frontends::onnx::ReadNetwork>;
using Rule = BoundedQuery::Rule;

constexpr auto rules = std::to_array<std::pair<std::string_view, Rule>>({
    {"single", Rule::single},
    {"between", Rule::between},
    {"variance", Rule::variance},
    {"ratio", Rule::ratio},
    {"conditional_probability", Rule::conditional_probability},
});

/// What the engine never changes is shared with Python all the same: pybind11 has no pointers to
/// constants.
Handle handle(const SharedNetwork& network) {
  return std::const_pointer_cast<frontends::onnx::ReadNetwork>(network);
}

/// A shape as a tuple.
py::tuple to_tuple(const encoders::Shape& shape) { return py::tuple(py::cast(shape)); }

/// The numbers, as an input of the network.
encoders::Tensor<Rational> input_of(const Network& network, const py::list& numbers) {
  auto input = encoders::Tensor<Rational>::filled(network.input, 0);
  if (numbers.size() != input.size())
    throw Error(std::to_string(numbers.size()) + " numbers for an input of shape " +
                encoders::to_string(network.input));
  for (std::size_t i = 0; i < input.size(); ++i) input.entries[i] = to_rational(numbers[i]);
  return input;
}

encoders::Density density_of(py::handle law) {
  if (py::isinstance<py::str>(law)) return encoders::parse_density(py::cast<std::string>(law));
  encoders::Density result{py::cast<Law>(law), ""};
  if (result.law.mass() != 1 || !result.law.non_negative())
    throw Error("the law of an unknown has mass 1 and is nowhere negative");
  if (!result.law.atoms().empty() && result.law != Law::point(result.law.atoms()[0].at))
    throw Error("the law of an unknown has no point masses");
  return result;
}

/// From tuples (name, law), a law being a text or a Law.
std::vector<encoders::Unknown> unknowns_of(const py::list& laws) {
  std::vector<encoders::Unknown> result;
  for (const py::handle one : laws) {
    const auto pair = py::cast<py::tuple>(one);
    const auto name = py::cast<std::string>(pair[0]);
    try {
      if (py::isinstance<py::str>(pair[1]))
        if (const auto joint = frontends::read_joint_normal(name, py::cast<std::string>(pair[1]))) {
          std::ranges::move(encoders::unknowns_of(*joint), std::back_inserter(result));
          continue;
        }
      result.push_back({name, density_of(pair[1])});
    } catch (const Error& error) {
      throw Error(name + ": " + error.what());
    }
  }
  return result;
}

/// What is random in a question: (input, laws, width or None, likelihood).
NetworkValues values_of(const Network& network, const py::tuple& setting) {
  return {input_of(network, setting[0]), unknowns_of(setting[1]), to_rational_or_none(setting[2]),
          frontends::read_likelihood(py::cast<std::string>(setting[3]))};
}

EncodedNetwork encode(const Handle& network, const py::tuple& setting,
                      std::vector<std::string> units) {
  return result_of([network, values = values_of(network->network, setting),
                    units = std::move(units)](const std::stop_token&) {
           return encode_network(network->network, values, units);
         })
      .value();
}

py::list run(const Handle& network, const py::list& numbers) {
  const std::vector<Interval> outputs =
      result_of([network, input = input_of(network->network, numbers)](const std::stop_token&) {
        return run_network(network->network, input);
      }).value();
  py::list result;
  for (const Interval& output : outputs) result.append(ends(output));
  return result;
}

/// In 32-bit floats, a row for each row.
py::array run_floats(const Handle& network, const Array& rows) {
  return to_array(result_of([network, inputs = to_matrix(rows)](const std::stop_token&) {
                    bnn::Weights weights;
                    for (const auto& [name, tensor] : network->network.parameters) {
                      encoders::Tensor<double>& rounded = weights[name];
                      rounded.shape = tensor.shape;
                      for (const Rational& entry : tensor.entries)
                        rounded.entries.push_back(entry.get_d());
                    }
                    return bnn::float_forward(network->network, weights, inputs, "").outputs;
                  }).value());
}

py::list layers(const Network& network) {
  py::list result;
  for (const encoders::NamedLayer& layer : network.layers) {
    const std::string_view type = std::visit(
        [](const auto& one) { return std::decay_t<decltype(one)>::keyword; }, layer.layer);
    result.append(py::make_tuple(layer.name, type, py::tuple(py::cast(layer.from))));
  }
  return result;
}

py::list shapes(const Network& network) {
  py::list result;
  for (const auto& [name, tensor] : network.parameters)
    result.append(py::make_tuple(name, to_tuple(tensor.shape)));
  return result;
}

py::list parameter(const Network& network, const std::string& name) {
  const auto found = network.parameters.find(name);
  if (found == network.parameters.end()) throw Error("there is no tensor '" + name + "'");
  py::list result;
  for (const Rational& number : found->second.entries) result.append(to_fraction(number));
  return result;
}

/// The task of queries, in groups: the first query of each group has the rule by which their
/// answers enclose that of the group, and all others an empty one.
Task bounded_task(const NamedProblem& problem, const py::list& queries,
                  const std::vector<std::string>& rule_names) {
  Task task = make_task(problem, queries);
  for (std::size_t i = 0; i < task.queries.size(); ++i) {
    const auto found =
        std::ranges::find(rules, rule_names.at(i), &decltype(rules)::value_type::first);
    if (found != rules.end()) task.queries[i].bounded = BoundedQuery{found->second, ""};
  }
  return task;
}

/// Answers with a certificate that contains the problem, so that it can be checked against the
/// network: (records, warnings, certificate or None, the problem as SMT-LIB).
py::tuple ask_certified(const Handle& network, const py::tuple& setting,
                        const std::vector<std::string>& units, const EncodedNetwork& encoded,
                        const py::list& queries, const std::vector<std::string>& rule_names,
                        const Options& options) {
  std::optional<frontends::AuditableQuery> parts;
  try {
    AuditableNetwork made = result_of([network, values = values_of(network->network, setting),
                                       units](const std::stop_token&) {
                              return encode_auditable(network->network, values, units);
                            }).value();
    Task statement = make_literal_task(made.statement, queries);
    parts = {std::move(made.parts), std::move(statement)};
  } catch (const Error&) {
    // Not made of parts: a smooth layer, a unit fed by a product.
  }
  EmbeddedTask embedded = result_of([parts = std::move(parts),
                                     task = bounded_task(encoded.problem, queries, rule_names)](
                                        const std::stop_token&) {
                            return embedded_task(parts, task);
                          }).value();
  return answers(std::move(embedded.task), options, embedded.head) + py::make_tuple(embedded.text);
}

/// The names of the units, and for each pattern: which are active, bounds of its probability, cells.
py::tuple explain(const EncodedNetwork& encoded, const py::list& queries, const Options& options) {
  Task task = make_literal_task(encoded.problem, queries);
  task.names = encoded.units;
  const auto found = result_of(
      [task = std::move(task)](const std::stop_token& stop) {
        return frontends::explain(task, *make_split(), *make_auto({}), stop);
      },
      request(options).timeout);
  if (!found) throw Stopped();
  Interval total;
  for (const Pattern& pattern : found->explanation.patterns) total = total + pattern.mass;
  if (total.contains(0) && !found->explanation.patterns.empty())
    throw Error("there is no measure to explain: the weights cancel");
  py::list patterns;
  for (const Pattern& pattern : found->explanation.patterns)
    patterns.append(py::make_tuple(pattern.holds, ends(pattern.mass / total), pattern.cells));
  return py::make_tuple(found->names, patterns);
}

}  // namespace

void bind_networks(py::module_& module) {
  py::class_<EncodedNetwork>(module, "EncodedNetwork")
      .def("problem", [](const EncodedNetwork& encoded) { return encoded.problem; })
      .def("bounded", [](const EncodedNetwork& encoded) { return encoded.bounded; })
      .def("explain", &explain);

  py::class_<frontends::onnx::ReadNetwork, Handle>(module, "Network")
      .def_static("read",
                  [](const std::string& path) {
                    return handle(result_of([path](const std::stop_token&) {
                                    return read_network_file(path);
                                  }).value());
                  })
      .def_static("parse",
                  [](const std::string& bytes) {
                    return handle(result_of([bytes](const std::stop_token&) {
                                    return parse_network(bytes);
                                  }).value());
                  })
      .def("save",
           [](const Handle& network, const std::string& path) {
             const ReleasedLock released;
             frontends::write_network(path, network->network);
           })
      .def("bytes",
           [](const Handle& network) {
             return py::bytes(frontends::to_bytes(frontends::to_safetensors(network->network)));
           })
      .def("notes", [](const Handle& network) { return network->notes; })
      .def("smooth", [](const Handle& network) { return needs_brackets(network->network); })
      .def("input_shape", [](const Handle& network) { return to_tuple(network->network.input); })
      .def("output_size", [](const Handle& network) { return output_size(network->network); })
      .def("layers", [](const Handle& network) { return layers(network->network); })
      .def("shapes", [](const Handle& network) { return shapes(network->network); })
      .def("parameter", [](const Handle& network,
                           const std::string& name) { return parameter(network->network, name); })
      .def("run", &run)
      .def("run_floats", &run_floats)
      .def("encode", &encode)
      .def("ask_certified", &ask_certified);

  module.def("parse_law", [](const std::string& text) {
    encoders::Density density = encoders::parse_density(text);
    const py::object law = density.normal ? py::none() : py::cast(std::move(density.law));
    return py::make_tuple(law, density.instead_of);
  });
  module.def("ask_bounded", [](const NamedProblem& problem, const py::list& queries,
                               const std::vector<std::string>& rule_names, const Options& options) {
    return answers(bounded_task(problem, queries, rule_names), options);
  });
}

}  // namespace wmi::python
