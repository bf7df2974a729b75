#include "bnn/torch/residual.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "bnn/numeric/random.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

constexpr std::size_t side = Images::side;

/// The smallest of these networks: one block in each group. Convolutions inside the blocks are
/// scaled.
Weights small_network(std::uint64_t seed, double inner) {
  Random random(seed);
  Weights result;
  const auto add = [&](const std::string& name, const encoders::Shape& shape, double scale,
                       double centre) {
    std::vector<double> entries(encoders::entry_count(shape));
    for (double& entry : entries)
      entry = static_cast<float>(centre + scale * (2 * random.uniform() - 1));
    result[name] = {shape, std::move(entries)};
  };
  const auto normalisation = [&](const std::string& name, std::size_t channels, double scale) {
    add(name + ".weight", {channels}, scale / 4, scale);
    add(name + ".bias", {channels}, scale, 0);
    add(name + ".running_mean", {channels}, 0.2, 0);
    add(name + ".running_var", {channels}, 0.3, 1);
  };
  add("conv1.weight", {16, 3, 3, 3}, 0.3, 0);
  normalisation("bn1", 16, 1);
  std::size_t from = 16;
  for (std::size_t group = 1; group <= 3; ++group) {
    const std::size_t to = std::size_t{8} << group;
    const std::string name = "layer" + std::to_string(group) + ".0.";
    add(name + "conv1.weight", {to, from, 3, 3}, 0.2, 0);
    normalisation(name + "bn1", to, inner);
    add(name + "conv2.weight", {to, to, 3, 3}, 0.2, 0);
    normalisation(name + "bn2", to, inner);
    from = to;
  }
  add("linear.weight", {10, 64}, 0.3, 0);
  add("linear.bias", {10}, 0.3, 0);
  return result;
}

Images random_images(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  Images result;
  for (std::size_t i = 0; i < count * Images::bytes; ++i)
    result.pixels.push_back(static_cast<std::uint8_t>(random.bits()));
  for (std::size_t i = 0; i < count; ++i)
    result.classes.push_back(static_cast<double>(random.bits() % 10));
  return result;
}

std::vector<std::size_t> rows(std::size_t count) {
  std::vector<std::size_t> result(count);
  std::iota(result.begin(), result.end(), std::size_t{0});
  return result;
}

/// The first convolution at a pixel, by its definition.
double first_convolution(const Weights& weights, const Images& images, std::size_t image,
                         std::size_t channel, std::size_t row, std::size_t column) {
  const Normalisation normalisation;
  const std::vector<double>& weight = weights.at("conv1.weight").entries;
  double sum = 0;
  for (std::size_t colour = 0; colour < 3; ++colour)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t y = row + i - 1, x = column + j - 1;
        if (y >= side || x >= side) continue;
        const double pixel = images.image(image)[(colour * side + y) * side + x] / 255.0;
        sum += weight[((channel * 3 + colour) * 3 + i) * 3 + j] *
               (pixel - normalisation.mean[colour]) / normalisation.deviation[colour];
      }
  return sum;
}

}  // namespace

TEST_CASE("where channels double, every second pixel is kept, between new channels of zeros") {
  // Blocks whose inner part is nothing: features are means of every fourth pixel of the first
  // layer, which is never negative, in channels 8 + 16 to 8 + 16 + 15.
  const Weights weights = small_network(2, 0);
  const Images images = random_images(3, 2);
  const Activations found = residual_forward(weights, images, rows(2));
  REQUIRE(found.entering.columns == 64);
  const auto entry = [&](const char* name, std::size_t i) { return weights.at(name).entries[i]; };
  for (std::size_t image = 0; image < 2; ++image) {
    std::vector<double> expected(64);
    for (std::size_t channel = 0; channel < 16; ++channel) {
      const double factor =
          entry("bn1.weight", channel) / std::sqrt(entry("bn1.running_var", channel) + 1e-5);
      for (std::size_t row = 0; row < side; row += 4)
        for (std::size_t column = 0; column < side; column += 4) {
          const double x = first_convolution(weights, images, image, channel, row, column);
          const double normalised =
              (x - entry("bn1.running_mean", channel)) * factor + entry("bn1.bias", channel);
          expected[24 + channel] += std::max(normalised, 0.0) / 64;
        }
    }
    for (std::size_t k = 0; k < 64; ++k) {
      CAPTURE(k);
      CHECK(found.entering.at(image, k) == doctest::Approx(expected[k]).epsilon(1e-4));
    }
    for (std::size_t k = 0; k < 10; ++k) {
      double logit = entry("linear.bias", k);
      for (std::size_t j = 0; j < 64; ++j)
        logit += entry("linear.weight", k * 64 + j) * expected[j];
      CHECK(found.outputs.at(image, k) == doctest::Approx(logit).epsilon(1e-4));
    }
  }
}

