#include "bnn/training/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bnn/numeric/random.h"
#include "bnn/training/corrected_score.h"
#include "bnn/training/parameters.h"
#include "bnn/training/random_features.h"
#include "bnn/training/sample_quality.h"
#include "bnn/training/trainer.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

// Of the nominal core: operations per second, and seconds that a row takes in a small network.
constexpr double nominal_speed = 2.5e10;
constexpr double row_seconds = 150e-9;
constexpr double drawn_speed = 2e9;       // of the same, where nothing is trained: in doubles
constexpr std::size_t trial_samples = 4;  // are enough to compare
constexpr std::size_t trial_draws = 2;    // likewise
constexpr double never = -std::numeric_limits<double>::infinity();

/// Epochs of a sampling phase, for so many rows.
double sampling_epochs(const Recipe& recipe, std::size_t rows) {
  const auto count = static_cast<double>(std::min(recipe.samples, trial_samples) * recipe.every);
  return recipe.every_steps ? count * static_cast<double>(recipe.batch) / static_cast<double>(rows)
                            : count;
}

/// Averages the samples, corrected where the recipe says so.
double score_of(const TrainingCandidate& candidate, const ModelFactory& make_model,
                std::span<const Weights> samples, const Dataset& rows) {
  if (!candidate.recipe.corrected)
    return average_log_likelihood(candidate.network, make_model, candidate.observation, samples,
                                  rows);
  std::vector<Matrix> found;
  std::vector<double> raw_variances;
  for (const Weights& weights : samples) {
    found.push_back(outputs(candidate.network, make_model, weights, rows.inputs));
    const auto raw = weights.find(raw_variance_name);
    raw_variances.push_back(raw == weights.end() ? 0 : raw->second.entries[0]);
  }
  return corrected_log_likelihood(candidate.observation, found, raw_variances, rows);
}

/// The score of a few draws of the hidden weights, under the posterior of the last layer.
double drawn_score(const TrainingCandidate& candidate, const ModelFactory& make_model,
                   const Part& part, std::uint64_t seed, const std::stop_token& stop) {
  Observation observation = candidate.observation;  // of predictions: a variance for each row
  observation.kind = Observation::Kind::heteroscedastic;
  std::vector<Matrix> found;
  std::vector<double> unused;
  for (std::size_t draw = 0; draw < std::min(candidate.recipe.samples, trial_draws); ++draw) {
    if (stop.stop_requested()) throw Stopped();
    const RandomFeatures drawn(candidate.network, make_model, candidate.observation, part.training,
                               mixed(seed, draw));
    found.push_back(drawn.predictions(part.validation.inputs));
    for (std::size_t i = 0; i < found.back().rows(); ++i)
      found.back().at(i, 1) = raw_of_variance(observation, found.back().at(i, 1));
    unused.push_back(0);
  }
  return candidate.recipe.corrected
             ? corrected_log_likelihood(observation, found, unused, part.validation)
             : average_log_likelihood(observation, found, unused, part.validation);
}

/// Operations of a draw: sums over rows, and decompositions for some priors.
double drawn_operations(const TrainingCandidate& candidate, std::size_t rows) {
  double width = 0;
  for (const auto& [name, tensor] : candidate.network.parameters)
    if (name == std::string(prior_layer) + ".weight") width = static_cast<double>(tensor.size());
  return 3 * width * width * (static_cast<double>(rows) + 8 * width / 3);
}

double best_score(const Trial& trial) { return std::ranges::max(trial.scores); }

}  // namespace

