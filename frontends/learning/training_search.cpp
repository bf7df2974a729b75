#include "frontends/learning/training_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "bnn/collapse/float_forward.h"
#include "bnn/numeric/parallel.h"
#include "bnn/numeric/random.h"
#include "bnn/training/model.h"
#include "frontends/common/comma_separated.h"
#include "frontends/common/read_file.h"
#include "frontends/common/write_file.h"
#include "frontends/data/checkpoint.h"
#include "frontends/data/journal.h"
#include "frontends/learning/run_recipe.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

bool last_rung(const bnn::TrialRequest& request) {
  return request.rung + 1 == std::size(bnn::rungs);
}

std::string group_of(const bnn::TrialRequest& request) {
  return fmt::format("{:02}-{}", request.candidate + 1, request.rung + 1);
}

/// The lines of a trial: of the last rung, one for each sampling rate.
std::vector<std::string> lines_of(const TrainingJob& job, const bnn::Trial& trial) {
  std::vector<std::string> result;
  for (std::size_t r = 0; r < trial.scores.size(); ++r)
    result.push_back(fmt::format(
        "{},{},{},{}", job.candidates[trial.candidate].name, trial.epochs,
        last_rung({trial.candidate, trial.rung}) && !job.candidates[trial.candidate].recipe.drawn
            ? fmt::format("{}", job.rates[r])
            : "",
        std::isfinite(trial.scores[r]) ? fmt::format("{}", trial.scores[r]) : "diverges"));
  return result;
}

bnn::Trial trial_of(const bnn::TrialRequest& request, const std::vector<std::string>& lines) {
  bnn::Trial result{request.candidate, request.rung, 0, {}};
  for (const std::string& line : lines) {
    const std::vector<std::string> cells = comma_separated(line);
    if (cells.size() != 4) throw Error("search.csv: a line is no trial");
    result.epochs = std::stoul(cells[1]);
    result.scores.push_back(cells[3] == "diverges" ? -std::numeric_limits<double>::infinity()
                                                   : std::stod(cells[3]));
  }
  return result;
}

/// The score of a candidate in its last trial, and how long it was trained.
std::string score_in_words(const TrainingJob& job, const bnn::SearchResult& found,
                           std::size_t candidate) {
  const bnn::Trial* last = nullptr;
  for (const bnn::Trial& trial : found.trials)
    if (trial.candidate == candidate) last = &trial;
  const std::string& name = job.candidates[candidate].name;
  if (last == nullptr) return name + ": not tried within the budget";
  const double score = std::ranges::max(last->scores);
  if (!std::isfinite(score)) return name + ": diverges";
  return last_rung({candidate, last->rung})
             ? fmt::format("{}: {:.4f}", name, score)
             : fmt::format("{}: {:.4f} in the first {:.0f} % of its epochs", name, score,
                           100 * bnn::rungs[last->rung]);
}

/// How predictions are made, in words.
std::string in_words(const bnn::PredictiveChoice& choice, bool regression) {
  std::string result =
      choice.collapsed
          ? fmt::format("last layer collapsed, lambda {}{}, temperature {}", choice.lambda,
                        choice.at_sample ? " around the sampled weights" : "", choice.temperature)
          : "plain average";
  if (choice.scale != 1)
    result += fmt::format(
        "; {} {}", regression ? "deviation of the noise times" : "logits divided by", choice.scale);
  if (choice.freedom > 0)
    result += fmt::format("; Student's law of {} degrees of freedom", choice.freedom);
  if (choice.outliers > 0)
    result += fmt::format("; {:.3g} % outliers of {} times the deviation", 100 * choice.outliers,
                          choice.outlier_scale);
  if (choice.evidence_power > 0)
    result +=
        fmt::format("; samples weigh by their evidence to the power {}", choice.evidence_power);
  if (!choice.weights.empty()) result += "; weights of the samples stacked";
  return result;
}

/// Which way of choosing lambda was better.
std::string lambda_in_words(const bnn::PredictiveSelection& found) {
  if (found.evidence_lambda == 0) return "";
  return fmt::format(
      "  lambda {} has the largest marginal likelihood, and {:.4f} on validation rows; chosen by "
      "half of them, lambda has {:.4f} on the other: {} it\n",
      found.evidence_lambda, found.evidence_score, found.validated_score,
      found.evidence_score >= found.validated_score ? "the marginal likelihood chooses"
                                                    : "validation rows choose");
}

