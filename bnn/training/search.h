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

/// Of how many of its epochs a candidate is trained before it is compared with the others.
inline constexpr double rungs[] = {0.15, 0.4, 1};

/// A trial that is to be run, or goes on.
struct TrialRequest {
  std::size_t candidate = 0;
  std::size_t rung = 0;
};

/// One candidate trained up to one rung.
struct Trial {
  std::size_t candidate = 0;
  std::size_t rung = 0;
  std::size_t epochs = 0;      // of the smallest validation loss
  std::vector<double> scores;  // log likelihood of the validation rows, minus infinity where it
                               // diverges: at the best epoch, or, of the last rung and by sampling
                               // rate, under the average of the samples
};

/// Runs a trial: trains from `state`, which an earlier rung has left, or else from `start` or fresh
/// weights, and leaves its state there. In the last rung it samples from the best epoch at each of
/// the rates; a candidate whose hidden weights are drawn has one score, of its collapsed last layer.
/// The seed is the same for all candidates, so that they are compared under the same
/// draws. Throws Stopped.
Trial run_trial(const TrainingCandidate& candidate, const ModelFactory& make_model,
                const Part& part, std::span<const double> rates, std::uint64_t seed,
                std::size_t rung, std::optional<Checkpoint>& state, const Hooks& hooks,
                const std::optional<Weights>& start = {});

/// An estimate of the processor time of a training with samples at so many rates, in seconds of a
/// nominal core. It depends on sizes only, so that a search makes the same decisions on every
/// machine.
double nominal_seconds(const TrainingCandidate& candidate, std::size_t rows, std::size_t rates);

struct SearchResult {
  std::size_t candidate = 0;
  std::size_t rate = 0;    // the index of the sampling rate
  std::size_t epochs = 0;  // of its best validation loss
  double score = 0;        // at that rate
  std::vector<Trial> trials;
};

/// Successive halving (Jamieson and Talwalkar 2016): all candidates up to the first rung, the
/// better half of them up to the second, the best of these to the end; of equal candidates the
/// first is better. Those whose hidden weights are drawn have no rungs: they are compared with the
/// best of the others at the end. The first candidate always takes part, and each other one with which the first
/// rung of all and the whole training of the dearest stay within the budget. `run` returns the
/// trials that it is asked for, in order. Throws Error if all candidates diverge.
SearchResult search(std::span<const TrainingCandidate> candidates, std::size_t rows,
                    std::size_t rates, double budget,
                    const std::function<std::vector<Trial>(std::span<const TrialRequest>)>& run);

}  // namespace wmi::bnn
