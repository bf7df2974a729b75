#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bnn/training/model.h"
#include "bnn/training/parameters.h"
#include "bnn/training/train.h"

namespace wmi::bnn {

/// Stochastic gradient descent with momentum on the vector of all parameters, and samples along it.
/// The state of a training is a Checkpoint: the trainer itself only has scratch memory.
class Trainer {
 public:
  /// The arguments must outlive the trainer. Throws Error without rows or with a batch of 0.
  Trainer(const encoders::Network& network, const ModelFactory& make_model,
          const Observation& observation, const Dataset& training, const Dataset& validation,
          const Recipe& recipe, std::uint64_t seed, const Hooks& hooks);

  /// The state before the first epoch, with these weights or fresh ones.
  Checkpoint start(const std::optional<Weights>& weights) const;
  /// Runs the phase before the samples; afterwards `state.sampling` is set. A training from fresh
  /// weights that knows its own rows no better than a constant forecast after a fifth of the epochs
  /// (and at least ten) begins again with others, three times at most: its units may all be dead.
  void descend(Checkpoint& state);
  /// The same, but stops after so many epochs, in the state between two epochs.
  void descend(Checkpoint& state, std::size_t until);
  /// Runs the sampling phase and appends its samples.
  void sample(Checkpoint& state, std::vector<Weights>& samples);

 private:
  /// The length of the schedule, also where training ends earlier.
  std::size_t schedule_epochs() const;
  std::size_t last_epoch() const;
  std::size_t epoch_steps() const;
  bool out_of_patience(const Checkpoint& state) const;
  Checkpoint fresh_start(std::size_t restarts_left) const;
  /// Whether it is time to begin again.
  bool stuck(const Checkpoint& state) const;
  void adapt_to_plateau(Checkpoint& state, const Epoch& done) const;
  void take(Checkpoint& state, std::vector<Weights>& samples);
  Epoch finish_epoch(Checkpoint& state, double rate, double loss);
  void save(const Checkpoint& state);
  double raw(std::span<const double> parameters) const;

  /// One epoch; `rate` gives the learning rate of a step, `go_on` ends the epoch early. Returns the
  /// mean loss.
  double run_epoch(Checkpoint& state, std::size_t number,
                   const std::function<double(std::size_t step)>& rate,
                   const std::function<bool(std::size_t step)>& go_on = {});
  double descent_step(Checkpoint& state, double rate, std::uint64_t dropout);
  void update_sgd(Checkpoint& state, double rate, double scale) const;
  void update_adam(Checkpoint& state, double rate, double scale) const;

  const Observation& observation_;
  const Dataset& training_;
  const Dataset& validation_;
  const Recipe& recipe_;
  std::uint64_t seed_;
  const Hooks& hooks_;
  Weights shapes_;
  Layout layout_;
  std::unique_ptr<Model> model_;
  const Parameter* raw_variance_;
  std::vector<double> gradient_;
  Matrix batch_;
  std::vector<double> targets_;
  std::vector<double> weights_;  // of the rows of the batch, if rows have weights
};

}  // namespace wmi::bnn
