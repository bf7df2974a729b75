#include "frontends/data/run_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "bnn/training/shapes.h"
#include "frontends/common/line.h"
#include "frontends/common/read_file.h"
#include "frontends/common/write_file.h"
#include "frontends/data/run_json.h"
#include "frontends/networks/safetensors.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

std::string in_directory(const std::string& path, const std::string& file) {
  return (fs::path(path) / file).string();
}

/// Calls `read`; an Error is thrown again with the name of the file.
template <class Read>
auto reading(const std::string& file, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    const Location where = error.where();
    throw Error(where.line == 0 ? fmt::format("{}: {}", one_line(file), error.what())
                                : fmt::format("{}:{}:{}: {}", one_line(file), where.line,
                                              where.column, error.what()));
  }
}

void make_directory(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    throw WriteError(fmt::format("{}: cannot be made: {}", one_line(path), error.message()));
}

encoders::Tensor<Rational> exact(const encoders::Shape& shape, const std::vector<double>& entries,
                                 const std::string& what) {
  encoders::Tensor<Rational> result;
  result.shape = shape;
  result.entries.reserve(entries.size());
  for (const double entry : entries) {
    if (!std::isfinite(entry)) throw Error(what + " has an entry that is no number");
    result.entries.emplace_back(entry);
  }
  return result;
}

encoders::Tensor<double> rounded(const encoders::Tensor<Rational>& tensor) {
  encoders::Tensor<double> result;
  result.shape = tensor.shape;
  result.entries.reserve(tensor.entries.size());
  for (const Rational& entry : tensor.entries) result.entries.push_back(entry.get_d());
  return result;
}

}  // namespace

Run read_run(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error))
    throw Error(fmt::format("{}: is no run directory; ciber train makes one", one_line(path)));
  const std::string file = in_directory(path, "run.json");
  return reading(file, [&] {
    Run run = parse_run(read_file(file));
    run.path = path;
    return run;
  });
}

Run read_usable_run(const std::string& path) {
  Run run = read_run(path);
  if (!run.failure.empty()) throw Error(fmt::format("{}: {}", one_line(path), run.failure));
  if (run.samples.empty()) throw Error(fmt::format("{}: has no samples yet", one_line(path)));
  return run;
}

bnn::Weights read_sample(const Run& run, std::size_t sample) {
  const std::string file = in_directory(run.path, run.samples.at(sample).file);
  return reading(file, [&] {
    bnn::Weights weights;
    for (const auto& [name, tensor] : read_safetensors(file).tensors)
      weights.emplace(name, rounded(tensor));
    bnn::check_weights(run.network, run.observation, run.schema.classes.size(), weights);
    return weights;
  });
}

void check_alike(const Run& run, std::size_t sample, const bnn::Weights& first,
                 const bnn::Weights& weights) {
  for (const auto& [name, tensor] : weights) {
    const auto other = first.find(name);
    if (other != first.end() && other->second.shape != tensor.shape)
      throw Error(fmt::format("{}: tensor '{}' is {}, and {} in {}: a sample of another model",
                              one_line(in_directory(run.path, run.samples.at(sample).file)), name,
                              encoders::to_string(tensor.shape),
                              encoders::to_string(other->second.shape),
                              one_line(run.samples.front().file)));
  }
}

namespace {

/// The rows of a file of the directory; nullopt if it is not there.
std::optional<bnn::Dataset> read_standardised(const Run& run, const char* name) {
  const std::string file = in_directory(run.path, name);
  std::error_code error;
  if (!fs::exists(file, error)) return std::nullopt;
  return reading(file, [&] {
    const Safetensors read = read_safetensors(file);
    const auto inputs = read.tensors.find("inputs"), targets = read.tensors.find("targets");
    if (inputs == read.tensors.end() || targets == read.tensors.end())
      throw Error("it must have the tensors 'inputs' and 'targets'");
    const encoders::Shape& shape = inputs->second.shape;
    if (shape.size() != 2 || targets->second.shape != encoders::Shape{shape[0]} ||
        shape[1] != input_count(run.schema))
      throw Error(fmt::format("inputs {} and targets {} do not fit {} inputs",
                              encoders::to_string(shape),
                              encoders::to_string(targets->second.shape), input_count(run.schema)));
    bnn::Dataset rows;
    rows.inputs.columns = shape[1];
    rows.inputs.entries = rounded(inputs->second).entries;
    rows.targets = rounded(targets->second).entries;
    if (const auto weights = read.tensors.find("weights"); weights != read.tensors.end()) {
      rows.weights = rounded(weights->second).entries;
      if (weights->second.shape != encoders::Shape{shape[0]} ||
          std::ranges::any_of(rows.weights, [](double weight) { return !(weight > 0); }))
        throw Error("'weights' must be a number above 0 for each row");
    }
    for (const double target : rows.targets)
      if (!run.observation.regression() &&
          (target < 0 || target >= static_cast<double>(run.schema.classes.size()) ||
           target != std::floor(target)))
        throw Error("a target is no class");
    return std::optional(std::move(rows));
  });
}

void write_standardised(const Run& run, const char* name, const bnn::Dataset& rows) {
  Safetensors tensors;
  tensors.tensors.emplace(
      "inputs", exact({rows.rows(), rows.inputs.columns}, rows.inputs.entries, "the inputs"));
  tensors.tensors.emplace("targets", exact({rows.rows()}, rows.targets, "the targets"));
  if (!rows.weights.empty())
    tensors.tensors.emplace("weights", exact({rows.rows()}, rows.weights, "the weights"));
  make_directory(run.path);
  save(in_directory(run.path, name), to_bytes(tensors));
}

constexpr const char* training_file = "training.safetensors";
constexpr const char* conformal_file = "conformal.safetensors";

}  // namespace

std::optional<bnn::Dataset> read_training_rows(const Run& run) {
  return read_standardised(run, training_file);
}
std::optional<bnn::Dataset> read_conformal_rows(const Run& run) {
  return read_standardised(run, conformal_file);
}

void write_run(const Run& run) {
  const std::string text = to_json(run);
  make_directory(run.path);
  save(in_directory(run.path, "run.json"), text);
}

std::string sample_file(std::size_t number) {
  return fmt::format("samples/{:03}.safetensors", number);
}

void write_sample(const Run& run, const std::string& file, const bnn::Weights& weights) {
  Safetensors tensors;
  for (const auto& [name, tensor] : weights)
    tensors.tensors.emplace(name, exact(tensor.shape, tensor.entries, "the tensor '" + name + "'"));
  const std::string path = in_directory(run.path, file);
  make_directory(fs::path(path).parent_path().string());
  save(path, to_bytes(tensors));
}

void add_sample(Run& run, const bnn::Weights& weights, std::size_t trajectory) {
  std::size_t number = run.samples.size();
  const auto taken = [&](const std::string& file) {
    return std::ranges::find(run.samples, file, &SampleEntry::file) != run.samples.end();
  };
  while (taken(sample_file(number))) ++number;
  write_sample(run, sample_file(number), weights);
  run.samples.push_back({sample_file(number), trajectory});
}

void write_training_rows(const Run& run, const bnn::Dataset& rows) {
  write_standardised(run, training_file, rows);
}
void write_conformal_rows(const Run& run, const bnn::Dataset& rows) {
  write_standardised(run, conformal_file, rows);
}

}  // namespace wmi::frontends
