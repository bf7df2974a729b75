#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "bnn/data/dataset.h"
#include "bnn/data/observation.h"
#include "bnn/training/model.h"
#include "bnn/training/train.h"
#include "encoders/network.h"

namespace wmi::bnn {

/// A network with its likelihood and recipe: one of those that a search compares.
struct TrainingCandidate {
  std::string name;  // how it differs from the others
  encoders::Network network;
  Observation observation;
  Recipe recipe;
};

/// A division of the training rows: a candidate is trained on some and scored on the others.
struct Part {
  Dataset training;
  Dataset validation;
};

/// One candidate trained on one part.
struct Trial {
  std::size_t candidate = 0;
  std::size_t part = 0;
  std::size_t epochs = 0;      // of the smallest validation loss
  std::vector<double> scores;  // by sampling rate: log likelihood of the validation rows under the
                               // average of the samples; minus infinity where it diverges
};

/// Runs a trial: trains from `start`, or from fresh weights, and samples from the best epoch at each of the rates.
/// The seed depends on the part only, so that candidates are compared under the same draws. Throws
/// Stopped.
Trial run_trial(const TrainingCandidate& candidate, const ModelFactory& make_model,
                const Part& part, std::span<const double> rates, std::uint64_t seed,
                const Hooks& hooks, const std::optional<Weights>& start = {});

/// An estimate of the processor time of a trial, in seconds of a nominal core. It depends on sizes
/// only, so that a search makes the same decisions on every machine.
double nominal_seconds(const TrainingCandidate& candidate, std::size_t rows, std::size_t rates);

struct SearchResult {
  std::size_t candidate = 0;
  std::size_t rate = 0;    // the index of the sampling rate
  std::size_t epochs = 0;  // mean over the candidate's trials
  double score = 0;        // likewise
  std::vector<Trial> trials;
  double seconds = 0;  // nominal, of all trials
};

/// A trial that is to be run.
struct TrialRequest {
  std::size_t candidate = 0;
  std::size_t part = 0;
};

/// Successive halving (Jamieson and Talwalkar 2016): all candidates on the first part, the better
/// half of them on the second, and so on until one is left, the parts are used up, or the next
/// round would exceed the budget; of equal candidates the first is better. The first round always
/// has the first candidate, and as many of the others as the budget allows. `run` returns the
/// trials that it is asked for, in order. Throws Error if all candidates diverge.
SearchResult search(std::span<const TrainingCandidate> candidates, std::size_t parts,
                    std::size_t rows, std::size_t rates, double budget,
                    const std::function<std::vector<Trial>(std::span<const TrialRequest>)>& run);

}  // namespace wmi::bnn
