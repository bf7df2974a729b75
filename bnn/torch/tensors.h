#pragma once

#include <torch/types.h>
#include <torch/utils.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "encoders/enclosure.h"
#include "encoders/network.h"

namespace wmi::bnn {

/// A network on tensors: it runs on a batch of inputs at once, and its gradients come from
/// autograd.
///
/// A value's entries lie in one row, or in a row for each input of the batch; its shape is kept
/// beside it, so that a layer sees the shape of one input.
class TensorAlgebra {
 public:
  struct Value {
    torch::Tensor entries;  // [n], or [batch, n]
    encoders::Shape shape;
  };

  /// Parameters in the shapes and under the names of the network's. In training, dropout draws
  /// by the generator, or else by torch's own.
  TensorAlgebra(const std::map<std::string, torch::Tensor, std::less<>>& parameters, bool training,
                c10::optional<at::Generator> generator = {})
      : parameters_(parameters), training_(training), generator_(std::move(generator)) {}

  void enter(std::string_view layer) { layer_ = layer; }

  encoders::Shape shape(const Value& x) const { return x.shape; }
  Value constant(const encoders::Shape& shape, const Rational& c) const {
    return {torch::full({static_cast<std::int64_t>(encoders::entry_count(shape))}, c.get_d(),
                        options()),
            shape};
  }

  bool has_parameter(std::string_view name) const { return parameters_.contains(full_name(name)); }
  Value parameter(std::string_view name) const {
    const auto found = parameters_.find(full_name(name));
    if (found == parameters_.end()) throw Error("there is no tensor '" + full_name(name) + "'");
    encoders::Shape shape;
    for (const std::int64_t length : found->second.sizes())
      shape.push_back(static_cast<std::size_t>(length));
    return {found->second.reshape({-1}), std::move(shape)};
  }

  Value add(const Value& x, const Value& y) const {
    check_same(x, y);
    return {x.entries + y.entries, x.shape};
  }
  Value scale(const Rational& c, const Value& x) const { return {x.entries * c.get_d(), x.shape}; }
  Value multiply(const Value& x, const Value& y) const {
    check_same(x, y);
    return {x.entries * y.entries, x.shape};
  }
  Value max(const Value& x, const Value& y) const {
    check_same(x, y);
    return {torch::maximum(x.entries, y.entries), x.shape};
  }
  Value at_least_zero(const Value& x) const {
    return {(x.entries >= 0).to(x.entries.dtype()), x.shape};
  }
  Value mask(const Value& x, const Rational& keep) const {
    if (!training_) return x;
    const double p = keep.get_d();
    return {x.entries * torch::bernoulli(torch::full_like(x.entries, p), generator_) / p, x.shape};
  }
  Value inverse_root(const Value& x, const Rational& c) const {
    return {torch::rsqrt(x.entries + c.get_d()), x.shape};
  }
  Value reciprocal(const Value& x) const { return {torch::reciprocal(x.entries), x.shape}; }

  /// The smooth function itself, not its bounds.
  Value smooth(const encoders::Enclosure& enclosure, const Value& x) const {
    return {smooth_function(enclosure.function, x.entries), x.shape};
  }

  /// All ramps at once.
  Value ramps(const encoders::Ramps& layer, const Value& x) const {
    std::vector<std::int64_t> places(layer.entries.begin(), layer.entries.end());
    const auto numbers = [&](const auto& entry) {
      std::vector<double> result;
      for (std::size_t k = 0; k < layer.size(); ++k) result.push_back(Rational(entry(k)).get_d());
      return torch::tensor(result, torch::kDouble).to(x.entries.dtype());
    };
    const torch::Tensor from = numbers([&](std::size_t k) { return layer.begin[k]; });
    const torch::Tensor low = numbers([&](std::size_t k) { return layer.low[k]; });
    const torch::Tensor rise =
        numbers([&](std::size_t k) { return Rational(layer.high[k] - layer.low[k]); });
    const torch::Tensor factor =
        numbers([&](std::size_t k) { return Rational(1 / (layer.end[k] - layer.begin[k])); });
    const torch::Tensor entries = x.entries.index_select(-1, torch::tensor(places, torch::kLong));
    return {torch::cat({x.entries, low + rise * torch::clamp((entries - from) * factor, 0, 1)}, -1),
            {x.shape[0] + layer.size()}};
  }