Trial run_trial(const TrainingCandidate& candidate, const ModelFactory& make_model,
                const Part& part, std::span<const double> rates, std::uint64_t seed,
                std::size_t rung, std::optional<Checkpoint>& state, const Hooks& hooks,
                const std::optional<Weights>& start) {
  const bool last = rung + 1 == std::size(rungs);
  Trial result;
  result.rung = rung;
  if (candidate.recipe.drawn) {
    result.scores.assign(1, never);
    try {
      const double score = drawn_score(candidate, make_model, part, seed, hooks.stop);
      if (std::isfinite(score)) result.scores[0] = score;
    } catch (const Stopped&) {
      throw;
    } catch (const Error&) {  // it diverges
    }
    return result;
  }
  result.scores.assign(last ? rates.size() : 1, never);
  Recipe recipe = candidate.recipe;
  recipe.samples = std::min(recipe.samples, trial_samples);
  const auto until =
      static_cast<std::size_t>(std::ceil(rungs[rung] * static_cast<double>(recipe.epochs)));
  try {
    Trainer trainer(candidate.network, make_model, candidate.observation, part.training,
                    part.validation, recipe, seed, hooks);
    if (!state) state = trainer.start(start);
    if (last)
      trainer.descend(*state);
    else
      trainer.descend(*state, until);
  } catch (const Stopped&) {
    throw;
  } catch (const Error&) {
    return result;  // it diverges
  }
  result.epochs = state->best_epoch > 0 ? state->best_epoch : until;
  if (!last) {
    if (std::isfinite(state->best_loss)) result.scores[0] = -state->best_loss;
    return result;
  }
  Hooks quiet;
  quiet.stop = hooks.stop;
  quiet.epoch = hooks.epoch;
  for (std::size_t r = 0; r < rates.size(); ++r) {
    recipe.sampling_rate = rates[r];
    try {
      const Trajectory found = train(candidate.network, make_model, candidate.observation,
                                     part.training, {}, recipe, seed, quiet, {}, &*state);
      const double score = score_of(candidate, make_model, found.samples, part.validation);
      if (std::isfinite(score)) result.scores[r] = score;
    } catch (const Stopped&) {
      throw;
    } catch (const Error&) {  // this rate diverges
    }
  }
  return result;
}

double nominal_seconds(const TrainingCandidate& candidate, std::size_t rows, std::size_t rates) {
  if (candidate.recipe.drawn)
    return static_cast<double>(std::min(candidate.recipe.samples, trial_draws)) *
           drawn_operations(candidate, rows) / drawn_speed;
  double parameters = 0;
  for (const auto& [name, tensor] : candidate.network.parameters)
    parameters += static_cast<double>(encoders::entry_count(tensor.shape));
  const double epochs = static_cast<double>(candidate.recipe.epochs) +
                        static_cast<double>(rates) * sampling_epochs(candidate.recipe, rows);
  // Two operations for each weight and row forwards, four backwards.
  return static_cast<double>(rows) * epochs * (6 * parameters / nominal_speed + row_seconds);
}

SearchResult search(std::span<const TrainingCandidate> candidates, std::size_t rows,
                    std::size_t rates, double budget,
                    const std::function<std::vector<Trial>(std::span<const TrialRequest>)>& run) {
  SearchResult result;
  std::vector<std::size_t> alive, drawn;
  double first = 0, dearest = 0;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const double cost = nominal_seconds(candidates[c], rows, rates);
    const bool whole = candidates[c].recipe.drawn;
    const double trial = whole ? cost : rungs[0] * cost;
    const double longest = whole ? dearest : std::max(dearest, cost);
    if (alive.size() + drawn.size() > 0 && first + trial + longest > budget) continue;
    first += trial;
    dearest = longest;
    (whole ? drawn : alive).push_back(c);
  }
  std::vector<Trial> last;
  for (std::size_t rung = 0; rung < std::size(rungs); ++rung) {
    const bool end = rung + 1 == std::size(rungs);
    if (alive.size() <= 1 && !end) continue;
    if (end) alive.insert(alive.end(), drawn.begin(), drawn.end());
    std::vector<TrialRequest> requests;
    for (const std::size_t c : alive) requests.push_back({c, rung});
    last = run(requests);
    result.trials.insert(result.trials.end(), last.begin(), last.end());
    std::ranges::stable_sort(last, std::greater(), best_score);
    const std::size_t left = rung + 2 < std::size(rungs) ? (alive.size() + 1) / 2 : 1;
    alive.clear();
    for (const Trial& trial : last)
      if (alive.size() < left) alive.push_back(trial.candidate);
  }
  const Trial& best = last.front();
  result.candidate = best.candidate;
  result.rate =
      static_cast<std::size_t>(std::ranges::max_element(best.scores) - best.scores.begin());
  result.score = best_score(best);
  result.epochs = best.epochs;
  if (!std::isfinite(result.score)) throw Error("every training that was tried diverges");
  return result;
}

}  // namespace wmi::bnn