/// What weights of the samples would do.
std::string weights_in_words(const bnn::PredictiveSelection& found) {
  std::string result;
  const auto add = [&](const char* what, double score, bool kept) {
    if (std::isfinite(score))
      result += fmt::format("  samples weighed {}: {:.4f}, equally: {:.4f}; {}\n", what, score,
                            found.unweighted, kept ? "kept" : "not kept");
  };
  add("by evidence", found.by_evidence, found.choice.evidence_power > 0);
  add("by stacking, on rows that it has not seen", found.stacked, !found.choice.weights.empty());
  return result;
}

/// Where the second part of choices.txt begins.
constexpr std::string_view predictions_heading = "Predictions, by ";

/// Writes what was chosen about predictions after what the search chose.
void write_predictions(const TrainingJob& job, const std::string& text) {
  const std::string file = (fs::path(job.run.path) / choices_file).string();
  const std::string before = read_file(file);
  save(file, before.substr(0, before.find(predictions_heading)) + text);
}

}  // namespace

void search_candidates(TrainingJob& job, TrainingProgress& progress, const std::stop_token& stop) {
  fs::create_directories(job.run.path);
  const bnn::Part& part = job.parts[0];
  Journal journal((fs::path(job.run.path) / search_file).string(),
                  "trial,candidate,epochs,sampling_rate,score",
                  fmt::format("{} rows, seed {}", part.training.rows(), job.run.seed));
  // Where trials go on; those of an interrupted search are run again.
  std::vector<std::optional<bnn::Checkpoint>> states(job.candidates.size());
  const auto run = [&](std::span<const bnn::TrialRequest> requests) {
    std::vector<bnn::Trial> trials(requests.size());
    const Journal::Groups before = journal.groups();  // trials add to it
    bnn::in_parallel(requests.size(), job.threads, [&](std::size_t i) {
      const bnn::TrialRequest& request = requests[i];
      const std::string group = group_of(request);
      if (const auto known = before.find(group); known != before.end()) {
        trials[i] = trial_of(request, known->second);
        return;
      }
      const bnn::TrainingCandidate& candidate = job.candidates[request.candidate];
      const auto epochs = static_cast<std::size_t>(bnn::rungs[request.rung] *
                                                   static_cast<double>(candidate.recipe.epochs));
      if (!candidate.recipe.drawn) progress.expect(epochs);
      bnn::Hooks hooks;
      hooks.stop = stop;
      std::size_t seen = 0;
      hooks.epoch = [&](const bnn::Epoch& epoch) {
        if (++seen <= epochs) progress.done(fmt::format("trying {}", candidate.name), epoch);
      };
      trials[i] =
          bnn::run_trial(candidate, bnn::make_training_model, part, job.rates, job.seed(0, 0),
                         request.rung, states[request.candidate], hooks, job.start);
      if (!candidate.recipe.drawn) progress.skip(epochs - std::min(seen, epochs));
      trials[i].candidate = request.candidate;
      journal.add(group, lines_of(job, trials[i]));
    });
    if (stop.stop_requested()) throw Stopped();
    return trials;
  };
  const bnn::SearchResult found =
      bnn::search(job.candidates, part.training.rows(), job.rates.size(), job.budget, run);
  job.recipe.sampling_rate = job.rates[found.rate];
  job.take(found.candidate);
  job.recipe.stop_after = found.epochs;
  job.decide_final_parts();
  if (const auto& state = states[found.candidate]; state && !job.retrain)
    write_checkpoint(job.checkpoint(0), *state);  // the first trajectory goes on from it
  RecordedChoice choice{found.candidate,
                        job.values[found.candidate],
                        job.recipe.sampling_rate,
                        found.epochs,
                        found.score,
                        {}};
  std::string text = fmt::format(
      "Chosen by the log likelihood of {} validation rows, in standardised units:\n  {}",
      job.parts[0].validation.rows(), job.candidates[found.candidate].name);
  text += job.recipe.drawn ? "\n"
                           : fmt::format("; sampling rate {}; validation best at epoch {}\n",
                                         job.recipe.sampling_rate, found.epochs);
  if (job.candidates.size() > 1) text += "Candidates:\n";
  for (std::size_t c = 0; c < job.candidates.size(); ++c) {
    choice.scores.push_back(score_in_words(job, found, c));
    if (job.candidates.size() > 1) text += "  " + choice.scores.back() + "\n";
  }
  job.run.recipe = with_choice(job.run.recipe, choice);
  save((fs::path(job.run.path) / choices_file).string(), text);
}

