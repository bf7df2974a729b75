// Whatever is drawn is drawn from the seed and the number of the epoch or step, never from a
// running generator: a checkpoint between two epochs is all it takes to go on.

#include "bnn/training/trainer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bnn/numeric/products.h"
#include "bnn/numeric/random.h"
#include "bnn/training/corrected_score.h"
#include "bnn/training/loss.h"
#include "bnn/training/sample_quality.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

enum Use : std::uint64_t { initial_use, order_use, dropout_use, judged_use };

constexpr double least_share = 0.05;    // of the rate, at the end of a schedule
constexpr double square_memory = 0.99;  // of adam
constexpr double least_root = 1e-8;
constexpr std::size_t most_restarts = 3;
constexpr std::size_t least_judged_epoch = 10;
constexpr std::size_t most_judged_rows = 1000;

/// The share of the rate in an epoch of the linear schedule.
double linear_share(std::size_t epoch, std::size_t epochs) {
  const double done = static_cast<double>(epoch) / static_cast<double>(epochs);
  if (done <= 0.5) return 1;
  if (done >= 0.9) return least_share;
  return 1 - (1 - least_share) * (done - 0.5) / 0.4;
}

/// The share of the rate in an epoch of the schedule of RealMLP (Holzmueller et al., "Better by
/// default: strong pre-tuned MLPs and boosted trees on tabular data", 2024), at the epoch's middle.
double coslog_share(std::size_t epoch, std::size_t epochs) {
  const double done =
      std::min(1.0, (static_cast<double>(epoch) + 0.5) / static_cast<double>(epochs));
  return (1 - std::cos(2 * std::numbers::pi * std::log2(1 + 15 * done))) / 2;
}

/// What a weight's rate is divided by under --weight-rates fan-in: with Adam, whose steps do not
/// depend on the size of gradients, that is the neural tangent parametrisation of RealMLP.
double fan_in_root(const Parameter& parameter) {
  double inputs = 1;
  for (std::size_t i = 1; i < parameter.shape.size(); ++i)
    inputs *= static_cast<double>(parameter.shape[i]);
  return std::sqrt(inputs);
}

/// Added up in eight places, which does not wait for each sum.
double sum_of_squares(std::span<const double> entries) {
  double sums[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= entries.size(); i += 8)
    for (std::size_t k = 0; k < 8; ++k) sums[k] += entries[i + k] * entries[i + k];
  for (; i < entries.size(); ++i) sums[i % 8] += entries[i] * entries[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

double mean_loss(const Observation& observation, const Matrix& outputs, double raw_variance,
                 const Dataset& rows) {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    sum -=
        rows.weight(i) * log_likelihood(observation, outputs.row(i), raw_variance, rows.targets[i]);
    count += rows.weight(i);
  }
  return sum / count;
}

}  // namespace

