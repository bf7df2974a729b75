// Stochastic gradient descent on one long vector. Whatever is drawn is drawn from the seed and the
// number of the epoch or step, never from a running generator, so that a checkpoint between two
// epochs is all it takes to go on.

#include "bnn/training/train.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "bnn/numeric/parallel.h"
#include "bnn/numeric/random.h"
#include "bnn/training/loss.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

enum Use : std::uint64_t { initial_use, order_use, dropout_use };

constexpr double least_share = 0.05;  // of the rate, at the end of a schedule

/// The share of the rate in an epoch of the linear schedule.
double linear_share(std::size_t epoch, std::size_t epochs) {
  const double done = static_cast<double>(epoch) / static_cast<double>(epochs);
  if (done <= 0.5) return 1;
  if (done >= 0.9) return least_share;
  return 1 - (1 - least_share) * (done - 0.5) / 0.4;
}

class Trainer {
 public:
  Trainer(const encoders::Network& network, const ModelFactory& make_model,
          const Observation& observation, const Dataset& training, const Dataset& validation,
          const Recipe& recipe, std::uint64_t seed, const Hooks& hooks)
      : observation_(observation),
        training_(training),
        validation_(validation),
        recipe_(recipe),
        seed_(seed),
        hooks_(hooks),
        shapes_(weights_of(network, observation)),
        layout_(make_layout(shapes_)),
        model_(make_model(network, layout_)),
        raw_variance_(layout_.find(raw_variance_name)),
        gradient_(layout_.size) {
    if (training.rows() == 0) throw Error("there are no rows to train on");
    if (recipe.batch == 0 || recipe.every == 0) throw Error("a batch or interval of 0");
  }

  const Layout& layout() const { return layout_; }

  Checkpoint start(const std::optional<Weights>& weights) const {
    Checkpoint state;
    state.parameters = to_vector(
        layout_, weights ? *weights : initial_weights(shapes_, mixed(seed_, initial_use)));
    state.velocity.assign(layout_.size, 0);
    state.plateau_rate = recipe_.rate;
    return state;
  }

  /// The phase before the samples.
  void descend(Checkpoint& state) {
    while (!state.sampling && state.epoch < last_epoch() && !patience_lost(state)) {
      double rate = recipe_.rate;
      if (recipe_.schedule == Recipe::Schedule::linear)
        rate *= linear_share(state.epoch, schedule_epochs());
      else if (recipe_.schedule == Recipe::Schedule::plateau)
        rate = state.plateau_rate;
      const double loss = run_epoch(state, state.epoch, [&](std::size_t) { return rate; });
      ++state.epoch;
      const Epoch done = finish_epoch(state, rate, loss);
      if (done.validation < state.best_loss) {
        state.best_loss = done.validation;
        state.best_epoch = done.number;
        if (recipe_.from_best) state.best = state.parameters;
      }
      if (recipe_.schedule == Recipe::Schedule::plateau) watch_plateau(state, done);
      save(state);
    }
    if (state.sampling) return;
    state.sampling = true;
    state.epoch = 0;
    if (recipe_.from_best && !state.best.empty()) {
      state.parameters = std::move(state.best);
      std::ranges::fill(state.velocity, 0);
    }
    state.best.clear();
  }

  void sample(Checkpoint& state, std::vector<Weights>& samples) {
    while (state.samples < recipe_.samples) {
      double rate = recipe_.sampling_rate;
      const std::size_t steps = epoch_steps();
      const double loss = run_epoch(
          state, schedule_epochs() + state.epoch,
          [&](std::size_t step) {
            if (recipe_.sampling == Recipe::Sampling::cyclic) {
              const std::size_t cycle = recipe_.every * (recipe_.every_steps ? 1 : steps);
              const std::size_t at = (state.steps + step) % cycle;
              const double share =
                  cycle > 1 ? static_cast<double>(at) / static_cast<double>(cycle - 1) : 1;
              rate = recipe_.sampling_rate * (1 - (1 - least_share) * share);
            }
            return rate;
          },
          [&](std::size_t step) {
            if (recipe_.every_steps && (state.steps + step + 1) % recipe_.every == 0)
              take(state, samples);
            return state.samples < recipe_.samples;
          });
      state.steps += steps;
      ++state.epoch;
      if (!recipe_.every_steps && state.epoch % recipe_.every == 0) take(state, samples);
      finish_epoch(state, rate, loss);
      save(state);
    }
  }

