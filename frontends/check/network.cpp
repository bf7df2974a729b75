// A network of linear and ReLU layers as SMT-LIB, once more: one definition for each entry of each
// layer, in the terms of the layer before it, and nothing left out or simplified. A certificate
// that is accepted for these definitions holds for the network, whatever encoder made the
// certificate.

#include "frontends/check/network.h"

#include <algorithm>
#include <map>

#include "frontends/formats/caps.h"
#include "frontends/formats/smtlib_writer.h"

namespace wmi::check {
namespace {

using Symbols = encoders::Tensor<std::string>;

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

std::string type(const encoders::NamedLayer& layer) {
  return std::visit([](const auto& one) { return std::string(one.keyword); }, layer.layer);
}

/// `a, b`
std::string listed(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "" : ", ") + word;
  return result;
}

class Encoder {
 public:
  Encoder(const encoders::Network& network, const std::vector<Carried::Value>& values)
      : network_(network) {
    for (const Carried::Value& value : values)
      if (!values_.emplace(value.name, false).second)
        throw Rejected("'" + value.name + "' is given twice");
  }

  std::string encode() {
    const std::size_t inputs = encoders::entry_count(network_.input);
    Symbols& input = layers_["input"] = {network_.input, {}};
    for (std::size_t i = 0; i < inputs; ++i) {
      const std::string name = "input" + encoders::index_name(network_.input, i);
      if (!given(name)) throw Rejected("the network has '" + name + "', which is not given");
      input.entries.push_back(symbol(name));
    }
    for (const auto& [name, layer, from] : network_.layers) {
      if (from.size() != 1) throw Rejected(name + ": takes one input");
      Symbols made = std::holds_alternative<encoders::Linear>(layer) ? linear(name, of(from[0]))
                                                                     : relu(name, of(from[0]));
      if (!layers_.emplace(name, std::move(made)).second)
        throw Rejected("two layers are named '" + name + "'");
    }
    std::size_t outputs = 0;
    for (const std::string& name : network_.output)
      for (const std::string& entry : of(name).entries) {
        const std::string output = "out[" + std::to_string(outputs++) + "]";
        if (entry != symbol(output)) text_ += definition(output, entry);
      }
    for (const auto& [name, taken] : values_)
      if (!taken && name != "y")
        throw Rejected("the network has no '" + name + "', which is given");
    return text_;
  }

 private:
  const Symbols& of(const std::string& layer) const {
    const auto found = layers_.find(layer);
    if (found == layers_.end()) throw Rejected("there is no layer '" + layer + "' so far");
    return found->second;
  }

  bool given(const std::string& name) {
    const auto value = values_.find(name);
    return value != values_.end() && (value->second = true);
  }

  std::string define(const std::string& name, const std::string& term) {
    text_ += definition(name, term);
    return symbol(name);
  }

  /// W x + b.
  Symbols linear(const std::string& name, const Symbols& from) {
    const auto entry = [&](const std::string& tensor, std::size_t i) {
      const encoders::Tensor<Rational>& numbers = network_.parameters.at(tensor);
      const std::string value = tensor + encoders::index_name(numbers.shape, i);
      return " " + (given(value) ? symbol(value) : frontends::number_text(numbers.entries[i]));
    };
    const auto shape = [&](const std::string& tensor) {
      const auto found = network_.parameters.find(tensor);
      return found == network_.parameters.end() ? encoders::Shape{} : found->second.shape;
    };
    const std::string weight = name + ".weight", bias = name + ".bias";
    const bool biased = network_.parameters.contains(bias);
    const std::size_t columns = from.size();
    if (from.shape.size() != 1 || shape(weight).size() != 2 || shape(weight)[1] != columns ||
        (biased && shape(bias) != encoders::Shape{shape(weight)[0]}))
      throw Rejected(name + ": its weight or its bias does not fit");
    Symbols result{{shape(weight)[0]}, {}};
    for (std::size_t row = 0; row < result.shape[0]; ++row) {
      std::string sum = "(+ 0";
      for (std::size_t column = 0; column < columns; ++column)
        sum += " (*" + entry(weight, row * columns + column) + " " + from.entries[column] + ")";
      if (biased) sum += entry(bias, row);
      result.entries.push_back(define(name + encoders::index_name(result.shape, row), sum + ")"));
    }
    return result;
  }

  Symbols relu(const std::string& name, const Symbols& from) {
    Symbols result{from.shape, {}};
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::string& x = from.entries[i];
      result.entries.push_back(
          define(name + encoders::index_name(from.shape, i), "(ite (> " + x + " 0) " + x + " 0)"));
    }
    return result;
  }

  const encoders::Network& network_;
  std::map<std::string, bool> values_;  // and whether the network has them
  std::map<std::string, Symbols> layers_;
  std::string text_;
};

}  // namespace

std::string Carried::given() const {
  std::string text;
  for (const auto& [name, number] : values)
    text += number ? definition(name, frontends::number_text(*number))
                   : "(declare-const " + symbol(name) + " Real)\n";
  return text;
}

std::optional<Carried> read_carried(Bytes& in) {
  if (!in.next_is(query_mark[0])) return std::nullopt;
  in.expect(query_mark);
  Carried result;
  for (std::size_t left = in.count(frontends::caps::tensors); left > 0; --left) {
    Carried::Value& value = result.values.emplace_back();  // as far as there are any
    value.name = in.text(frontends::caps::file);
    symbol(value.name);
    const unsigned char kind = in.byte();
    if (kind > 1) throw Rejected("a value is neither unknown nor a number");
    if (kind == 1) value.number = in.rational();
  }
  result.network = in.text(frontends::caps::file);
  result.statement = in.text(frontends::caps::file);
  return result;
}

std::string foreign_layers(const encoders::Network& network) {
  std::vector<std::string> result;
  for (const encoders::NamedLayer& layer : network.layers)
    if (!std::holds_alternative<encoders::Linear>(layer.layer) &&
        !std::holds_alternative<encoders::Relu>(layer.layer) &&
        std::ranges::count(result, type(layer)) == 0)
      result.push_back(type(layer));
  return listed(result);
}

std::string counted_layers(const encoders::Network& network) {
  std::map<std::string, std::size_t> counts;
  for (const encoders::NamedLayer& layer : network.layers) ++counts[type(layer)];
  std::vector<std::string> result;
  for (const auto& [name, count] : counts) result.push_back(std::to_string(count) + " " + name);
  return listed(result);
}

std::string definitions(const encoders::Network& network,
                        const std::vector<Carried::Value>& values) {
  return Encoder(network, values).encode();
}

}  // namespace wmi::check
