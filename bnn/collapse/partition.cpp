#include "bnn/collapse/partition.h"

#include <algorithm>
#include <charconv>
#include <variant>

#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

const encoders::NamedLayer* find_layer(const encoders::Network& network, const std::string& name) {
  for (const encoders::NamedLayer& layer : network.layers)
    if (layer.name == name) return &layer;
  return nullptr;
}

/// The layer that computes a value; dropout layers that do nothing are skipped.
const encoders::NamedLayer* source(const encoders::Network& network, const std::string& name) {
  const encoders::NamedLayer* layer = find_layer(network, name);
  while (layer) {
    const auto* const dropout = std::get_if<encoders::Dropout>(&layer->layer);
    if (!dropout || dropout->masks) return layer;
    layer = find_layer(network, layer->from[0]);
  }
  return nullptr;
}

std::size_t read_count(const std::string& text, const std::string& digits) {
  std::size_t count = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc() || stop != digits.data() + digits.size() || count == 0)
    throw Error("partition '" + text + "': '" + digits + "' is no number of weights");
  return count;
}

}  // namespace

Head find_head(const encoders::Network& network) {
  const encoders::NamedLayer* const output =
      network.output.size() == 1 ? source(network, network.output[0]) : nullptr;
  if (!output || !std::holds_alternative<encoders::Linear>(output->layer))
    throw Error(
        "the outputs of the network do not come from one linear layer; nothing can be "
        "collapsed");
  Head result{output->name, "", 0};
  const encoders::NamedLayer* const activation = source(network, output->from[0]);
  if (!activation || activation->from.size() != 1) return result;
  const auto* const leaky = std::get_if<encoders::LeakyRelu>(&activation->layer);
  if (!leaky && !std::holds_alternative<encoders::Relu>(activation->layer)) return result;
  const encoders::NamedLayer* const hidden = source(network, activation->from[0]);
  if (!hidden || !std::holds_alternative<encoders::Linear>(hidden->layer)) return result;
  result.hidden = hidden->name;
  if (leaky) result.slope = leaky->slope;
  return result;
}

bool first_layer(const encoders::Network& network, const std::string& layer) {
  return source(network, find_layer(network, layer)->from[0]) == nullptr;
}

Partition parse_partition(const std::string& text, const Head& head) {
  if (text == "none") return {};
  if (text == "all") return {UnknownLayers::all};
  if (text == "last") return {UnknownLayers::last};
  if (text.starts_with("last:") && text.ends_with("+bias"))
    return {UnknownLayers::last, read_count(text, text.substr(5, text.size() - 10)) + 1, true};
  if (text.starts_with("last:")) return {UnknownLayers::last, read_count(text, text.substr(5))};
  if (text.starts_with("second:") && text.ends_with("+bias"))
    return {UnknownLayers::second, read_count(text, text.substr(7, text.size() - 12)) + 1, true,
            true};
  if (text.starts_with("second:")) return {UnknownLayers::second, read_count(text, text.substr(7))};
  if (text.find('[') == std::string::npos)
    throw Error("no partition '" + text +
                "'; choose none, last, last:K, second:K, all or entries such as 'fc2.weight[0,3]'");
  Partition result;
  std::string layer;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" ;", at), text.size());
    if (end > at) result.names.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  for (const std::string& name : result.names) {
    const std::size_t dot = name.rfind('.');
    const std::string of = name.substr(0, dot);
    if (dot == std::string::npos)
      throw Error("'" + name + "': write the tensor and the index, as in fc2.weight[0,3]");
    if (!layer.empty() && of != layer)
      throw Error("'" + name + "' and '" + result.names[0] +
                  "': products of two unknowns are not linear; collapse one layer only");
    layer = of;
  }
  if (layer == head.output)
    result.layers = UnknownLayers::last;
  else if (layer == head.hidden)
    result.layers = UnknownLayers::second;
  else
    throw Error("'" + result.names[0] + "': only weights of '" + head.output + "'" +
                (head.hidden.empty() ? "" : " or '" + head.hidden + "'") +
                " can be collapsed here; ciber query answers for deeper layers");
  return result;
}

}  // namespace wmi::bnn
