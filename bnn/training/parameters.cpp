#include "bnn/training/parameters.h"

#include <algorithm>
#include <cmath>

#include "bnn/numeric/random.h"
#include "solver/terms/error.h"

namespace wmi::bnn {

const Parameter* Layout::find(std::string_view name) const {
  const auto found = std::ranges::lower_bound(parameters, name, {}, &Parameter::name);
  return found == parameters.end() || found->name != name ? nullptr : &*found;
}

const Parameter& Layout::at(std::string_view name) const {
  if (const Parameter* found = find(name)) return *found;
  throw Error("there is no tensor '" + std::string(name) + "'");
}

Layout make_layout(const Weights& weights) {
  Layout result;
  for (const auto& [name, tensor] : weights) {
    const std::string last = name.substr(name.rfind('.') + 1);
    result.parameters.push_back({name, tensor.shape, result.size, tensor.size(),
                                 last.starts_with("running_") || last.starts_with("num_batches"),
                                 last == "bias"});
    result.size += tensor.size();
  }
  return result;
}

std::vector<double> to_vector(const Layout& layout, const Weights& weights) {
  std::vector<double> result(layout.size);
  if (weights.size() != layout.parameters.size())
    throw Error("weights of another model: " + std::to_string(weights.size()) + " tensors, not " +
                std::to_string(layout.parameters.size()));
  for (const Parameter& parameter : layout.parameters) {
    const auto found = weights.find(parameter.name);
    if (found == weights.end())
      throw Error("weights of another model: there is no tensor '" + parameter.name + "'");
    if (found->second.shape != parameter.shape)
      throw Error("weights of another model: '" + parameter.name + "' has shape " +
                  encoders::to_string(found->second.shape) + ", not " +
                  encoders::to_string(parameter.shape));
    std::ranges::copy(found->second.entries,
                      result.begin() + static_cast<std::ptrdiff_t>(parameter.offset));
  }
  return result;
}

Weights to_weights(const Layout& layout, std::span<const double> entries) {
  Weights result;
  for (const Parameter& parameter : layout.parameters) {
    encoders::Tensor<double> tensor;
    tensor.shape = parameter.shape;
    for (const double entry : entries.subspan(parameter.offset, parameter.size))
      tensor.entries.push_back(static_cast<float>(entry));
    result.emplace(parameter.name, std::move(tensor));
  }
  return result;
}

Weights weights_of(const encoders::Network& network, const Observation& observation) {
  Weights result;
  for (const auto& [name, tensor] : network.parameters) {
    encoders::Tensor<double> rounded;
    rounded.shape = tensor.shape;
    rounded.entries.reserve(encoders::entry_count(tensor.shape));
    for (const Rational& entry : tensor.entries) rounded.entries.push_back(entry.get_d());
    if (tensor.entries.empty()) rounded.entries.resize(encoders::entry_count(tensor.shape));
    result.emplace(name, std::move(rounded));
  }
  if (observation.kind == Observation::Kind::homoscedastic)
    result.try_emplace(raw_variance_name, encoders::Shape{1}, std::vector<double>{0});
  return result;
}

Weights initial_weights(const Weights& shapes, std::uint64_t seed) {
  Weights result = shapes;
  Random random(seed);
  for (const Parameter& parameter : make_layout(shapes).parameters) {
    encoders::Tensor<double>& tensor = result.find(parameter.name)->second;
    if (parameter.bias) std::ranges::fill(tensor.entries, 0);
    if (parameter.fixed || tensor.shape.size() < 2) continue;
    const double outputs = static_cast<double>(tensor.shape[0]);
    const double inputs = static_cast<double>(tensor.shape[1]);
    const double field = static_cast<double>(tensor.size()) / (inputs * outputs);
    const double bound = std::sqrt(6 / (field * (inputs + outputs)));
    for (double& entry : tensor.entries) entry = bound * (2 * random.uniform() - 1);
  }
  return result;
}

}  // namespace wmi::bnn
