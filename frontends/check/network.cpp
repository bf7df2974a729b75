// A network of linear and ReLU layers as SMT-LIB, once more: one definition for each entry of each
// layer, in the terms of the layer before it, and nothing left out or simplified. A certificate
// that is accepted for these definitions holds for the network, whatever encoder made the
// certificate.

#include "frontends/check/network.h"

#include <algorithm>
#include <map>
#include <set>

#include "frontends/formats/caps.h"

namespace wmi::check {
namespace {

using encoders::NamedLayer;
using encoders::Network;

std::string symbol(const std::string& name) { return "|" + name + "|"; }

bool quotable(const std::string& name) {
  return std::ranges::none_of(
      name, [](unsigned char c) { return c < ' ' || c == '|' || c == '\\' || c == 127; });
}

std::string literal(const Rational& number) {
  const Rational size = abs(number);
  std::string text = size.get_num().get_str();
  if (size.get_den() != 1) text = "(/ " + text + " " + size.get_den().get_str() + ")";
  return number < 0 ? "(- " + text + ")" : text;
}

/// `[1,2]`: the last index counts fastest.
std::string place(const encoders::Shape& shape, std::size_t entry) {
  std::string result;
  for (std::size_t axis = shape.size(); axis-- > 0; entry /= shape[axis])
    result = (axis > 0 ? "," : "") + std::to_string(entry % shape[axis]) + result;
  return "[" + result + "]";
}

/// What a layer gives, as symbols.
struct Entries {
  encoders::Shape shape;
  std::vector<std::string> symbols;
};

class Encoder {
 public:
  Encoder(const Network& network, const std::vector<Carried::Value>& values) : network_(network) {
    for (const Carried::Value& value : values)
      if (!values_.insert(value.name).second) throw Rejected("'" + value.name + "' is given twice");
    Entries input{network.input, {}};
    for (std::size_t i = 0; i < encoders::entry_count(network.input); ++i) {
      const std::string name = "input" + place(network.input, i);
      if (!take(name)) throw Rejected("the network has '" + name + "', which is not given");
      input.symbols.push_back(symbol(name));
    }
    layers_.emplace("input", std::move(input));
  }

  std::string encode() && {
    for (const NamedLayer& layer : network_.layers) {
      if (!quotable(layer.name)) throw Rejected("'" + layer.name + "' is no name");
      if (layer.from.size() != 1) throw Rejected(layer.name + ": takes one input");
      const Entries& from = entries(layer.from[0]);
      Entries result = std::holds_alternative<encoders::Linear>(layer.layer)
                           ? linear(layer.name, from)
                           : relu(layer.name, from);
      if (!layers_.emplace(layer.name, std::move(result)).second)
        throw Rejected("two layers are named '" + layer.name + "'");
    }
    std::size_t outputs = 0;
    for (const std::string& name : network_.output)
      for (const std::string& entry : entries(name).symbols) {
        const std::string output = symbol("out[" + std::to_string(outputs++) + "]");
        if (entry != output) define(output, entry);
      }
    for (const std::string& name : values_)
      if (!taken_.contains(name) && name != "y")
        throw Rejected("the network has no '" + name + "', which is given");
    return std::move(text_);
  }

 private:
  const Entries& entries(const std::string& name) const {
    const auto found = layers_.find(name);
    if (found == layers_.end()) throw Rejected("there is no layer '" + name + "' so far");
    return found->second;
  }

