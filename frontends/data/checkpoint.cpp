#include "frontends/data/checkpoint.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "frontends/common/line.h"
#include "frontends/common/write_file.h"
#include "frontends/networks/safetensors.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t epoch_columns = 6;
const std::string restarts_name = "restarts_left";  // earlier versions did not write it

encoders::Tensor<Rational> to_tensor(const std::vector<double>& entries) {
  encoders::Tensor<Rational> result;
  result.shape = {entries.size()};
  for (const double entry : entries) result.entries.emplace_back(entry);
  return result;
}

std::vector<double> from_tensor(const Safetensors& file, const std::string& name) {
  std::vector<double> result;
  const auto found = file.tensors.find(name);
  if (found != file.tensors.end())
    for (const Rational& entry : found->second.entries) result.push_back(entry.get_d());
  return result;
}

template <class Number>
void read(const Safetensors& file, const std::string& name, Number& number) {
  const auto found = file.metadata.find(name);
  if (found == file.metadata.end()) throw Error("it is no checkpoint: there is no '" + name + "'");
  const std::string& text = found->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error("it is no checkpoint: '" + name + "' is no number");
}

/// Calls `visit` with the name and a reference to each number.
template <class Checkpoint, class Visit>
void for_each_number(Checkpoint& checkpoint, const Visit& visit) {
  visit("epoch", checkpoint.epoch);
  visit("steps", checkpoint.steps);
  visit("samples", checkpoint.samples);
  visit("updates", checkpoint.updates);
  visit("best_epoch", checkpoint.best_epoch);
  visit("best_loss", checkpoint.best_loss);
  visit("plateau_rate", checkpoint.plateau_rate);
  visit("plateau_loss", checkpoint.plateau_loss);
  visit("plateau_epochs", checkpoint.plateau_epochs);
}

}  // namespace

void write_checkpoint(const std::string& path, const bnn::Checkpoint& checkpoint) {
  Safetensors file;
  file.tensors.emplace("parameters", to_tensor(checkpoint.parameters));
  file.tensors.emplace("velocity", to_tensor(checkpoint.velocity));
  if (!checkpoint.squares.empty()) file.tensors.emplace("squares", to_tensor(checkpoint.squares));
  if (!checkpoint.best.empty()) file.tensors.emplace("best", to_tensor(checkpoint.best));
  std::vector<double> metrics;
  for (const bnn::Epoch& epoch : checkpoint.metrics) {
    const bool validated = !std::isnan(epoch.validation);
    metrics.insert(metrics.end(),
                   {epoch.sampling ? 1.0 : 0.0, static_cast<double>(epoch.number), epoch.rate,
                    epoch.loss, validated ? 1.0 : 0.0, validated ? epoch.validation : 0.0});
  }
  if (!metrics.empty()) file.tensors.emplace("metrics", to_tensor(metrics));
  file.metadata.emplace("phase", checkpoint.sampling ? "sampling" : "descent");
  for_each_number(checkpoint, [&](const std::string& name, const auto& number) {
    file.metadata.emplace(name, fmt::format("{}", number));
  });
  file.metadata.emplace(restarts_name, fmt::format("{}", checkpoint.restarts_left));
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  save(path, to_bytes(file));
}

std::optional<bnn::Checkpoint> read_checkpoint(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::nullopt;
  try {
    const Safetensors file = read_safetensors(path);
    bnn::Checkpoint result;
    const auto phase = file.metadata.find("phase");
    result.sampling = phase != file.metadata.end() && phase->second == "sampling";
    for_each_number(result,
                    [&](const std::string& name, auto& number) { read(file, name, number); });
    if (file.metadata.contains(restarts_name)) read(file, restarts_name, result.restarts_left);
    result.parameters = from_tensor(file, "parameters");
    result.velocity = from_tensor(file, "velocity");
    result.squares = from_tensor(file, "squares");
    result.best = from_tensor(file, "best");
    const std::vector<double> metrics = from_tensor(file, "metrics");
    if (result.velocity.size() != result.parameters.size() || metrics.size() % epoch_columns != 0)
      throw Error("it is no checkpoint: its tensors do not fit");
    for (std::size_t i = 0; i < metrics.size(); i += epoch_columns) {
      if (!(metrics[i + 1] >= 0 && metrics[i + 1] <= 1e15))
        throw Error("it is no checkpoint: an epoch has no number");
      bnn::Epoch epoch{metrics[i] != 0, static_cast<std::size_t>(metrics[i + 1]), metrics[i + 2],
                       metrics[i + 3]};
      if (metrics[i + 4] != 0) epoch.validation = metrics[i + 5];
      result.metrics.push_back(epoch);
    }
    return result;
  } catch (const Error& failure) {
    throw Error(fmt::format("{}: {}", one_line(path), failure.what()));
  }
}

std::string metrics_lines(std::size_t trajectory, const std::string& phase,
                          std::span<const bnn::Epoch> metrics) {
  std::string result;
  for (const bnn::Epoch& epoch : metrics)
    result += fmt::format("{},{},{},{},{},{}\n", trajectory, epoch.number,
                          epoch.sampling ? "sample" : phase, epoch.rate, epoch.loss,
                          std::isnan(epoch.validation) ? "" : fmt::format("{}", epoch.validation));
  return result;
}

}  // namespace wmi::frontends