TEST_CASE("statistics of normalisation are means over batches of their means and variances") {
  const Weights weights = small_network(4, 1);
  const Images images = random_images(5, 6);
  const Weights found = with_statistics(weights, images, rows(6), 4);
  // A batch of 4 images and one of 2: shares 2/3 and 1/3.
  for (const std::size_t channel : {0u, 7u, 15u}) {
    double mean = 0, variance = 0;
    for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 4}, {4, 2}}) {
      double sum = 0, squares = 0;
      for (std::size_t image = first; image < first + count; ++image)
        for (std::size_t row = 0; row < side; ++row)
          for (std::size_t column = 0; column < side; ++column) {
            const double x = first_convolution(weights, images, image, channel, row, column);
            sum += x;
            squares += x * x;
          }
      const auto places = static_cast<double>(count * Images::plane);
      const double share = static_cast<double>(count) / 6;
      mean += share * sum / places;
      variance += share * (squares - sum * sum / places) / (places - 1);
    }
    CHECK(found.at("bn1.running_mean").entries[channel] == doctest::Approx(mean).epsilon(1e-4));
    CHECK(found.at("bn1.running_var").entries[channel] == doctest::Approx(variance).epsilon(1e-4));
  }
  // What was there before does not matter, and nothing else changes.
  Weights other = weights;
  for (auto& [name, tensor] : other)
    if (name.ends_with(".running_var") || name.ends_with(".running_mean"))
      for (double& entry : tensor.entries) entry = 17;
  const Weights again = with_statistics(other, images, rows(6), 4);
  for (const auto& [name, tensor] : found) {
    CAPTURE(name);
    CHECK(again.at(name).entries == tensor.entries);
    if (name.ends_with(".weight") || name.ends_with(".bias"))
      CHECK(tensor.entries == weights.at(name).entries);
  }
}