Trainer::Trainer(const encoders::Network& network, const ModelFactory& make_model,
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

Checkpoint Trainer::start(const std::optional<Weights>& weights) const {
  Checkpoint state = fresh_start(most_restarts);
  if (!weights) return state;
  state.parameters = to_vector(layout_, *weights);
  state.restarts_left = 0;
  return state;
}

Checkpoint Trainer::fresh_start(std::size_t restarts_left) const {
  Checkpoint state;
  std::uint64_t seed = mixed(seed_, initial_use);
  if (restarts_left < most_restarts) seed = mixed(seed, most_restarts - restarts_left);
  state.parameters = to_vector(layout_, initial_weights(shapes_, seed));
  state.restarts_left = restarts_left;
  state.velocity.assign(layout_.size, 0);
  if (recipe_.optimizer == Recipe::Optimizer::adam) state.squares.assign(layout_.size, 0);
  state.plateau_rate = recipe_.rate;
  return state;
}

void Trainer::descend(Checkpoint& state, std::size_t until) {
  until = std::min(until, last_epoch());
  while (!state.sampling && state.epoch < until && !out_of_patience(state)) {
    double rate = recipe_.rate;
    if (recipe_.schedule == Recipe::Schedule::linear)
      rate *= linear_share(state.epoch, schedule_epochs());
    else if (recipe_.schedule == Recipe::Schedule::coslog)
      rate *= coslog_share(state.epoch, schedule_epochs());
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
    if (recipe_.schedule == Recipe::Schedule::plateau) adapt_to_plateau(state, done);
    if (stuck(state)) state = fresh_start(state.restarts_left - 1);
    save(state);
  }
}

void Trainer::descend(Checkpoint& state) {
  descend(state, last_epoch());
  if (state.sampling) return;
  state.sampling = true;
  state.epoch = 0;
  if (recipe_.from_best && !state.best.empty()) {
    state.parameters = std::move(state.best);
    std::ranges::fill(state.velocity, 0);
  }
  state.best.clear();
}

void Trainer::sample(Checkpoint& state, std::vector<Weights>& samples) {
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

std::size_t Trainer::schedule_epochs() const { return std::max<std::size_t>(1, recipe_.epochs); }

std::size_t Trainer::last_epoch() const {
  return recipe_.stop_after == 0 ? recipe_.epochs : std::min(recipe_.epochs, recipe_.stop_after);
}

std::size_t Trainer::epoch_steps() const {
  return (training_.rows() + recipe_.batch - 1) / recipe_.batch;
}

bool Trainer::out_of_patience(const Checkpoint& state) const {
  return recipe_.patience > 0 && state.best_epoch > 0 &&
         state.epoch >= state.best_epoch + recipe_.patience;
}

bool Trainer::stuck(const Checkpoint& state) const {
  const std::size_t judged = std::max(least_judged_epoch, last_epoch() / 5);
  if (state.restarts_left == 0 || state.epoch != judged || last_epoch() < 2 * judged) return false;
  std::vector<std::size_t> some = shuffled(training_.rows(), mixed(seed_, judged_use));
  if (some.size() > most_judged_rows) some.resize(most_judged_rows);
  const Dataset rows = select(training_, some);
  const double loss = mean_loss(observation_, model_->outputs(state.parameters, rows.inputs),
                                raw(state.parameters), rows);
  return !(-loss > constant_log_likelihood(rows, observation_.regression()));
}

void Trainer::adapt_to_plateau(Checkpoint& state, const Epoch& done) const {
  const double loss = std::isnan(done.validation) ? done.loss : done.validation;
  if (loss < state.plateau_loss) {
    state.plateau_loss = loss;
    state.plateau_epochs = 0;
  } else if (++state.plateau_epochs > recipe_.plateau_patience) {
    state.plateau_rate *= recipe_.plateau_factor;
    state.plateau_epochs = 0;
  }
}

void Trainer::take(Checkpoint& state, std::vector<Weights>& samples) {
  samples.push_back(to_weights(layout_, state.parameters));
  if (hooks_.sample) hooks_.sample(samples.back(), state.samples);
  ++state.samples;
}

Epoch Trainer::finish_epoch(Checkpoint& state, double rate, double loss) {
  Epoch epoch{state.sampling, state.metrics.size() + 1, rate, loss};
  if (validation_.rows() > 0) {
    const Matrix outputs = model_->outputs(state.parameters, validation_.inputs);
    const double variance = raw(state.parameters);
    epoch.validation = recipe_.corrected ? -corrected_log_likelihood(observation_, {&outputs, 1},
                                                                     {&variance, 1}, validation_)
                                         : mean_loss(observation_, outputs, variance, validation_);
  }
  state.metrics.push_back(epoch);
  if (hooks_.epoch) hooks_.epoch(epoch);
  return epoch;
}

void Trainer::save(const Checkpoint& state) {
  const bool stop = hooks_.stop.stop_requested();
  if (hooks_.checkpoint) hooks_.checkpoint(state, stop);
  if (stop) throw Stopped();
}

double Trainer::raw(std::span<const double> parameters) const {
  return raw_variance_ == nullptr ? 0 : parameters[raw_variance_->offset];
}

double Trainer::run_epoch(Checkpoint& state, std::size_t number,
                          const std::function<double(std::size_t step)>& rate,
                          const std::function<bool(std::size_t step)>& go_on) {
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
    weights_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      std::ranges::copy(training_.inputs.row(order[from + i]), batch_.row(i).begin());
      targets_[i] = training_.targets[order[from + i]];
      if (!training_.weights.empty()) weights_.push_back(training_.weights[order[from + i]]);
    }
    total += descent_step(state, rate(step), mixed(dropout, step)) * static_cast<double>(count);
    seen += count;
    if (go_on && !go_on(step)) break;
  }
  const double loss = total / static_cast<double>(seen);
  if (!std::isfinite(loss))
    throw Error("the training diverges in epoch " + std::to_string(state.metrics.size() + 1) +
                ": its loss is no number; a smaller rate may help");
  return loss;
}

