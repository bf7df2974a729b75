#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bnn/data/dataset.h"
#include "bnn/data/observation.h"
#include "bnn/data/weights.h"
#include "bnn/predictive/predictive_choice.h"
#include "encoders/network.h"
#include "frontends/data/schema.h"

namespace wmi::frontends {

/// A sample of a run: its file and its trajectory.
struct SampleEntry {
  std::string file;  // samples/000.safetensors
  std::size_t trajectory = 0;
};

/// A run directory: the result of a training, and all that a prediction needs. It may be moved, and
/// any program may write one. docs/run-directory.md describes the files:
///
///     run.json                 network, likelihood, schema, standardisation, data hash, seed,
///                              list of samples
///     samples/000.safetensors  weights, under the network's tensor names
///     training.safetensors     the standardised training rows: `inputs` [n, d], `targets` [n]
///                              (optional, but some predictions need them)
///     conformal.safetensors    likewise rows that were set aside to adjust intervals by (optional)
///     metrics.csv              a line for each epoch
struct Run {
  std::string path;
  encoders::Network network;  // layers only; the parameters are in the samples
  bnn::Observation observation;
  Schema schema;
  bnn::Standardisation standardisation;
  std::string data_hash;
  std::uint64_t seed = 0;
  std::string recipe;  // the settings of the training as JSON, for people and for resuming
  std::optional<bnn::PredictiveChoice> predictive;  // how predictions are made by default
  bool complete = true;
  std::string failure;  // why the training is of no use; empty: none is known
  std::vector<SampleEntry> samples;
};

/// Throws Error, naming the file.
Run read_run(const std::string& path);
/// The same, of a run to predict with. Throws Error if its training has failed or it has no samples.
Run read_usable_run(const std::string& path);
/// The weights of a sample. Throws Error, naming the tensor, if they do not fit the network.
bnn::Weights read_sample(const Run& run, std::size_t sample);
/// Throws Error, naming the file and the tensor, if a sample has other shapes than the first one:
/// layers of another width fit each other, but are another model.
void check_alike(const Run& run, std::size_t sample, const bnn::Weights& first,
                 const bnn::Weights& weights);
/// The standardised training rows; nullopt if the run has none.
std::optional<bnn::Dataset> read_training_rows(const Run& run);
/// The standardised rows that were set aside to adjust intervals by; nullopt if there are none.
std::optional<bnn::Dataset> read_conformal_rows(const Run& run);

/// Replaces run.json as a whole.
void write_run(const Run& run);
/// Writes a sample and adds it to run.samples; `write_run` then records it in run.json.
void add_sample(Run& run, const bnn::Weights& weights, std::size_t trajectory);
void write_training_rows(const Run& run, const bnn::Dataset& rows);
void write_conformal_rows(const Run& run, const bnn::Dataset& rows);

/// The usual file name of a sample, and writing the file only.
std::string sample_file(std::size_t number);
void write_sample(const Run& run, const std::string& file, const bnn::Weights& weights);

}  // namespace wmi::frontends
