#include "bnn/torch/residual.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "bnn/numeric/random.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

using Tensors = std::map<std::string, torch::Tensor, std::less<>>;

constexpr std::int64_t side = Images::side;
constexpr std::size_t chunk = 250;  // images that are predicted at once
constexpr double least_variance = 1e-5;

bool is_statistic(std::string_view name) {
  return name.ends_with(".running_mean") || name.ends_with(".running_var");
}

/// Counters of batches and the like are no part of the network.
bool is_parameter(std::string_view name) {
  return name.ends_with(".weight") || name.ends_with(".bias");
}

Tensors to_tensors(const Weights& weights) {
  Tensors result;
  for (const auto& [name, tensor] : weights) {
    const std::vector<std::int64_t> shape(tensor.shape.begin(), tensor.shape.end());
    torch::Tensor made =
        torch::tensor(tensor.entries, torch::kDouble).reshape(shape).to(torch::kFloat);
    if (shape.size() == 4) made = made.contiguous(torch::MemoryFormat::ChannelsLast);
    result.emplace(name, made);
  }
  return result;
}

Weights to_weights(const Tensors& tensors) {
  Weights result;
  for (const auto& [name, tensor] : tensors) {
    const torch::Tensor plain = tensor.detach().to(torch::kDouble).contiguous();
    const double* const entries = plain.data_ptr<double>();
    result[name] = {encoders::Shape(plain.sizes().begin(), plain.sizes().end()),
                    std::vector<double>(entries, entries + plain.numel())};
  }
  return result;
}

torch::Tensor to_tensor(std::span<const std::uint8_t> pixels, const Normalisation& normalisation) {
  const std::int64_t count = static_cast<std::int64_t>(pixels.size() / Images::bytes);
  torch::Tensor result = torch::empty({count, 3, side, side});
  float* entry = result.data_ptr<float>();
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const std::size_t colour = i / Images::plane % 3;
    *entry++ = static_cast<float>((pixels[i] / 255.0 - normalisation.mean[colour]) /
                                  normalisation.deviation[colour]);
  }
  return result.contiguous(torch::MemoryFormat::ChannelsLast);
}

torch::Tensor to_tensor(const Images& images, std::span<const std::size_t> rows,
                        const Normalisation& normalisation) {
  std::vector<std::uint8_t> pixels;
  pixels.reserve(rows.size() * Images::bytes);
  for (const std::size_t row : rows) {
    const auto image = images.image(row);
    pixels.insert(pixels.end(), image.begin(), image.end());
  }
  return to_tensor(pixels, normalisation);
}

/// The network with some tensors. With a share above 0, batches are normalised by their own
/// statistics, which enter the running ones with that share; else by the running ones.
class Residual {
 public:
  Residual(Tensors& tensors, double share) : tensors_(tensors), share_(share) {}

  /// What enters the linear layer.
  torch::Tensor features(torch::Tensor x) {
    x = torch::relu(normalised(convolved(x, "conv1", 1), "bn1"));
    for (const char* const group : {"layer1.", "layer2.", "layer3."})
      for (int i = 0;; ++i) {
        const std::string name = group + std::to_string(i) + ".";
        if (!tensors_.contains(name + "conv1.weight")) {
          if (i == 0) at(name + "conv1.weight");
          break;
        }
        x = block(x, name, i == 0 && std::string_view(group) != "layer1." ? 2 : 1);
      }
    return x.mean({2, 3});
  }

  torch::Tensor logits(const torch::Tensor& features) {
    const torch::Tensor& weight = at("linear.weight");
    if (weight.dim() != 2 || weight.size(1) != features.size(1))
      throw Error("tensor 'linear.weight' does not fit the features before it");
    return torch::linear(features, weight, at("linear.bias"));
  }

 private:
  const torch::Tensor& at(const std::string& name) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end())
      throw Error("a residual network needs a tensor '" + name + "', and there is none");
    return found->second;
  }

  torch::Tensor convolved(const torch::Tensor& x, const std::string& name, std::int64_t stride) {
    const torch::Tensor& weight = at(name + ".weight");
    if (weight.dim() != 4 || weight.size(1) != x.size(1) || weight.size(2) != 3 ||
        weight.size(3) != 3)
      throw Error("tensor '" + name + ".weight' is no 3 x 3 convolution of " +
                  std::to_string(x.size(1)) + " channels");
    return torch::conv2d(x, weight, {}, stride, 1);
  }

  torch::Tensor normalised(const torch::Tensor& x, const std::string& name) {
    for (const char* const part : {".weight", ".bias", ".running_mean", ".running_var"})
      if (at(name + part).numel() != x.size(1))
        throw Error("tensor '" + name + part + "' is not one of " + std::to_string(x.size(1)) +
                    " channels");
    return torch::batch_norm(x, at(name + ".weight"), at(name + ".bias"),
                             at(name + ".running_mean"), at(name + ".running_var"), share_ > 0,
                             share_, least_variance, false);
  }

  torch::Tensor block(const torch::Tensor& x, const std::string& name, std::int64_t stride) {
    torch::Tensor y = torch::relu(normalised(convolved(x, name + "conv1", stride), name + "bn1"));
    y = normalised(convolved(y, name + "conv2", 1), name + "bn2");
    torch::Tensor kept = x;
    if (stride > 1) {
      const std::int64_t more = (y.size(1) - x.size(1)) / 2;
      kept = torch::constant_pad_nd(x.slice(2, 0, side, stride).slice(3, 0, side, stride),
                                    {0, 0, 0, 0, more, y.size(1) - x.size(1) - more});
    }
    if (kept.sizes() != y.sizes())
      throw Error("block '" + name + "' changes the shape of what enters it");
    return torch::relu(y + kept);
  }

  Tensors& tensors_;
  double share_;
};

}  // namespace

