// An independent encoding of a network of linear and ReLU layers in SMT-LIB: one definition for
// each entry of each layer, in terms of the layer before it, without simplification. A certificate
// that is accepted for these definitions holds for the network, whatever encoder made the
// certificate. The reader of networks checks that layers and tensors match.

#include "frontends/check/program/network.h"

#include <algorithm>
#include <map>

#include "frontends/common/caps.h"
#include "frontends/formats/smtlib_writer.h"

namespace wmi::check {
namespace {

/// `|name|`, which must be one.
std::string symbol(const std::string& name) {
  if (std::ranges::any_of(name, [](unsigned char c) { return c < ' ' || c == 127; }) ||
      name.find_first_of("|\\") != std::string::npos)
    throw Rejected("'" + name + "' is no proper name");
  return "|" + name + "|";
}

std::string definition(const std::string& name, const std::string& term) {
  return "(define-fun " + symbol(name) + " () Real " + term + ")\n";
}

}  // namespace

std::string EmbeddedProblem::given() const {
  std::string text;
  for (const auto& [name, number] : values)
    text += number ? definition(name, frontends::number_text(*number))
                   : "(declare-const " + symbol(name) + " Real)\n";
  return text;
}

std::optional<EmbeddedProblem> read_embedded(Bytes& in) {
  if (!in.next_is(query_mark[0])) return std::nullopt;
  in.expect(query_mark);
  EmbeddedProblem result;
  for (std::size_t left = in.count(frontends::caps::tensors); left > 0; --left) {
    const std::string name = in.text(frontends::caps::file);
    const std::size_t kind = in.count(1);
    result.values.push_back({name, kind == 1 ? std::optional(in.rational()) : std::nullopt});
  }
  result.network = in.text(frontends::caps::file);
  result.statement = in.text(frontends::caps::file);
  return result;
}

std::map<std::string, std::size_t> count_layers(const encoders::Network& network) {
  std::map<std::string, std::size_t> result;
  for (const encoders::NamedLayer& layer : network.layers)
    ++result[std::visit([](const auto& one) { return std::string(one.keyword); }, layer.layer)];
  return result;
}

std::string definitions(const encoders::Network& network,
                        const std::vector<EmbeddedProblem::Value>& values) {
  std::map<std::string, bool> given;  // by name: whether the network has it
  std::map<std::string, encoders::Tensor<std::string>> layers;
  std::string text;
  for (const EmbeddedProblem::Value& value : values)
    if (!given.emplace(value.name, false).second)
      throw Rejected("'" + value.name + "' is given twice");
  const auto take = [&](const std::string& name) {
    const auto value = given.find(name);
    return value != given.end() && (value->second = true);
  };
  const auto parameter = [&](const std::string& tensor, std::size_t i) {
    const encoders::Tensor<Rational>& numbers = network.parameters.at(tensor);
    const std::string name = tensor + encoders::index_name(numbers.shape, i);
    return " " + (take(name) ? symbol(name) : frontends::number_text(numbers.entries.at(i)));
  };

  encoders::Tensor<std::string>& input = layers["input"];
  for (std::size_t i = 0; i < encoders::entry_count(network.input); ++i) {
    const std::string name = "input" + encoders::index_name(network.input, i);
    if (!take(name)) throw Rejected("the network has '" + name + "', which is not given");
    input.entries.push_back(symbol(name));
  }
  input.shape = network.input;
  for (const auto& [name, layer, from] : network.layers) {
    const auto& [shape, x] = layers.at(from.at(0));
    encoders::Tensor<std::string>& made = layers[name];
    const bool linear = std::holds_alternative<encoders::Linear>(layer);
    made.shape = linear ? encoders::Shape{network.parameters.at(name + ".weight").shape[0]} : shape;
    for (std::size_t i = 0; i < encoders::entry_count(made.shape); ++i) {
      const std::string entry = name + encoders::index_name(made.shape, i);
      std::string term = "(+ 0";
      for (std::size_t j = 0; linear && j < x.size(); ++j)
        term += " (*" + parameter(name + ".weight", i * x.size() + j) + " " + x[j] + ")";
      if (linear && network.parameters.contains(name + ".bias"))
        term += parameter(name + ".bias", i);
      text +=
          definition(entry, linear ? term + ")" : "(ite (> " + x.at(i) + " 0) " + x.at(i) + " 0)");
      made.entries.push_back(symbol(entry));
    }
  }
  std::size_t outputs = 0;
  for (const std::string& name : network.output)
    for (const std::string& entry : layers.at(name).entries) {
      const std::string output = "out[" + std::to_string(outputs++) + "]";
      if (entry != symbol(output)) text += definition(output, entry);
    }
  for (const auto& [name, taken] : given)
    if (!taken && name != "y") throw Rejected("the network has no '" + name + "', which is given");
  return text;
}

}  // namespace wmi::check
