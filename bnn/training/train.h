#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "bnn/data/dataset.h"
#include "bnn/data/observation.h"
#include "bnn/data/weights.h"
#include "bnn/training/model.h"
#include "encoders/network.h"

namespace wmi::bnn {

/// How a network is trained by stochastic gradient descent with momentum, and how its weights are
/// sampled afterwards, at a learning rate that keeps them moving.
struct Recipe {
  enum class Schedule {
    linear,   ///< constant for half of the epochs, then linear to 5 % at 90 %, then constant
    coslog,   ///< (1 - cos(2 pi log2(1 + 15 t)))/2 at the time t: four cycles, ever longer
    plateau,  ///< times `plateau_factor` after `plateau_patience` epochs without a smaller loss
    constant
  };
  enum class Sampling {
    constant,  ///< always `sampling_rate`
    cyclic     ///< falls from `sampling_rate` to 5 % of it before each sample, and starts anew
  };

  enum class Optimizer {
    sgd,  ///< stochastic gradient descent with momentum
    adam  ///< steps divided by a running root mean square of the gradient, decay decoupled
  };

  bool drawn = false;  // hidden weights are drawn, not trained: a RandomFeatures for each sample
  Optimizer optimizer = Optimizer::sgd;
  std::size_t epochs = 300;
  std::size_t stop_after = 0;  // ends after so many epochs of this schedule; 0: after all
  std::size_t batch = 30;
  double rate = 0.01;
  Schedule schedule = Schedule::linear;
  double plateau_factor = 0.8;
  std::size_t plateau_patience = 40;
  double momentum = 0.9;
  double bias_factor = 2;     // biases have this times the rate
  bool fan_in_rates = false;  // weights of n inputs have the rate over sqrt(n)
  double weight_decay = 1e-4;
  double clip = 1;           // the largest norm of a gradient; 0: any
  double beta = 0;           // of beta-NLL
  std::size_t patience = 0;  // epochs without a better validation loss that end it; 0: none do
  bool from_best = false;    // sampling starts at the weights of the best validation epoch
  bool corrected = false;    // validation losses are those after a correction of the noise, which
                             // is made later (corrected_score.h)

  double sampling_rate = 0.06;
  Sampling sampling = Sampling::constant;
  std::size_t samples = 40;
  std::size_t every = 5;     // epochs between samples
  bool every_steps = false;  // or steps
};

/// One epoch of a trajectory.
struct Epoch {
  bool sampling = false;
  std::size_t number = 0;  // from 1, throughout
  double rate = 0;
  double loss = 0;                                               // on training rows, while it ran
  double validation = std::numeric_limits<double>::quiet_NaN();  // on validation rows, after it
};

/// The state of a training between two epochs. A training resumed from it ends as if never
/// interrupted.
struct Checkpoint {
  bool sampling = false;
  std::size_t epoch = 0;  // epochs of this phase that are done
  std::size_t steps = 0;  // of the sampling phase
  std::size_t samples = 0;
  std::vector<double> parameters;
  std::vector<double> velocity;
  std::vector<double> squares;  // of adam: the running mean square of each gradient
  std::size_t updates = 0;      // of adam: steps so far
  // The best validation epoch so far; 0: none.
  std::vector<double> best;
  std::size_t best_epoch = 0;
  double best_loss = std::numeric_limits<double>::infinity();
  // Of the plateau schedule.
  double plateau_rate = 0;
  double plateau_loss = std::numeric_limits<double>::infinity();
  std::size_t plateau_epochs = 0;
  std::vector<Epoch> metrics;
  std::size_t restarts_left = 0;  // how often it may still begin with other weights
};

/// Callbacks of a training; any of them may be empty.
struct Hooks {
  std::function<void(const Epoch&)> epoch;
  std::function<void(const Weights& sample, std::size_t number)> sample;
  /// After each epoch, and a last time before it stops.
  std::function<void(const Checkpoint&, bool last)> checkpoint;
  std::stop_token stop;
};

struct Trajectory {
  std::vector<Weights> samples;
  std::vector<Epoch> metrics;
  std::size_t epochs = 0;      // before sampling
  std::size_t best_epoch = 0;  // of the smallest validation loss; 0: nothing was validated
};

/// Trains and samples. Rows are standardised; validation rows may be none. The network's parameters
/// give the shapes; weights start from `start`, or from fresh ones (initial_weights). The result
/// depends on the arguments only. From a checkpoint the samples begin where it ended.
///
/// Throws Error when it diverges, Stopped when asked to stop.
Trajectory train(const encoders::Network& network, const ModelFactory& make_model,
                 const Observation& observation, const Dataset& training, const Dataset& validation,
                 const Recipe& recipe, std::uint64_t seed, const Hooks& hooks = {},
                 const std::optional<Weights>& start = {}, const Checkpoint* checkpoint = nullptr);

/// The settings that validation rows decide: how long to train, and the learning rate while
/// sampling.
struct TrainingChoice {
  std::size_t epochs = 0;  // of the best validation loss, or all of them
  double sampling_rate = 0;
  std::vector<std::pair<double, double>> scores;  // of each rate: log likelihood of the average
};

/// The candidates of the sampling rate.
inline constexpr double sampling_rates[] = {0.003, 0.01, 0.03, 0.06, 0.1};
inline constexpr double adam_sampling_rates[] = {0.0003, 0.001, 0.003};
/// The most samples that are drawn to score a rate.
inline constexpr std::size_t tried_samples = 20;

/// Trains once on training rows and samples at each rate of `rates`: the best by the validation
/// rows' log likelihood under the average of the samples. With one rate, that one. Rates are tried
/// in several threads, which call `hooks.epoch`.
TrainingChoice choose(const encoders::Network& network, const ModelFactory& make_model,
                      const Observation& observation, const Dataset& training,
                      const Dataset& validation, const Recipe& recipe,
                      std::span<const double> rates, std::uint64_t seed, unsigned threads,
                      const Hooks& hooks = {}, const std::optional<Weights>& start = {},
                      const Checkpoint* checkpoint = nullptr);

}  // namespace wmi::bnn