 private:
  /// A schedule is that of all epochs, also where training ends earlier.
  std::size_t schedule_epochs() const { return std::max<std::size_t>(1, recipe_.epochs); }
  std::size_t last_epoch() const {
    return recipe_.stop_after == 0 ? recipe_.epochs : std::min(recipe_.epochs, recipe_.stop_after);
  }
  std::size_t epoch_steps() const { return (training_.rows() + recipe_.batch - 1) / recipe_.batch; }
  bool patience_lost(const Checkpoint& state) const {
    return recipe_.patience > 0 && state.best_epoch > 0 &&
           state.epoch >= state.best_epoch + recipe_.patience;
  }

  void watch_plateau(Checkpoint& state, const Epoch& done) const {
    const double loss = std::isnan(done.validation) ? done.loss : done.validation;
    if (loss < state.plateau_loss) {
      state.plateau_loss = loss;
      state.plateau_epochs = 0;
    } else if (++state.plateau_epochs > recipe_.plateau_patience) {
      state.plateau_rate *= recipe_.plateau_factor;
      state.plateau_epochs = 0;
    }
  }

  void take(Checkpoint& state, std::vector<Weights>& samples) {
    samples.push_back(to_weights(layout_, state.parameters));
    if (hooks_.sample) hooks_.sample(samples.back(), state.samples);
    ++state.samples;
  }

  Epoch finish_epoch(Checkpoint& state, double rate, double loss) {
    Epoch epoch{state.sampling, state.metrics.size() + 1, rate, loss};
    if (validation_.rows() > 0) {
      const Matrix outputs = model_->outputs(state.parameters, validation_.inputs);
      epoch.validation = 0;
      for (std::size_t i = 0; i < validation_.rows(); ++i)
        epoch.validation -= log_likelihood(observation_, outputs.row(i), raw(state.parameters),
                                           validation_.targets[i]);
      epoch.validation /= static_cast<double>(validation_.rows());
    }
    state.metrics.push_back(epoch);
    if (hooks_.epoch) hooks_.epoch(epoch);
    return epoch;
  }

  void save(const Checkpoint& state) {
    const bool stop = hooks_.stop.stop_requested();
    if (hooks_.checkpoint) hooks_.checkpoint(state, stop);
    if (stop) throw Stopped();
  }

  double raw(std::span<const double> parameters) const {
    return raw_variance_ == nullptr ? 0 : parameters[raw_variance_->offset];
  }

  /// Returns the mean loss; `go_on` may end it early.
  template <class Rate, class GoOn>
  double run_epoch(Checkpoint& state, std::size_t number, const Rate& rate, const GoOn& go_on) {
    const std::uint64_t seed = mixed(mixed(seed_, order_use), number);
    const std::uint64_t dropout = mixed(mixed(seed_, dropout_use), number);
    const std::vector<std::size_t> order = shuffled(training_.rows(), seed);
    double total = 0;
    std::size_t seen = 0;
    for (std::size_t from = 0, step = 0; from < order.size(); from += recipe_.batch, ++step) {
      const std::size_t count = std::min(recipe_.batch, order.size() - from);
      batch_.columns = training_.inputs.columns;
      batch_.entries.resize(count * batch_.columns);
      targets_.resize(count);
      for (std::size_t i = 0; i < count; ++i) {
        std::ranges::copy(training_.inputs.row(order[from + i]), batch_.row(i).begin());
        targets_[i] = training_.targets[order[from + i]];
      }
      total += descent_step(state, rate(step), mixed(dropout, step)) * static_cast<double>(count);
      seen += count;
      if (!go_on(step)) break;
    }
    const double loss = total / static_cast<double>(seen);
    if (!std::isfinite(loss))
      throw Error("the training diverges in epoch " + std::to_string(state.metrics.size() + 1) +
                  ": its loss is no number; a smaller rate may help");
    return loss;
  }
  template <class Rate>
  double run_epoch(Checkpoint& state, std::size_t number, const Rate& rate) {
    return run_epoch(state, number, rate, [](std::size_t) { return true; });
  }

