#include "tests/encoders/random_network.h"

namespace wmi::encoders {

Tensor<Rational> Draws::tensor(const Shape& shape) {
  Tensor<Rational> result = Tensor<Rational>::filled(shape, 0);
  for (Rational& entry : result.entries) entry = (*this)();
  return result;
}

Network mlp(const std::vector<std::size_t>& widths, const Layer& activation, Draws& draw) {
  Network network;
  network.input = {widths[0]};
  std::string last = "input";
  for (std::size_t i = 1; i < widths.size(); ++i) {
    const std::string name = "fc" + std::to_string(i);
    network.layers.push_back({name, Linear{}, {last}});
    network.parameters.emplace(name + ".weight", draw.tensor({widths[i], widths[i - 1]}));
    network.parameters.emplace(name + ".bias", draw.tensor({widths[i]}));
    last = name;
    if (i + 1 == widths.size()) break;
    last = "relu" + std::to_string(i);
    network.layers.push_back({last, activation, {name}});
  }
  network.output = {last};
  return network;
}

Layer layer(std::string_view type, Values attributes) {
  return make_layer(type, Attributes(std::move(attributes)));
}

}  // namespace wmi::encoders
