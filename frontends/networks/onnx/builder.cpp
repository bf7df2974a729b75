#include "frontends/networks/onnx/builder.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "encoders/shape_algebra.h"
#include "frontends/common/caps.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

using encoders::NamedLayer;
using encoders::nothing;
using encoders::Shape;
using encoders::Tensor;
using encoders::to_string;

bool is_identity(const std::vector<std::size_t>& entries, std::size_t count) {
  if (entries.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i)
    if (entries[i] != i) return false;
  return true;
}

/// The bias of a layer with these outputs or channels, or nothing if it is none: after leading axes
/// of length 1 have been left out, the tensor must be `pattern` or a single number.
std::optional<Tensor<Rational>> as_bias(const Tensor<Rational>& tensor, const Shape& pattern) {
  if (tensor.size() == 1) return Tensor<Rational>::filled({pattern[0]}, tensor.entries[0]);
  Shape shape = tensor.shape;
  while (shape.size() > pattern.size() && shape[0] == 1) shape.erase(shape.begin());
  if (shape != pattern) return std::nullopt;
  return Tensor<Rational>({pattern[0]}, tensor.entries);
}

Error too_many() {
  return Error("a network with more than " + std::to_string(caps::tensors) +
               " entries of values or tensors, the cap 'tensors'");
}

void add_up(std::size_t& sum, std::size_t count) {
  sum += count;
  if (sum > caps::tensors) throw too_many();
}

}  // namespace

std::size_t allowed_count(const Shape& shape) {
  const std::size_t result = encoders::entry_count(shape);
  if (result > caps::tensors) throw too_many();
  return result;
}

Shape without_batch(const Shape& shape) {
  if (shape.size() < 2 || shape[0] != 1) return shape;
  return {shape.begin() + 1, shape.end()};
}

std::string clean_name(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const bool good = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.';
    if (good)
      result += c;
    else if (!result.empty() && result.back() != '_')
      result += '_';
  }
  while (result.ends_with('_') || result.ends_with('.')) result.pop_back();
  return result;
}

std::string layer_name(std::string_view name, std::string_view otherwise) {
  std::string result = clean_name(name);
  if (result.empty()) return std::string(otherwise);
  if (std::isalpha(static_cast<unsigned char>(result[0])) == 0)
    return std::string(otherwise) + "_" + result;
  return result;
}

std::string owner_name(std::string_view tensor, std::string_view kind) {
  const std::string ending = "." + std::string(kind);
  if (!tensor.ends_with(ending)) return "";
  return clean_name(tensor.substr(0, tensor.size() - ending.size()));
}

Builder::Builder(Shape input) {
  network_.input = std::move(input);
  shapes_["input"] = network_.input;
}

Activation Builder::input(Shape shape) const {
  return reshaped({"input", network_.input}, std::move(shape));
}

std::string Builder::unused(const std::string& wish) {
  if (!shapes_.contains(wish)) return wish;
  std::size_t& number = names_by_wish_.try_emplace(wish, 1).first->second;
  std::string name;
  do name = wish + "_" + std::to_string(++number);
  while (shapes_.contains(name));
  return name;
}

Activation Builder::add(const std::string& wish, encoders::Layer layer,
                        const std::vector<Activation>& from, Tensors tensors) {
  std::vector<std::string> names;
  names.reserve(from.size());
  for (const Activation& x : from) names.push_back(layer_with_shape(x, wish + "_in"));
  const std::string name = unused(wish);
  Tensors parameters;
  while (!tensors.empty()) {
    auto tensor = tensors.extract(tensors.begin());
    add_up(tensor_entries_, tensor.mapped().size());
    tensor.key() = name + "." + tensor.key();
    parameters.insert(std::move(tensor));
  }

  using Shapes = encoders::ShapeAlgebra<Tensors>;
  Shapes algebra(parameters);
  algebra.enter(name);
  std::vector<Shapes::Value> inputs;
  inputs.reserve(from.size());
  for (const Activation& x : from) inputs.push_back({x.shape});
  const Shape shape = encoders::run_layer<Shapes>(layer, algebra, inputs).shape;
  const std::size_t count = allowed_count(shape);
  add_up(entries_, count);
  if (std::holds_alternative<encoders::Linear>(layer) ||
      std::holds_alternative<encoders::Conv2d>(layer)) {
    const Tensor<Rational>& weight = parameters.at(name + ".weight");
    multiplications_ += count * (weight.size() / weight.shape[0]);
  }

  places_[name] = network_.layers.size();
  network_.layers.push_back({name, std::move(layer), std::move(names)});
  network_.parameters.merge(parameters);
  shapes_[name] = shape;
  return {name, shape};
}