TEST_CASE("a step of training goes down the gradient of the cross entropy, with weight decay") {
  // A batch is normalised by its own mean and its variance over n; the statistics have n - 1.
  const Weights weights = small_network(6, 1);
  const Images images = random_images(7, 8);
  Weights own = with_statistics(weights, images, rows(8), 8);
  for (auto& [name, tensor] : own) {
    if (!name.ends_with(".running_var")) continue;
    const double length = name.starts_with("layer2.") ? 16 : name.starts_with("layer3.") ? 8 : 32;
    const double places = 8 * length * length;
    for (double& entry : tensor.entries) entry *= (places - 1) / places;
  }
  const Activations before = residual_forward(own, images, rows(8));
  ResidualRecipe recipe;
  recipe.batch = 8;
  recipe.rate = 0.5;
  recipe.weight_decay = 0.125;
  recipe.varied = false;
  ResidualState state{weights};
  const double loss = train_residual(state, images, rows(8), recipe, 1);
  double expected_loss = 0;
  std::vector<double> gradient(10), weight_gradient(10);
  for (std::size_t i = 0; i < 8; ++i) {
    double sum = 0;
    for (const double logit : before.outputs.row(i)) sum += std::exp(logit);
    for (std::size_t k = 0; k < 10; ++k) {
      const double p = std::exp(before.outputs.at(i, k)) / sum;
      const bool right = images.classes[i] == static_cast<double>(k);
      if (right) expected_loss -= std::log(p) / 8;
      gradient[k] += (p - (right ? 1 : 0)) / 8;
      weight_gradient[k] += (p - (right ? 1 : 0)) * before.entering.at(i, 5) / 8;
    }
  }
  CHECK(loss == doctest::Approx(expected_loss).epsilon(1e-4));
  for (std::size_t k = 0; k < 10; ++k) {
    const double bias = weights.at("linear.bias").entries[k];
    const double weight = weights.at("linear.weight").entries[k * 64 + 5];
    CHECK(state.weights.at("linear.bias").entries[k] ==
          doctest::Approx(bias - 0.5 * (gradient[k] + 0.125 * bias)).epsilon(1e-4));
    CHECK(state.weights.at("linear.weight").entries[k * 64 + 5] ==
          doctest::Approx(weight - 0.5 * (weight_gradient[k] + 0.125 * weight)).epsilon(1e-4));
  }
  // The running statistics move by a tenth towards those of the batch.
  const Weights batch = with_statistics(weights, images, rows(8), 8);
  for (const char* const name : {"bn1.running_mean", "layer3.0.bn2.running_var"})
    CHECK(state.weights.at(name).entries[3] ==
          doctest::Approx(0.9 * weights.at(name).entries[3] + 0.1 * batch.at(name).entries[3])
              .epsilon(1e-5));
  // And a small step makes the loss smaller by its rate times the square of the gradient: all of
  // the gradient is right.
  recipe.rate = 1e-3;
  recipe.weight_decay = 0;
  ResidualState small{weights};
  train_residual(small, images, rows(8), recipe, 1);
  double square = 0;
  for (const auto& [name, tensor] : small.velocity)
    for (const double entry : tensor.entries) square += entry * entry;
  ResidualState next = small;
  const double after = train_residual(next, images, rows(8), recipe, 1);
  CHECK((loss - after) / (1e-3 * square) == doctest::Approx(1).epsilon(0.1));
}

TEST_CASE("a resumed training ends as if never interrupted, and depends on its seed only") {
  const Images images = random_images(8, 12);
  ResidualRecipe recipe;
  recipe.batch = 4;
  recipe.varied = false;
  ResidualState whole{small_network(9, 1)}, parts = whole;
  train_residual(whole, images, rows(12), recipe, 1);
  const std::vector<std::size_t> order = rows(12);
  train_residual(parts, images, std::span(order).first(4), recipe, 1);
  train_residual(parts, images, std::span(order).last(8), recipe, 2);
  for (const auto& [name, tensor] : whole.weights) {
    CAPTURE(name);
    CHECK(parts.weights.at(name).entries == tensor.entries);
  }
  recipe.varied = true;
  ResidualState first{small_network(9, 1)}, second = first, third = first;
  train_residual(first, images, rows(8), recipe, 1);
  train_residual(second, images, rows(8), recipe, 1);
  train_residual(third, images, rows(8), recipe, 2);
  CHECK(first.weights.at("linear.weight").entries == second.weights.at("linear.weight").entries);
  CHECK(first.weights.at("linear.weight").entries != third.weights.at("linear.weight").entries);
}

TEST_CASE("weights that are no residual network are refused by name") {
  const Images images = random_images(10, 1);
  Weights weights = small_network(11, 1);
  const auto refusal = [&] {
    try {
      residual_forward(weights, images, rows(1));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal().empty());
  weights.erase("layer2.0.bn1.bias");
  CHECK(refusal().find("layer2.0.bn1.bias") != std::string::npos);
  weights = small_network(11, 1);
  weights["layer3.0.conv2.weight"] = weights["layer2.0.conv2.weight"];
  CHECK(refusal().find("layer3.0.conv2.weight") != std::string::npos);
}

}  // namespace wmi::bnn