double Trainer::descent_step(Checkpoint& state, double rate, std::uint64_t dropout) {
  Loss found;
  const double raw_variance = raw(state.parameters);
  model_->gradient(
      state.parameters, batch_, dropout,
      [&](const Matrix& outputs, Matrix& derivatives) {
        found = loss(observation_, recipe_.beta, outputs, targets_, raw_variance, derivatives,
                     weights_);
      },
      gradient_);
  if (raw_variance_ != nullptr) gradient_[raw_variance_->offset] = found.raw_variance;
  double scale = 1;
  if (recipe_.clip > 0) {
    if (const double norm = std::sqrt(sum_of_squares(gradient_)); norm > recipe_.clip)
      scale = recipe_.clip / norm;
  }
  if (recipe_.optimizer == Recipe::Optimizer::adam)
    update_adam(state, rate, scale);
  else
    update_sgd(state, rate, scale);
  return found.value;
}

/// Calls `update` with each parameter that training changes, its rate and its decay.
template <class Update>
void for_each_trained(const Layout& layout, const Recipe& recipe, double rate,
                      const Update& update) {
  for (const Parameter& parameter : layout.parameters) {
    if (parameter.fixed) continue;
    const double decay = parameter.shape.size() > 1 ? recipe.weight_decay : 0;
    const double own_rate = rate * (parameter.bias ? recipe.bias_factor : 1) /
                            (recipe.fan_in_rates ? fan_in_root(parameter) : 1);
    update(parameter, own_rate, decay);
  }
}

void Trainer::update_sgd(Checkpoint& state, double rate, double scale) const {
  for_each_trained(layout_, recipe_, rate, [&](const Parameter& p, double own_rate, double decay) {
    for (std::size_t i = p.offset; i < p.offset + p.size; ++i) {
      double& entry = state.parameters[i];
      double& velocity = state.velocity[i];
      velocity = recipe_.momentum * velocity + (scale * gradient_[i] + decay * entry);
      entry -= own_rate * velocity;
    }
  });
}

/// The decay is, as for sgd, in units of a step without momentum.
void Trainer::update_adam(Checkpoint& state, double rate, double scale) const {
  ++state.updates;
  const auto steps = static_cast<double>(state.updates);
  const double mean_factor = 1 / (1 - std::pow(recipe_.momentum, steps));
  const double square_factor = 1 / (1 - std::pow(square_memory, steps));
  for_each_trained(layout_, recipe_, rate, [&](const Parameter& p, double own_rate, double decay) {
    adam_step({own_rate, decay, scale, recipe_.momentum, square_memory, mean_factor, square_factor,
               least_root},
              p.size, &gradient_[p.offset], &state.parameters[p.offset], &state.velocity[p.offset],
              &state.squares[p.offset]);
  });
}

}  // namespace wmi::bnn