Activations residual_forward(const Weights& weights, const Images& images,
                             std::span<const std::size_t> rows,
                             const Normalisation& normalisation) {
  torch::set_num_threads(1);
  const torch::NoGradGuard no_gradients;
  Tensors tensors = to_tensors(weights);
  Residual network(tensors, 0);
  Activations result;
  const auto append = [](Matrix& to, const torch::Tensor& values) {
    const torch::Tensor doubles = values.to(torch::kDouble).contiguous();
    const double* const entries = doubles.data_ptr<double>();
    to.columns = static_cast<std::size_t>(doubles.size(1));
    to.entries.insert(to.entries.end(), entries, entries + doubles.numel());
  };
  for (std::size_t start = 0; start < rows.size(); start += chunk) {
    const auto part = rows.subspan(start, std::min(chunk, rows.size() - start));
    const torch::Tensor features = network.features(to_tensor(images, part, normalisation));
    append(result.entering, features);
    append(result.outputs, network.logits(features));
  }
  return result;
}

Weights with_statistics(const Weights& weights, const Images& images,
                        std::span<const std::size_t> rows, std::size_t batch,
                        const Normalisation& normalisation) {
  torch::set_num_threads(1);
  const torch::NoGradGuard no_gradients;
  Tensors tensors = to_tensors(weights);
  for (std::size_t start = 0; start < rows.size(); start += batch) {
    const auto part = rows.subspan(start, std::min(batch, rows.size() - start));
    // The share of these images among all so far: the running statistics are then means.
    const double share =
        static_cast<double>(part.size()) / static_cast<double>(start + part.size());
    Residual(tensors, share).features(to_tensor(images, part, normalisation));
  }
  Weights result = weights;
  for (auto& [name, tensor] : to_weights(tensors))
    if (is_statistic(name)) result[name] = std::move(tensor);
  return result;
}

double train_residual(ResidualState& state, const Images& images, std::span<const std::size_t> rows,
                      const ResidualRecipe& recipe, std::uint64_t seed,
                      const std::function<void(double share)>& done,
                      const Normalisation& normalisation) {
  torch::set_num_threads(1);
  Tensors tensors = to_tensors(state.weights), velocity = to_tensors(state.velocity);
  for (auto& [name, tensor] : tensors)
    if (is_parameter(name)) tensor.requires_grad_(true);
  Residual network(tensors, recipe.statistics);
  Random random(seed);
  const auto below = [&](std::size_t count) {
    return static_cast<std::size_t>(random.uniform() * static_cast<double>(count));
  };
  double sum = 0;
  std::vector<std::uint8_t> pixels;
  std::vector<std::int64_t> classes;
  for (std::size_t start = 0; start < rows.size(); start += recipe.batch) {
    const auto part = rows.subspan(start, std::min(recipe.batch, rows.size() - start));
    pixels.resize(part.size() * Images::bytes);
    classes.clear();
    for (std::size_t i = 0; i < part.size(); ++i) {
      Variation variation;
      if (recipe.varied) {
        variation.down = below(2 * Variation::margin + 1);
        variation.across = below(2 * Variation::margin + 1);
        variation.mirrored = below(2) == 1;
      }
      vary(images.image(part[i]), variation,
           std::span(pixels).subspan(i * Images::bytes, Images::bytes));
      classes.push_back(static_cast<std::int64_t>(images.classes[part[i]]));
    }
    const torch::Tensor loss = torch::cross_entropy_loss(
        network.logits(network.features(to_tensor(pixels, normalisation))),
        torch::tensor(classes, torch::kLong));
    const double value = loss.item<double>();
    if (!std::isfinite(value)) throw Error("training diverges; take a smaller rate");
    sum += value * static_cast<double>(part.size());
    loss.backward();
    const torch::NoGradGuard no_gradients;
    for (auto& [name, tensor] : tensors) {
      if (!is_parameter(name) || !tensor.grad().defined()) continue;
      torch::Tensor& gradient = tensor.mutable_grad();
      gradient.add_(tensor, recipe.weight_decay);
      torch::Tensor& moving = velocity[name];
      if (moving.defined())
        moving.mul_(recipe.momentum).add_(gradient);
      else
        moving = gradient.clone();
      tensor.sub_(moving, recipe.rate);
      gradient = torch::Tensor();
    }
    if (done) done(static_cast<double>(start + part.size()) / static_cast<double>(rows.size()));
  }
  state.weights = to_weights(tensors);
  state.velocity = to_weights(velocity);
  return sum / static_cast<double>(rows.size());
}

}  // namespace wmi::bnn
