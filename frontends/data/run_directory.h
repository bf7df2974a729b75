#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bnn/data/dataset.h"
#include "bnn/data/observation.h"
#include "bnn/data/weights.h"
#include "encoders/network.h"

namespace wmi::frontends {

/// A column of a table that a network sees: a number, or one of some words, which become one input
/// each, 1 where the word stands (`categories` sorted).
struct Feature {
  std::string name;
  std::vector<std::string> categories;  // empty: a number
};

/// How rows of a table become inputs and outcomes. It is kept with a run, so that later tables are
/// read alike.
struct Schema {
  std::vector<Feature> features;
  std::string target;
  std::vector<std::string> classes;  // of a classification, by number; empty: regression
};

/// A sample of a run: its file, and which trajectory it came from.
struct SampleEntry {
  std::string file;  // samples/000.safetensors
  std::size_t trajectory = 0;
};

/// A run directory: what a training left behind, and all that a prediction needs. A directory may
/// be moved; any program may write one. docs/run-directory.md describes the files:
///
///     run.json                 network, likelihood, schema, standardisation, data hash, seed,
///     samples samples/000.safetensors  weights, in the network's tensor names training.safetensors
///     the training rows, standardised: `inputs` [n, d], `targets` [n];
///                              may be missing, then nothing that needs them can be asked
///     metrics.csv              a line for each epoch
struct Run {
  std::string path;
  encoders::Network network;  // its layers; the parameters come from the samples
  bnn::Observation observation;
  Schema schema;
  bnn::Standardisation standardisation;
  std::string data_hash;
  std::uint64_t seed = 0;
  std::string recipe;  // JSON: the settings of the training, for people and for resuming
  bool complete = true;
  std::vector<SampleEntry> samples;
};

/// Throws Error, naming the file and what is wrong with it.
Run read_run(const std::string& path);
/// The weights of a sample, checked against the network's layers: throws Error, naming the tensor,
/// for those of another model.
bnn::Weights read_sample(const Run& run, std::size_t sample);
/// Throws Error, naming the file and the tensor, for a sample whose tensors have other shapes than
/// those of the first: layers of another width fit each other, and are still another model.
void check_alike(const Run& run, std::size_t sample, const bnn::Weights& first,
                 const bnn::Weights& weights);
/// The standardised training rows; nothing when they were not kept.
std::optional<bnn::Dataset> read_training_rows(const Run& run);

/// Writes run.json anew, under another name first, so that it is never half there.
void write_run(const Run& run);
/// Writes a sample likewise and adds it to run.samples; run.json follows with `write_run`.
void add_sample(Run& run, const bnn::Weights& weights, std::size_t trajectory);
void write_training_rows(const Run& run, const bnn::Dataset& rows);

/// The usual name of the file of a sample, and writing one without more.
std::string sample_file(std::size_t number);
void write_sample(const Run& run, const std::string& file, const bnn::Weights& weights);

}  // namespace wmi::frontends
