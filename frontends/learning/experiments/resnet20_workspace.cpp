#include "frontends/learning/experiments/resnet20_workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>

#include "bnn/numeric/parallel.h"
#include "bnn/numeric/random.h"
#include "frontends/common/write_file.h"
#include "frontends/data/cifar.h"
#include "frontends/data/splits.h"
#include "frontends/networks/safetensors.h"
#include "frontends/packed/packed_file.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t features = resnet20_features, classes = cifar10_classes;
constexpr std::size_t reported_rows = 50;  // images between two reports of progress

std::vector<std::size_t> first_rows(std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

/// The tensors whose names have the prefix, without it.
bnn::Weights weights_of(const Safetensors& file, std::string_view prefix = "") {
  bnn::Weights result;
  for (const auto& [name, tensor] : file.tensors) {
    if (!name.starts_with(prefix)) continue;
    std::vector<double> entries;
    for (const Rational& entry : tensor.entries) entries.push_back(entry.get_d());
    result[name.substr(prefix.size())] = {tensor.shape, std::move(entries)};
  }
  return result;
}

/// Adds the weights under prefixed names.
void add_tensors(Safetensors& file, const bnn::Weights& weights, const std::string& prefix) {
  for (const auto& [name, tensor] : weights) {
    std::vector<Rational> entries;
    for (const double entry : tensor.entries) entries.emplace_back(entry);
    file.tensors[prefix + name] = {tensor.shape, std::move(entries)};
  }
}

/// The last layer alone, as the network of one layer `fc1`.
bnn::Weights last_layer(const bnn::Weights& weights) {
  bnn::Weights result;
  for (const char* const part : {".weight", ".bias"}) {
    const auto found = weights.find(std::string(bnn::residual_head) + part);
    if (found == weights.end()) throw Error("the network has no last layer");
    result[std::string("fc1") + part] = found->second;
  }
  if (result["fc1.weight"].shape != encoders::Shape{classes, features} ||
      result["fc1.bias"].shape != encoders::Shape{classes})
    throw Error("the last layer is not one of 64 features and 10 classes");
  return result;
}

}  // namespace

Resnet20Workspace::Resnet20Workspace(const Conditions& conditions, const Resnet20Extent& extent)
    : conditions_(conditions), extent_(extent) {
  recipe_.batch = 50;
  const fs::path images = conditions.data / "cifar10";
  training_ = read_cifar(images / "data_batch_1.bin.xz", extent.training);
  test_ = read_cifar(images / "test_batch.bin.xz", extent.verified);
  if (training_.count() < extent.training || test_.count() < extent.verified)
    throw Error(fmt::format("{}: has fewer images than CIFAR-10", images.string()));
  const auto shown = static_cast<std::ptrdiff_t>(extent.shown);
  const auto rotate = [](auto& values, std::ptrdiff_t first) {
    std::rotate(values.begin(), values.begin() + first, values.end());
  };
  rotate(test_.classes, shown);
  rotate(test_.pixels, shown * std::ptrdiff_t{bnn::Images::bytes});
  pretrained_ = weights_of(
      read_safetensors((conditions.data / "cifar10_pretrained" / "resnet20.safetensors").string()));
  folder_ = conditions.out / fmt::format("cifar10-resnet20-seed{}{}", conditions.seed,
                                         conditions.quick ? "-quick" : "");
  fs::create_directories(folder_);
  // Sets of weights whose features are needed: pretrained, checkpoints, SWA and SWAG.
  total_ = static_cast<double>(extent.checkpoints) *
               (3.0 * static_cast<double>(extent.step) +
                static_cast<double>(extent.statistics + extent.given + extent.test)) +
           static_cast<double>(extent.checkpoints + 1) *
               static_cast<double>(extent.statistics + extent.test) +
           static_cast<double>(extent.verified);
}

Resnet20Workspace::Trajectory Resnet20Workspace::train() {
  Trajectory result;
  bnn::ResidualState state{pretrained_};
  for (std::size_t i = 0; i < extent_.checkpoints; ++i) {
    const std::string what = fmt::format("checkpoint {} of {}", i + 1, extent_.checkpoints);
    const fs::path file = folder_ / fmt::format("checkpoint_{:02}.safetensors", i + 1);
    double loss = 0;
    if (fs::exists(file)) {
      loss = read_state(file, state);
      done_ += 3.0 * static_cast<double>(extent_.step);
    } else {
      const std::vector<std::size_t> rows = rows_of_step(i);
      loss = bnn::train_residual(
          state, training_, rows, recipe_, bnn::mixed(conditions_.seed, 1000 + i),
          [&](double share) { report(what, 3 * share * static_cast<double>(rows.size())); });
      done_ += 3.0 * static_cast<double>(extent_.step);
      write_state(file, state, loss);
    }
    result.losses.push_back(loss);
    result.checkpoints.push_back(state.weights);
  }
  return result;
}

