#include "encoders/network.h"

#include <algorithm>
#include <set>

namespace wmi::encoders {
namespace {

/// Calls `visit` with a null pointer of each type in the variant.
template <class Visit, class... Types>
void for_each_type(const std::variant<Types...>*, Visit&& visit) {
  (visit(static_cast<Types*>(nullptr)), ...);
}

constexpr const Layer* layers = nullptr;

}  // namespace

std::vector<std::string_view> layer_types() {
  std::vector<std::string_view> result;
  for_each_type(layers, [&]<class Type>(Type*) { result.push_back(Type::keyword); });
  return result;
}

Layer make_layer(std::string_view type, Attributes attributes) {
  std::optional<Layer> result;
  for_each_type(layers, [&]<class Type>(Type*) {
    if (Type::keyword == type) result = Type::make(attributes);
  });
  if (!result) {
    std::string known;
    for (const std::string_view name : layer_types())
      known += (known.empty() ? "" : ", ") + std::string(name);
    throw Error("no layer of type '" + std::string(type) + "'; there are " + known);
  }
  attributes.finish();
  return *std::move(result);
}

bool needs_brackets(const Network& network) {
  const auto open = [](const auto& layer) {
    if constexpr (requires { layer.enclosure; })
      return !layer.side;
    else
      return false;
  };
  return std::ranges::any_of(
      network.layers, [&](const NamedLayer& layer) { return std::visit(open, layer.layer); });
}

Network within(Network network, const Rational& width) {
  bool any = false;
  for (NamedLayer& layer : network.layers) {
    const auto narrow = [&](auto& type) {
      if constexpr (requires { type.within(width); }) {
        any = true;
        static_cast<SmoothLayer&>(type) = type.within(width);
      }
    };
    try {
      std::visit(narrow, layer.layer);
    } catch (const Error& error) {
      throw Error(layer.name + ": " + error.what());
    }
  }
  if (!any) throw Error("no layer of the network is smooth");
  return network;
}

void check_names(const Network& network) {
  std::set<std::string, std::less<>> known{"input"};
  for (const NamedLayer& layer : network.layers) {
    if (layer.from.empty()) throw Error(layer.name + ": has no input");
    for (const std::string& name : layer.from)
      if (!known.contains(name))
        throw Error(layer.name + ": its input '" + name + "' is no earlier layer");
    if (layer.name.empty()) throw Error("a layer has no name");
    if (!known.insert(layer.name).second)
      throw Error("two layers are named '" + layer.name + "'; 'input' is taken as well");
  }
  if (network.output.empty()) throw Error("the network has no output");
  for (const std::string& name : network.output)
    if (!known.contains(name)) throw Error("the output '" + name + "' is no layer");
  for (const auto& [name, tensor] : network.parameters) {
    const std::string_view owner = std::string_view(name).substr(0, name.rfind('.'));
    if (name.find('.') == std::string::npos || owner == "input" || !known.contains(owner))
      throw Error("the tensor '" + name + "' belongs to no layer");
  }
}

}  // namespace wmi::encoders