  double descent_step(Checkpoint& state, double rate, std::uint64_t dropout) {
    Loss found;
    const double raw_variance = raw(state.parameters);
    model_->gradient(
        state.parameters, batch_, dropout,
        [&](const Matrix& outputs, Matrix& derivatives) {
          found = loss(observation_, recipe_.beta, outputs, targets_, raw_variance, derivatives);
        },
        gradient_);
    if (raw_variance_ != nullptr) gradient_[raw_variance_->offset] = found.raw_variance;
    double scale = 1;
    if (recipe_.clip > 0) {
      double square = 0;
      for (const double entry : gradient_) square += entry * entry;
      if (const double norm = std::sqrt(square); norm > recipe_.clip) scale = recipe_.clip / norm;
    }
    for (const Parameter& parameter : layout_.parameters) {
      if (parameter.fixed) continue;
      const bool weight = parameter.shape.size() > 1;
      const double decay = weight ? recipe_.weight_decay : 0;
      const double own_rate = rate * (parameter.bias ? recipe_.bias_factor : 1);
      for (std::size_t i = parameter.offset; i < parameter.offset + parameter.size; ++i) {
        double& entry = state.parameters[i];
        double& velocity = state.velocity[i];
        velocity = recipe_.momentum * velocity + (scale * gradient_[i] + decay * entry);
        entry -= own_rate * velocity;
      }
    }
    return found.value;
  }

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
};

/// The mean and the variance of an outcome: of a number, or of each class.
struct Moments {
  std::vector<double> mean;
  double variance = 0;
};

Moments moments(const Observation& observation, std::span<const double> outputs, double raw) {
  if (observation.kind == Observation::Kind::heteroscedastic) raw = outputs[1];
  if (observation.regression()) return {{outputs[0]}, variance(observation, raw)};
  Moments result;
  if (observation.kind == Observation::Kind::sigmoid) {
    result.mean = {std::exp(log_likelihood(observation, outputs, 0, 1))};
  } else {
    for (std::size_t k = 0; k < outputs.size(); ++k)
      result.mean.push_back(std::exp(log_likelihood(observation, outputs, 0, double(k))));
  }
  for (const double p : result.mean) result.variance += p * (1 - p);
  return result;
}

double raw_variance(const Weights& weights) {
  const auto found = weights.find(raw_variance_name);
  return found == weights.end() ? 0 : found->second.entries[0];
}

}  // namespace

Trajectory train(const encoders::Network& network, const ModelFactory& make_model,
                 const Observation& observation, const Dataset& training, const Dataset& validation,
                 const Recipe& recipe, std::uint64_t seed, const Hooks& hooks,
                 const std::optional<Weights>& start, const Checkpoint* checkpoint) {
  Trainer trainer(network, make_model, observation, training, validation, recipe, seed, hooks);
  Checkpoint state = checkpoint != nullptr ? *checkpoint : trainer.start(start);
  Trajectory result;
  trainer.descend(state);
  trainer.sample(state, result.samples);
  result.metrics = std::move(state.metrics);
  result.epochs =
      static_cast<std::size_t>(std::ranges::count(result.metrics, false, &Epoch::sampling));
  result.best_epoch = state.best_epoch;
  return result;
}