  Value matrix(const Value& x, const Value& y) const {
    const auto m = static_cast<std::int64_t>(x.shape[0]), k = static_cast<std::int64_t>(x.shape[1]);
    const auto n = static_cast<std::int64_t>(y.shape[1]);
    if (static_cast<std::int64_t>(y.shape[0]) != k) throw Error("matrices do not fit");
    const torch::Tensor left = batched(x) ? x.entries.view({-1, m, k}) : x.entries.view({m, k});
    torch::Tensor product;
    if (!batched(x) && batched(y) && n == 1) {  // one product for the whole batch
      product = torch::matmul(y.entries, left.transpose(0, 1));
    } else {
      const torch::Tensor right = batched(y) ? y.entries.view({-1, k, n}) : y.entries.view({k, n});
      product = torch::matmul(left, right);
      product =
          product.dim() == 3 ? product.reshape({product.size(0), m * n}) : product.reshape({m * n});
    }
    return {product, {x.shape[0], y.shape[1]}};
  }

  Value gather(const Value& x, const std::vector<std::size_t>& entries,
               const encoders::Shape& shape) const {
    const std::size_t count = encoders::entry_count(x.shape);
    bool same = entries.size() == count;
    std::vector<std::int64_t> places;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      same = same && entries[i] == i;
      places.push_back(
          static_cast<std::int64_t>(entries[i] == encoders::nothing ? count : entries[i]));
    }
    if (same) return {x.entries, shape};
    // A zero behind the last entry, for padding.
    const torch::Tensor padded = torch::constant_pad_nd(x.entries, {0, 1});
    return {padded.index_select(-1, torch::tensor(places, torch::kLong)), shape};
  }

 private:
  static torch::Tensor smooth_function(encoders::Smooth function, const torch::Tensor& x) {
    switch (function) {
      case encoders::Smooth::tanh:
        return torch::tanh(x);
      case encoders::Smooth::sigmoid:
        return torch::sigmoid(x);
      case encoders::Smooth::gelu:
        return torch::gelu(x);
      case encoders::Smooth::softplus:
        return torch::logaddexp(x, torch::zeros_like(x));
      case encoders::Smooth::hardswish:
        return torch::hardswish(x);
    }
    throw Error("no such smooth function");
  }
  static bool batched(const Value& x) { return x.entries.dim() == 2; }
  static void check_same(const Value& x, const Value& y) {
    if (x.shape != y.shape)
      throw Error("shapes " + encoders::to_string(x.shape) + " and " +
                  encoders::to_string(y.shape) + " differ");
  }
  torch::TensorOptions options() const {
    return parameters_.empty() ? torch::TensorOptions(torch::kDouble)
                               : parameters_.begin()->second.options().requires_grad(false);
  }
  std::string full_name(std::string_view name) const {
    return std::string(layer_) + "." + std::string(name);
  }

  const std::map<std::string, torch::Tensor, std::less<>>& parameters_;
  bool training_;
  c10::optional<at::Generator> generator_;
  std::string_view layer_;
};

static_assert(encoders::Algebra<TensorAlgebra>);

/// The tensor of exact numbers, rounded to this type.
torch::Tensor to_tensor(const encoders::Tensor<Rational>& tensor, torch::ScalarType type);

/// The parameters of a network, likewise, under their names.
std::map<std::string, torch::Tensor, std::less<>> to_tensors(const encoders::Network& network,
                                                             torch::ScalarType type);

/// The outputs of the network for a batch of inputs, [batch, ...]: one [batch, n] for each output.
std::vector<torch::Tensor> run_on_tensors(
    const encoders::Network& network,
    const std::map<std::string, torch::Tensor, std::less<>>& parameters,
    const torch::Tensor& inputs, bool training, c10::optional<at::Generator> generator = {});

}  // namespace wmi::bnn
