#include "bnn/training/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "bnn/training/sample_quality.h"
#include "bnn/training/trainer.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

constexpr double nominal_speed = 1.5e10;  // operations per second of the nominal core
constexpr std::size_t trial_samples = 4;  // are enough to compare
constexpr double never = -std::numeric_limits<double>::infinity();

/// Epochs of a sampling phase, for so many rows.
double sampling_epochs(const Recipe& recipe, std::size_t rows) {
  const auto count = static_cast<double>(std::min(recipe.samples, trial_samples) * recipe.every);
  return recipe.every_steps ? count * static_cast<double>(recipe.batch) / static_cast<double>(rows)
                            : count;
}

/// The scores of a candidate by sampling rate, averaged over its trials.
std::vector<double> mean_scores(std::span<const Trial> trials, std::size_t candidate,
                                std::size_t rates) {
  std::vector<double> result(rates);
  double count = 0;
  for (const Trial& trial : trials)
    if (trial.candidate == candidate) {
      for (std::size_t r = 0; r < rates; ++r) result[r] += trial.scores[r];
      ++count;
    }
  for (double& score : result) score = count > 0 ? score / count : never;
  return result;
}

double best_score(std::span<const Trial> trials, std::size_t candidate, std::size_t rates) {
  return std::ranges::max(mean_scores(trials, candidate, rates));
}

}  // namespace

Trial run_trial(const TrainingCandidate& candidate, const ModelFactory& make_model,
                const Part& part, std::span<const double> rates, std::uint64_t seed,
                const Hooks& hooks, const std::optional<Weights>& start) {
  Trial result;
  result.scores.assign(rates.size(), never);
  Recipe recipe = candidate.recipe;
  recipe.samples = std::min(recipe.samples, trial_samples);
  Checkpoint state;
  try {
    Trainer trainer(candidate.network, make_model, candidate.observation, part.training,
                    part.validation, recipe, seed, hooks);
    state = trainer.start(start);
    trainer.descend(state);
  } catch (const Stopped&) {
    throw;
  } catch (const Error&) {
    return result;  // it diverges
  }
  result.epochs = state.best_epoch > 0 ? state.best_epoch : recipe.epochs;
  Hooks quiet;
  quiet.stop = hooks.stop;
  quiet.epoch = hooks.epoch;
  for (std::size_t r = 0; r < rates.size(); ++r) {
    recipe.sampling_rate = rates[r];
    try {
      const Trajectory found = train(candidate.network, make_model, candidate.observation,
                                     part.training, {}, recipe, seed, quiet, {}, &state);
      const double score = average_log_likelihood(
          candidate.network, make_model, candidate.observation, found.samples, part.validation);
      if (std::isfinite(score)) result.scores[r] = score;
    } catch (const Stopped&) {
      throw;
    } catch (const Error&) {  // this rate diverges
    }
  }
  return result;
}

double nominal_seconds(const TrainingCandidate& candidate, std::size_t rows, std::size_t rates) {
  double parameters = 0;
  for (const auto& [name, tensor] : candidate.network.parameters)
    parameters += static_cast<double>(tensor.entries.size());
  const double epochs = static_cast<double>(candidate.recipe.epochs) +
                        static_cast<double>(rates) * sampling_epochs(candidate.recipe, rows);
  // Two operations for each weight and row forwards, four backwards.
  return 6 * parameters * static_cast<double>(rows) * epochs / nominal_speed;
}

SearchResult search(std::span<const TrainingCandidate> candidates, std::size_t parts,
                    std::size_t rows, std::size_t rates, double budget,
                    const std::function<std::vector<Trial>(std::span<const TrialRequest>)>& run) {
  SearchResult result;
  const auto cost = [&](std::size_t candidate) {
    return nominal_seconds(candidates[candidate], rows, rates);
  };
  std::vector<std::size_t> alive;
  double first_round = 0;
  for (std::size_t c = 0; c < candidates.size(); ++c)
    if (alive.empty() || first_round + cost(c) <= budget) {
      first_round += cost(c);
      alive.push_back(c);
    }
  for (std::size_t part = 0; part < parts; ++part) {
    double round = 0;
    for (const std::size_t c : alive) round += cost(c);
    if (part > 0 && result.seconds + round > budget) break;
    std::vector<TrialRequest> requests;
    for (const std::size_t c : alive) requests.push_back({c, part});
    for (Trial& trial : run(requests)) result.trials.push_back(std::move(trial));
    result.seconds += round;
    std::ranges::stable_sort(alive, std::greater(),
                             [&](std::size_t c) { return best_score(result.trials, c, rates); });
    if (alive.size() > 1) alive.resize((alive.size() + 1) / 2);
  }
  result.candidate = alive.front();
  const std::vector<double> scores = mean_scores(result.trials, result.candidate, rates);
  result.rate = static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
  result.score = scores[result.rate];
  if (!std::isfinite(result.score)) throw Error("every training that was tried diverges");
  double epochs = 0, count = 0;
  for (const Trial& trial : result.trials)
    if (trial.candidate == result.candidate) {
      epochs += static_cast<double>(trial.epochs);
      ++count;
    }
  result.epochs = static_cast<std::size_t>(std::lround(epochs / count));
  return result;
}

}  // namespace wmi::bnn