Activation Builder::add_entrywise(const std::string& wish, encoders::Layer layer,
                                  const Activation& x) {
  return reshaped(add(wish, std::move(layer), {{x.layer, shapes_.at(x.layer)}}), x.shape);
}

Activation Builder::rearranged(const std::string& wish, const Activation& x,
                               const std::vector<std::size_t>& entries, const Shape& shape,
                               const Rational& fill) {
  const std::size_t count = encoders::entry_count(x.shape);
  if (entries.empty()) throw Error("a value " + to_string(shape) + " without entries");
  if (is_identity(entries, count)) return reshaped(x, shape);
  const Activation own{x.layer, shapes_.at(x.layer)};
  return reshaped(add(wish, encoders::Rearrange{without_batch(shape), entries, fill}, {own}),
                  shape);
}

Activation Builder::reshaped(const Activation& x, Shape shape) {
  if (encoders::entry_count(shape) != encoders::entry_count(x.shape))
    throw Error("a value " + to_string(x.shape) + " cannot have the shape " + to_string(shape));
  return {x.layer, std::move(shape)};
}

std::string Builder::layer_with_shape(const Activation& x, const std::string& wish) {
  if (shapes_.at(x.layer) == x.shape) return x.layer;
  const auto found = reshaped_.find({x.layer, x.shape});
  if (found != reshaped_.end()) return found->second;
  const Activation own{x.layer, shapes_.at(x.layer)};
  const encoders::Layer layer = x.shape.size() == 1
                                    ? encoders::Layer(encoders::Flatten{})
                                    : encoders::Layer(encoders::Rearrange{x.shape, {}, 0});
  std::string name = add(wish, layer, {own}).layer;
  reshaped_[{x.layer, x.shape}] = name;
  return name;
}

Activation Builder::constant(const std::string& wish, const Tensor<Rational>& tensor) {
  if (tensor.size() == 0) throw Error("a constant " + to_string(tensor.shape) + " without entries");
  const bool same = std::ranges::all_of(
      tensor.entries, [&](const Rational& entry) { return entry == tensor.entries[0]; });
  const Activation start{"input", network_.input};
  Activation filled = rearranged(same ? wish : wish + "_shape", start,
                                 std::vector<std::size_t>(tensor.size(), nothing), tensor.shape,
                                 same ? tensor.entries[0] : Rational(0));
  if (same) return filled;
  const Activation own{filled.layer, shapes_.at(filled.layer)};
  return reshaped(add(wish, encoders::Affine{}, {own}, {{"bias", {own.shape, tensor.entries}}}),
                  tensor.shape);
}

bool Builder::add_bias(Activation& x, const Constant& bias) {
  if (x.layer == "input") return false;
  const NamedLayer& layer = network_.layers[places_.at(x.layer)];
  const Shape& shape = shapes_.at(x.layer);
  const bool linear = std::holds_alternative<encoders::Linear>(layer.layer);
  if (!linear && !std::holds_alternative<encoders::Conv2d>(layer.layer)) return false;
  if (network_.parameters.contains(x.layer + ".bias")) return false;
  if (without_batch(x.shape) != shape) return false;
  std::optional<Tensor<Rational>> found =
      as_bias(bias.tensor, linear ? Shape{shape.back()} : Shape{shape[0], 1, 1});
  if (!found) return false;
  // Named after its own tensors, rather than after a node.
  const std::string wish = owner_name(bias.origin, "bias");
  if (!wish.empty() && !x.layer.starts_with(wish)) {
    const std::string name = unused(wish);
    rename(x.layer, name);
    x.layer = name;
  }
  add_up(tensor_entries_, found->size());
  network_.parameters.emplace(x.layer + ".bias", *std::move(found));
  return true;
}

void Builder::rename(const std::string& layer, const std::string& name) {
  network_.layers[places_.at(layer)].name = name;
  auto shape = shapes_.extract(layer);
  shape.key() = name;
  shapes_.insert(std::move(shape));
  auto place = places_.extract(layer);
  place.key() = name;
  places_.insert(std::move(place));
  for (auto next = network_.parameters.lower_bound(layer + ".");
       next != network_.parameters.end() && next->first.starts_with(layer + ".");) {
    auto tensor = network_.parameters.extract(next++);
    tensor.key() = name + tensor.key().substr(layer.size());
    network_.parameters.insert(std::move(tensor));
  }
}

encoders::Network Builder::finish(const std::vector<Activation>& outputs) && {
  for (const Activation& output : outputs) network_.output.push_back(output.layer);
  encoders::check_names(network_);
  return std::move(network_);
}

}  // namespace wmi::frontends::onnx