std::vector<bnn::HeldOut> train_parts(const TrainingJob& job, const bnn::Recipe& recipe,
                                      TrainingProgress& progress, const std::stop_token& stop) {
  const bnn::TrainingCandidate& candidate = job.candidates[*job.candidate];
  const auto count = std::clamp<std::size_t>(
      static_cast<std::size_t>(job.budget / job.nominal_seconds()), 1, job.parts.size());
  std::vector<std::vector<bnn::Weights>> samples(count * job.trajectories);
  if (!recipe.drawn)
    progress.expect(samples.size() * (recipe.stop_after > 0 ? recipe.stop_after : recipe.epochs));
  bnn::in_parallel(samples.size(), job.threads, [&](std::size_t i) {
    const std::size_t part = i / job.trajectories, trajectory = i % job.trajectories;
    bnn::Hooks hooks;
    hooks.stop = stop;
    hooks.epoch = [&](const bnn::Epoch& epoch) {
      if (!epoch.sampling) progress.done(fmt::format("part {} of {}", part + 1, count), epoch);
    };
    samples[i] = bnn::train(candidate.network, bnn::make_training_model, candidate.observation,
                            job.parts[part].training, {}, recipe, job.seed(part, trajectory), hooks,
                            job.start)
                     .samples;
  });
  if (stop.stop_requested()) throw Stopped();
  std::vector<bnn::HeldOut> result;
  for (std::size_t part = 0; part < count; ++part) {
    bnn::HeldOut held{job.parts[part].training, job.parts[part].validation, {}, {}};
    for (std::size_t t = 0; t < job.trajectories; ++t)
      for (bnn::Weights& weights : samples[part * job.trajectories + t]) {
        held.samples.push_back(std::move(weights));
        held.trajectories.push_back(t);
      }
    result.push_back(std::move(held));
  }
  return result;
}

void choose_predictions(TrainingJob& job, std::span<const bnn::HeldOut> parts) {
  bnn::PredictiveFreedom freedom = job.freedom;
  freedom.final_samples = !job.retrain && job.final_parts == 1;
  freedom.trajectories = job.trajectories;
  if (job.recipe.drawn) {  // their samples are posteriors, whose prior is in the network
    freedom.always_collapsed = true;
    if (freedom.lambdas.empty() && !freedom.at_sample) freedom.lambdas = {1};
  }
  const bnn::PredictiveSelection found = bnn::choose_predictive(
      job.run.network, bnn::float_forward, job.run.observation, parts, freedom);
  job.run.predictive = found.choice;
  const bnn::PredictiveChoice& choice = found.choice;
  const bool regression = job.run.observation.regression();
  std::string text = fmt::format(
      "{}{} validation rows of {} part{}:\n  {}: {:.4f}\n", predictions_heading, found.rows,
      parts.size(), parts.size() == 1 ? "" : "s", in_words(choice, regression), found.score);
  if (!std::isfinite(found.collapsed))
    text += "  the last layer cannot be collapsed\n";
  else
    text += fmt::format("  {}: {:.4f} collapsed, {:.4f} on average; standard error {:.4f}\n",
                        freedom.always_collapsed ? "drawn hidden weights are collapsed"
                        : choice.collapsed
                            ? "collapsing gains over the plain average"
                            : "collapsing does not gain enough over the plain average, which is "
                              "used",
                        found.collapsed, found.average, found.difference_error);
  text += lambda_in_words(found) + weights_in_words(found) + "Alternatives:\n";
  for (const bnn::Alternative& alternative : found.alternatives)
    text +=
        fmt::format("  {}: {:.4f}\n", in_words(alternative.choice, regression), alternative.score);
  write_predictions(job, text);
}

}  // namespace wmi::frontends