Choice choose(const encoders::Network& network, const ModelFactory& make_model,
              const Observation& observation, const Dataset& training, const Dataset& validation,
              const Recipe& recipe, std::span<const double> rates, std::uint64_t seed,
              unsigned threads, const Hooks& hooks, const std::optional<Weights>& start,
              const Checkpoint* checkpoint) {
  if (validation.rows() == 0) throw Error("there are no validation rows to choose by");
  Trainer trainer(network, make_model, observation, training, validation, recipe, seed, hooks);
  Checkpoint state = checkpoint != nullptr ? *checkpoint : trainer.start(start);
  trainer.descend(state);
  Choice result;
  result.epochs = (recipe.from_best || recipe.patience > 0) && state.best_epoch > 0
                      ? state.best_epoch
                      : recipe.epochs;
  result.scores.resize(rates.size());
  if (rates.size() == 1) {
    result.sampling_rate = rates[0];
    result.scores.clear();
    return result;
  }
  in_parallel(rates.size(), threads, [&](std::size_t i) {
    Recipe tried = recipe;
    tried.sampling_rate = rates[i];
    tried.samples = std::min(recipe.samples, tried_samples);
    Hooks quiet;
    quiet.stop = hooks.stop;
    quiet.epoch = hooks.epoch;
    double score = -std::numeric_limits<double>::infinity();
    try {
      const Trajectory found = train(network, make_model, observation, training, validation, tried,
                                     seed, quiet, {}, &state);
      score = average_log_likelihood(network, make_model, observation, found.samples, validation);
    } catch (const Error&) {  // it diverges: no rate to choose
    }
    result.scores[i] = {rates[i], score};
  });
  const auto best = std::ranges::max_element(result.scores, {}, &std::pair<double, double>::second);
  if (!std::isfinite(best->second)) throw Error("sampling diverges at every rate that was tried");
  result.sampling_rate = best->first;
  return result;
}

double average_log_likelihood(const encoders::Network& network, const ModelFactory& make_model,
                              const Observation& observation, std::span<const Weights> samples,
                              const Dataset& rows) {
  std::vector<double> logs(rows.rows(), -std::numeric_limits<double>::infinity());
  for (const Weights& weights : samples) {
    const Matrix found = outputs(network, make_model, weights, rows.inputs);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const double next =
          log_likelihood(observation, found.row(i), raw_variance(weights), rows.targets[i]);
      const double most = std::max(logs[i], next), least = std::min(logs[i], next);
      logs[i] = most + std::log1p(std::exp(least - most));
    }
  }
  double total = 0;
  for (const double log : logs) total += log - std::log(static_cast<double>(samples.size()));
  return total / static_cast<double>(rows.rows());
}

double relative_spread(const encoders::Network& network, const ModelFactory& make_model,
                       const Observation& observation, std::span<const Weights> samples,
                       const Dataset& rows) {
  if (samples.size() < 2 || rows.rows() == 0) return 0;
  std::vector<std::vector<double>> sums(rows.rows()), squares(rows.rows());
  double noise = 0;
  for (const Weights& weights : samples) {
    const Matrix found = outputs(network, make_model, weights, rows.inputs);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const Moments m = moments(observation, found.row(i), raw_variance(weights));
      sums[i].resize(m.mean.size());
      squares[i].resize(m.mean.size());
      for (std::size_t k = 0; k < m.mean.size(); ++k) {
        sums[i][k] += m.mean[k];
        squares[i][k] += m.mean[k] * m.mean[k];
      }
      noise += m.variance;
    }
  }
  const auto count = static_cast<double>(samples.size());
  double spread = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t k = 0; k < sums[i].size(); ++k)
      spread += std::max(0.0, squares[i][k] - sums[i][k] * sums[i][k] / count) / (count - 1);
  return std::sqrt(spread / (noise / count));
}

}  // namespace wmi::bnn