  /// W x + b.
  Entries linear(const std::string& name, const Entries& from) {
    const auto weight = network_.parameters.find(name + ".weight");
    const auto bias = network_.parameters.find(name + ".bias");
    const bool biased = bias != network_.parameters.end();
    const std::size_t columns = from.symbols.size();
    if (weight == network_.parameters.end() || from.shape.size() != 1 ||
        weight->second.shape.size() != 2 || weight->second.shape[1] != columns ||
        (biased && bias->second.shape != encoders::Shape{weight->second.shape[0]}))
      throw Rejected(name + ": its weight or its bias does not fit");
    Entries result{{weight->second.shape[0]}, {}};
    for (std::size_t row = 0; row < result.shape[0]; ++row) {
      const std::string index = std::to_string(row);
      std::string sum = "(+ 0";
      for (std::size_t column = 0; column < columns; ++column)
        sum += " (* " +
               parameter(name + ".weight[" + index + "," + std::to_string(column) + "]",
                         weight->second.entries[row * columns + column]) +
               " " + from.symbols[column] + ")";
      if (biased) sum += " " + parameter(name + ".bias[" + index + "]", bias->second.entries[row]);
      result.symbols.push_back(symbol(name + "[" + index + "]"));
      define(result.symbols.back(), sum + ")");
    }
    return result;
  }

  Entries relu(const std::string& name, const Entries& from) {
    Entries result{from.shape, {}};
    for (std::size_t i = 0; i < from.symbols.size(); ++i) {
      const std::string& x = from.symbols[i];
      result.symbols.push_back(symbol(name + place(from.shape, i)));
      define(result.symbols.back(), "(ite (> " + x + " 0) " + x + " 0)");
    }
    return result;
  }

  std::string parameter(const std::string& name, const Rational& number) {
    return take(name) ? symbol(name) : literal(number);
  }

  /// Is this given?
  bool take(const std::string& name) {
    if (!values_.contains(name)) return false;
    taken_.insert(name);
    return true;
  }

  void define(const std::string& name, const std::string& term) {
    text_ += "(define-fun " + name + " () Real " + term + ")\n";
  }

  const Network& network_;
  std::set<std::string> values_, taken_;
  std::map<std::string, Entries> layers_;
  std::string text_;
};

std::string type(const NamedLayer& layer) {
  return std::visit([](const auto& one) { return std::string(one.keyword); }, layer.layer);
}

}  // namespace

std::string Carried::given() const {
  std::string text;
  for (const Value& value : values)
    text += value.number
                ? "(define-fun " + symbol(value.name) + " () Real " + literal(*value.number) + ")\n"
                : "(declare-const " + symbol(value.name) + " Real)\n";
  return text;
}

std::optional<Carried> read_carried(Bytes& in) {
  if (!in.next_is(query_mark[0])) return std::nullopt;
  in.expect(query_mark);
  Carried result;
  for (std::size_t left = in.count(frontends::caps::tensors); left > 0; --left) {
    Carried::Value& value = result.values.emplace_back();  // as far as there are any
    value.name = in.text(frontends::caps::file);
    if (!quotable(value.name)) throw Rejected("a value has no proper name");
    const unsigned char kind = in.byte();
    if (kind > 1) throw Rejected("a value is neither unknown nor a number");
    if (kind == 1) value.number = in.rational();
  }
  result.network = in.text(frontends::caps::file);
  result.statement = in.text(frontends::caps::file);
  return result;
}

std::string foreign_layers(const Network& network) {
  std::set<std::string> seen;
  std::string result;
  for (const NamedLayer& layer : network.layers)
    if (!std::holds_alternative<encoders::Linear>(layer.layer) &&
        !std::holds_alternative<encoders::Relu>(layer.layer) && seen.insert(type(layer)).second)
      result += (result.empty() ? "" : ", ") + type(layer);
  return result;
}

std::string counted_layers(const Network& network) {
  std::map<std::string, std::size_t> counts;
  for (const NamedLayer& layer : network.layers) ++counts[type(layer)];
  std::string result;
  for (const auto& [name, count] : counts)
    result += (result.empty() ? "" : ", ") + std::to_string(count) + " " + name;
  return result;
}

std::string definitions(const Network& network, const std::vector<Carried::Value>& values) {
  return Encoder(network, values).encode();
}

}  // namespace wmi::check
