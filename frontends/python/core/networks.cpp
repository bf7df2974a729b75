#include "frontends/python/core/networks.h"

#include <algorithm>
#include <utility>

#include "encoders/bracket.h"
#include "encoders/shape_algebra.h"
#include "frontends/ciber/named_values.h"
#include "frontends/common/line.h"
#include "frontends/networks/network.h"
#include "frontends/networks/onnx/network_file.h"
#include "frontends/networks/safetensors.h"
#include "solver/terms/error.h"

namespace wmi::python {
namespace {

using encoders::Encoding;
using encoders::Network;
using frontends::NamedValues;
using frontends::onnx::ReadNetwork;

/// The names of an encoding.
class Naming {
 public:
  explicit Naming(const Encoding& encoding) : encoding_(encoding), values_(encoding) {}

  void add_outputs() {
    for (std::size_t i = 0; i < values_.output_count(); ++i)
      add(NamedValues::output_name(i), values_.output(i));
  }

  void add_unknowns() {
    const Problem& problem = encoding_.problem;
    for (Variable real = 0; real < problem.integrated.size(); ++real)
      add(problem.terms.real_name(real), {Polynomial::variable(real)});
    for (std::uint32_t boolean = 0; boolean < problem.terms.boolean_count(); ++boolean)
      names.emplace(problem.terms.boolean_name(boolean), problem.terms.boolean(boolean));
  }

  void add_unit(const std::string& name) {
    const std::optional<frontends::Term> term = values_.find(name);
    if (!term)
      throw Error("there is no '" + name +
                  "'; name an output out[0], a unit fc1[3], an input input[0] or a random weight");
    if (!names.contains(name)) add(name, *term);
  }

  Names names;
  std::vector<std::string> bounded;

 private:
  void add(const std::string& name, const frontends::Term& term) {
    if (term.exact()) {
      names.emplace(name, term.lower);
      return;
    }
    names.emplace("lower " + name, term.lower);
    names.emplace("upper " + name, term.upper());
    bounded.push_back(name);
  }

  const Encoding& encoding_;
  NamedValues values_;
};

Encoding encoding_of(const Network& network, const NetworkValues& values,
                     const encoders::KeepLayer& keep) {
  if (values.width)
    return encoders::encode_bracketed(encoders::within(network, *values.width), values.input,
                                      values.unknowns, {}, keep);
  if (encoders::needs_brackets(network))
    return encoders::encode_bracketed(network, values.input, values.unknowns, {}, keep);
  return encoders::encode(network, values.input, values.unknowns, {}, keep);
}

}  // namespace

SharedNetwork read_network_file(const std::string& path) {
  try {
    return std::make_shared<ReadNetwork>(frontends::read_any_network(path));
  } catch (const Error& error) {
    const std::string what = error.what();
    if (what.starts_with(path + ": ")) throw Error(frontends::one_line(what));
    throw Error(frontends::message(path, error.where(), what));
  }
}

SharedNetwork parse_network(const std::string& bytes) {
  Network network = frontends::to_network(frontends::parse_safetensors(bytes));
  output_size(network);
  return std::make_shared<ReadNetwork>(ReadNetwork{std::move(network), {}});
}

std::size_t output_size(const Network& network) {
  encoders::ShapeAlgebra algebra(network.parameters);
  std::size_t result = 0;
  for (const auto& output : encoders::run(network, algebra, {network.input}))
    result += encoders::entry_count(output.shape);
  return result;
}

std::vector<Interval> run_network(const Network& network, const encoders::Tensor<Rational>& input) {
  std::vector<Interval> result;
  for (const auto& output : encoders::run_bracketed_exactly(network, input))
    for (std::size_t i = 0; i < output.lower.size(); ++i)
      result.emplace_back(output.lower.entries[i], output.upper().entries[i]);
  return result;
}

EncodedNetwork encode_network(const Network& network, const NetworkValues& values,
                              const std::vector<std::string>& units) {
  const Encoding encoding = encoding_of(network, values, [&](const std::string& layer) {
    return std::ranges::any_of(units, [&](const std::string& unit) {
      return unit.starts_with(layer) && unit.substr(layer.size()).starts_with('[');
    });
  });
  Naming naming(encoding);
  naming.add_outputs();
  naming.add_unknowns();
  for (const std::string& unit : units) naming.add_unit(unit);
  return {{encoding.problem, std::move(naming.names), encoding.assumptions},
          encoding.names,
          std::move(naming.bounded)};
}

}  // namespace wmi::python