HeadSample Resnet20Workspace::sample(const std::string& name, bnn::Weights weights, bool statistics,
                                     std::size_t training_rows, std::size_t test_rows) {
  HeadSample result;
  result.layer = last_layer(weights);
  const fs::path file = folder_ / (name + ".features");
  std::vector<float> numbers((training_rows + test_rows) * features);
  if (fs::exists(file)) {
    const std::string bytes = read_unpacked(file.string());
    if (bytes.size() != numbers.size() * sizeof(float))
      throw Error(file.string() + ": is not of this experiment; take another --out");
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    if (statistics) done_ += static_cast<double>(extent_.statistics);
    done_ += static_cast<double>(training_rows + test_rows);
  } else {
    if (statistics) {
      report(name, 0);
      weights = bnn::with_statistics(weights, training_, first_rows(extent_.statistics));
      done_ += static_cast<double>(extent_.statistics);
    }
    run(name, weights, training_, training_rows, numbers.data());
    run(name, weights, test_, test_rows, numbers.data() + training_rows * features);
    std::string bytes(numbers.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    save(file.string(), bytes);
  }
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(training_rows * features);
  result.training = bnn::Matrix(training_rows, features);
  std::copy(numbers.begin(), middle, result.training.entries.begin());
  result.test = bnn::Matrix(test_rows, features);
  std::copy(middle, numbers.end(), result.test.entries.begin());
  return result;
}

void Resnet20Workspace::report(const std::string& what, double more) const {
  conditions_.report(what, 0.9 * (done_ + more) / total_);
}

/// The images of a step: each image comes once before any comes again.
std::vector<std::size_t> Resnet20Workspace::rows_of_step(std::size_t step) const {
  std::vector<std::size_t> result;
  for (std::size_t i = step * extent_.step; i < (step + 1) * extent_.step; ++i) {
    const std::size_t epoch = i / extent_.training;
    if (!orders_.contains(epoch))
      orders_[epoch] = bnn::shuffled(extent_.training, bnn::mixed(conditions_.seed, epoch));
    result.push_back(orders_[epoch][i % extent_.training]);
  }
  return result;
}

/// Everything that determines a checkpoint, as its file records it.
std::string Resnet20Workspace::setup() const {
  return fmt::format("seed {}, rate {}, momentum {}, weight decay {}, batch {}, step {} of {}",
                     conditions_.seed, recipe_.rate, recipe_.momentum, recipe_.weight_decay,
                     recipe_.batch, extent_.step, extent_.training);
}

void Resnet20Workspace::write_state(const fs::path& path, const bnn::ResidualState& state,
                                    double loss) const {
  Safetensors file;
  add_tensors(file, state.weights, "weights.");
  add_tensors(file, state.velocity, "velocity.");
  file.metadata = {{"setup", setup()}, {"loss", fmt::format("{}", loss)}};
  save(path.string(), to_bytes(file));
}

double Resnet20Workspace::read_state(const fs::path& path, bnn::ResidualState& state) const {
  const Safetensors file = read_safetensors(path.string());
  const auto said = file.metadata.find("setup"), loss = file.metadata.find("loss");
  if (said == file.metadata.end() || said->second != setup() || loss == file.metadata.end())
    throw Error(path.string() + ": is of another experiment; take another --out");
  state.weights = weights_of(file, "weights.");
  state.velocity = weights_of(file, "velocity.");
  return parse_numbers(loss->second, path.string()).at(0).at(0);
}

void Resnet20Workspace::run(const std::string& name, const bnn::Weights& weights,
                            const bnn::Images& images, std::size_t count, float* to) {
  const std::size_t pieces = (count + reported_rows - 1) / reported_rows;
  std::mutex mutex;
  bnn::in_parallel(pieces, conditions_.threads, [&](std::size_t piece) {
    std::vector<std::size_t> rows;
    for (std::size_t i = piece * reported_rows; i < std::min(count, (piece + 1) * reported_rows);
         ++i)
      rows.push_back(i);
    const bnn::Activations found = bnn::residual_forward(weights, images, rows);
    float* const place = to + piece * reported_rows * features;
    std::ranges::transform(found.entering.entries, place,
                           [](double entry) { return static_cast<float>(entry); });
    const std::lock_guard lock(mutex);
    done_ += static_cast<double>(rows.size());
    report(name, 0);
  });
}

}  // namespace wmi::frontends
