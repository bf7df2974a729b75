// An independent encoding of a network in SMT-LIB, of linear and ReLU layers and those that add,
// scale or rearrange entries: one definition for each entry of each layer, in terms of the layers
// before it, without simplification. A certificate that is accepted for these definitions holds for
// the network, whatever encoder made the certificate.

#include "frontends/check/program/network.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

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

using Terms = encoders::Tensor<std::string>;

/// The tensors of a layer: an entry is a number, or the name of an unknown.
struct Parameters {
  const encoders::Network& network;
  std::string layer;
  std::function<bool(const std::string& name)> is_given;

  const encoders::Tensor<Rational>* find(const std::string& tensor) const {
    const auto found = network.parameters.find(layer + "." + tensor);
    return found == network.parameters.end() ? nullptr : &found->second;
  }
  std::string term(const std::string& tensor, std::size_t i) const {
    const encoders::Tensor<Rational>& numbers = *find(tensor);
    const std::string name = layer + "." + tensor + encoders::index_name(numbers.shape, i);
    return is_given(name) ? symbol(name) : frontends::number_text(numbers.entries.at(i));
  }
};

// The entries of a layer, as terms over those of its inputs.

Terms encode(const encoders::Linear&, const std::vector<Terms>& from,
             const Parameters& parameters) {
  const Terms& x = from[0];
  const encoders::Tensor<Rational>* const weight = parameters.find("weight");
  if (weight == nullptr || weight->shape.size() != 2 || x.shape.empty() ||
      weight->shape[1] != x.shape.back())
    throw Rejected("the weights of '" + parameters.layer + "' do not fit its input");
  const std::size_t out = weight->shape[0], in = weight->shape[1];
  Terms result{x.shape, {}};
  result.shape.back() = out;
  for (std::size_t row = 0; row < x.size() / in; ++row)
    for (std::size_t i = 0; i < out; ++i) {
      std::string term = "(+ 0";
      for (std::size_t j = 0; j < in; ++j)
        term +=
            " (* " + parameters.term("weight", i * in + j) + " " + x.entries[row * in + j] + ")";
      if (parameters.find("bias") != nullptr) term += " " + parameters.term("bias", i);
      result.entries.push_back(term + ")");
    }
  return result;
}

Terms encode(const encoders::Relu&, const std::vector<Terms>& from, const Parameters&) {
  Terms result = from[0];
  for (std::string& x : result.entries) x = "(ite (> " + x + " 0) " + x + " 0)";
  return result;
}

Terms encode(const encoders::Flatten&, const std::vector<Terms>& from, const Parameters&) {
  return {{from[0].size()}, from[0].entries};
}

Terms encode(const encoders::Rearrange& layer, const std::vector<Terms>& from, const Parameters&) {
  Terms result{layer.shape, {}};
  for (std::size_t i = 0; i < encoders::entry_count(layer.shape); ++i) {
    const std::size_t entry = layer.entries.empty() ? i : layer.entries.at(i);
    result.entries.push_back(entry == encoders::nothing ? frontends::number_text(layer.fill)
                                                        : from[0].entries.at(entry));
  }
  return result;
}

Terms encode(const encoders::Affine&, const std::vector<Terms>& from,
             const Parameters& parameters) {
  Terms result = from[0];
  for (const auto& [tensor, operation] :
       {std::pair("weight", "(* "), std::pair("bias", "(+ "), std::pair("divisor", "(/ ")}) {
    if (parameters.find(tensor) == nullptr) continue;
    const std::vector<std::size_t> entries =
        encoders::broadcast(parameters.find(tensor)->shape, result.shape);
    for (std::size_t i = 0; i < result.size(); ++i)
      result.entries[i] =
          operation + result.entries[i] + " " + parameters.term(tensor, entries[i]) + ")";
  }
  return result;
}

Terms encode(const encoders::Add&, const std::vector<Terms>& from, const Parameters&) {
  Terms result = from[0];
  for (std::size_t i = 0; i < result.size(); ++i) {
    result.entries[i] = "(+ 0";
    for (const Terms& x : from) result.entries[i] += " " + x.entries.at(i);
    result.entries[i] += ")";
  }
  return result;
}

/// The entries of a layer; nullopt if its type is not among those above.
std::optional<Terms> encode_layer(const encoders::Layer& layer, const std::vector<Terms>& from,
                                  const Parameters& parameters) {
  return std::visit(
      [&](const auto& type) -> std::optional<Terms> {
        if constexpr (requires { encode(type, from, parameters); })
          return encode(type, from, parameters);
        else
          return std::nullopt;
      },
      layer);
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

std::map<std::string, LayerCount> count_layers(const encoders::Network& network) {
  std::map<std::string, LayerCount> result;
  for (const encoders::NamedLayer& layer : network.layers)
    std::visit(
        [&](const auto& type) {
          LayerCount& counted = result[std::string(type.keyword)];
          ++counted.count;
          counted.can_be_encoded = requires(const std::vector<Terms>& from, const Parameters& own) {
            encode(type, from, own);
          };
        },
        layer.layer);
  return result;
}

std::string definitions(const encoders::Network& network,
                        const std::vector<EmbeddedProblem::Value>& values) {
  std::map<std::string, bool> given;  // by name: whether the network has it
  std::map<std::string, Terms> layers;
  std::string text;
  for (const EmbeddedProblem::Value& value : values)
    if (!given.emplace(value.name, false).second)
      throw Rejected("'" + value.name + "' is given twice");
  const auto take = [&](const std::string& name) {
    const auto value = given.find(name);
    return value != given.end() && (value->second = true);
  };

  Terms& input = layers["input"];
  for (std::size_t i = 0; i < encoders::entry_count(network.input); ++i) {
    const std::string name = "input" + encoders::index_name(network.input, i);
    if (!take(name)) throw Rejected("the network has '" + name + "', which is not given");
    input.entries.push_back(symbol(name));
  }
  input.shape = network.input;
  for (const auto& [name, layer, from] : network.layers) {
    std::vector<Terms> inputs;
    inputs.reserve(from.size());
    for (const std::string& one : from) inputs.push_back(layers.at(one));
    std::optional<Terms> made = encode_layer(layer, inputs, {network, name, take});
    if (!made) throw Rejected("'" + name + "' is of a type that cannot be encoded");
    for (std::size_t i = 0; i < made->size(); ++i) {
      const std::string entry = name + encoders::index_name(made->shape, i);
      text += definition(entry, made->entries[i]);
      made->entries[i] = symbol(entry);
    }
    layers[name] = *std::move(made);
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
