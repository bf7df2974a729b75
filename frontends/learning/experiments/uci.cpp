#include "frontends/learning/experiments/uci.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bnn/data/metrics.h"
#include "bnn/numeric/random.h"
#include "frontends/data/journal.h"
#include "frontends/learning/journaled_tasks.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr std::string_view header =
    "split,method,log_likelihood,rmse,log_scale,candidate,sampling_rate,epochs";

/// Parts are added only until all together have so many validation rows.
constexpr double enough_rows = 500;

std::string setup(const Conditions& conditions, const UciSet& set, const UciTraining& training) {
  std::string text = fmt::format(
      "{}, hidden {}, {} epochs of batches of {}, {} trajectories of {}, {} steps apart, "
      "{} x {} validation, dropout {}, seed {}, rates {}, candidates",
      set.name, fmt::join(set.hidden, " "), set.epochs, set.batch, training.trajectories,
      training.samples, training.steps, training.validation.parts, training.validation.share,
      training.dropout, conditions.seed, fmt::join(training.rates, " "));
  for (const bnn::Recipe& recipe : training.candidates)
    text += fmt::format(" {}/{}/{}", recipe.rate, recipe.weight_decay, recipe.beta);
  return text;
}

std::vector<std::string> run_split(const Conditions& conditions, const UciSet& set,
                                   const UciTraining& how, std::span<const ScoredMethod> methods,
                                   const SplitData& data, std::size_t split) {
  SplitTraining training;
  training.hidden = set.hidden;
  training.trajectories = how.trajectories;
  const std::uint64_t seed = bnn::mixed(conditions.seed, split);
  bnn::Experiment experiment = open_split(data, split, training, seed);
  const std::size_t per_epoch = (experiment.training.rows() + set.batch - 1) / set.batch;
  std::vector<bnn::Recipe> candidates = how.candidates;
  for (bnn::Recipe& recipe : candidates) {
    recipe.epochs = set.epochs;
    recipe.batch = set.batch;
    recipe.samples = how.samples;
    recipe.every = (how.steps + per_epoch - 1) / per_epoch;
  }
  Validation validation = how.validation;
  const double kept = validation.share * static_cast<double>(experiment.training.rows());
  while (validation.parts > 1 && kept * static_cast<double>(validation.parts - 1) >= enough_rows)
    --validation.parts;
  const SelectedRecipe selected =
      select_recipe(experiment, candidates, how.rates, validation, conditions.stop);
  training.recipe = selected.recipe;
  add_trajectories(experiment, training, conditions.stop);
  bnn::Experiment dropped;
  if (how.dropout > 0) {
    training.dropout = how.dropout;
    training.trajectories = 1;
    training.recipe.samples = 1;
    dropped = open_split(data, split, training, bnn::mixed(seed, 2000));
    add_trajectories(dropped, training, conditions.stop);
  }
  const bnn::Dataset test = bnn::select(data.rows, data.tests[split]);
  const bnn::Dataset rows = bnn::standardised(test, experiment.standardisation);
  std::vector<std::string> lines;
  for (const ScoredMethod& each : methods) {
    if (each.most_rows > 0 && rows.rows() > each.most_rows) continue;
    const std::vector<bnn::Forecast> found =
        bnn::forecasts(each.method, each.method.sampler == "dropout" ? dropped : experiment, rows,
                       each.samples, {});
    lines.push_back(fmt::format("{},{},{},{},{},{},{}", each.label,
                                bnn::score(bnn::find_metric("log_likelihood"), found, test.targets),
                                bnn::score(bnn::find_metric("rmse"), found, test.targets),
                                std::log(experiment.standardisation.target_scale),
                                selected.candidate, selected.recipe.sampling_rate,
                                selected.recipe.stop_after));
  }
  return lines;
}

}  // namespace

std::vector<UciSet> asked_for(std::vector<UciSet> sets, const Conditions& conditions,
                              std::size_t most) {
  std::string names;
  for (const UciSet& set : sets) names += fmt::format("{}{}", names.empty() ? "" : ", ", set.name);
  for (const std::string& name : conditions.sets)
    if (std::ranges::find(sets, name, &UciSet::name) == sets.end())
      throw Error(fmt::format("--sets: no set '{}'; choose of {}", name, names));
  if (!conditions.sets.empty())
    std::erase_if(sets, [&](const UciSet& set) {
      return std::ranges::find(conditions.sets, set.name) == conditions.sets.end();
    });
  for (UciSet& set : sets)
    if (conditions.splits > 0) set.splits = std::min(conditions.splits, most);
  return sets;
}

std::vector<UciSet> small_sets(const Conditions& conditions) {
  std::vector<UciSet> result{
      {"boston", "uci_small/bostonHousing", {50}, 300, 30, -2.471, 3.478, 20},
      {"concrete", "uci_small/concrete", {50}, 1000, 100, -2.959, 4.854, 20},
      {"yacht", "uci_small/yacht", {50}, 1000, 30, -0.687, 0.752, 20},
      {"naval", "uci_small/naval-propulsion-plant", {50}, 1000, 100, 7.482, 0.000, 20},
      {"energy", "uci_small/energy", {50}, 1000, 100, -0.716, 0.447, 20},
  };
  if (conditions.quick) {
    result = {result[0], result[2]};
    for (UciSet& set : result) {
      set.splits = 3;
      set.epochs = set.epochs / 3;
    }
  }
  return asked_for(result, conditions, 20);
}

UciScores run_uci_set(const Conditions& conditions, std::string_view experiment, const UciSet& set,
                      const UciTraining& training, std::span<const ScoredMethod> methods) {
  const SplitData data = read_split_directory((conditions.data / set.directory).string());
  const std::size_t splits = std::min(set.splits, data.tests.size());
  Journal journal((conditions.out / fmt::format("{}-{}.csv", experiment, set.name)).string(),
                  std::string(header), setup(conditions, set, training));
  JournaledTasks tasks(journal, splits, 3);
  tasks.run(conditions.threads, [&](std::size_t split) {
    conditions.report(fmt::format("{}: {} of {} splits", set.name, tasks.done(), splits),
                      static_cast<double>(tasks.done()) / static_cast<double>(splits));
    return run_split(conditions, set, training, methods, data, split);
  });
  UciScores result;
  for (std::size_t split = 0; split < splits; ++split) {
    std::map<std::string, std::vector<double>, std::less<>> found;
    for (const std::string& line : tasks.lines(split)) {
      const std::size_t comma = line.find(',');
      found[line.substr(0, comma)] = parse_numbers(line.substr(comma + 1), "journal").at(0);
    }
    for (const ScoredMethod& each : methods) {
      const auto line = found.find(each.label);
      if (line == found.end() && each.most_rows == 0)
        throw Error(fmt::format("{}: the journal has no '{}'; begin with another --out", set.name,
                                each.label));
      static const std::vector<double> none(3, std::numeric_limits<double>::quiet_NaN());
      const std::vector<double>& values = line == found.end() ? none : line->second;
      Scores& scores = result[std::string(each.label)];
      const double scale = values.at(2);
      scores.likelihood.push_back(values.at(0));
      scores.standard.push_back(values.at(0) + scale);
      scores.error.push_back(values.at(1));
      scores.standard_error.push_back(values.at(1) / std::exp(scale));
    }
  }
  return result;
}

Chart samples_chart(const std::vector<UciSet>& sets, const std::vector<UciScores>& scores,
                    const std::vector<SamplesCurve>& curves,
                    const std::vector<std::size_t>& counts) {
  Chart chart{.title = "Test log likelihood and the number of samples", .panels = {}, .width = 300};
  for (std::size_t s = 0; s < sets.size(); ++s) {
    Panel panel{.title = std::string(sets[s].name), .across = "samples", .up = "log likelihood"};
    for (const SamplesCurve& curve : curves) {
      Mark line{Mark::Kind::line, curve.hue, curve.name};
      for (const std::size_t count : counts) {
        line.x.push_back(static_cast<double>(count));
        line.y.push_back(summary(scores[s].at(curve.label(count)).likelihood).mean);
      }
      panel.marks.push_back(line);
    }
    chart.panels.push_back(panel);
  }
  return chart;
}

std::vector<Claim> few_sample_claims(const Conditions& conditions,
                                     const std::vector<UciScores>& scores,
                                     const std::string& collapsed_5, const std::string& plain_5,
                                     const std::string& plain_40) {
  std::size_t as_good = 0;
  double gain = 0, gain_error = 0;
  for (const UciScores& set : scores) {
    const std::vector<double>& collapsed = set.at(collapsed_5).likelihood;
    const Summary difference = summary(paired(collapsed, set.at(plain_5).likelihood));
    gain += difference.mean;
    gain_error += difference.error * difference.error;
    as_good += summary(collapsed).mean >= summary(set.at(plain_40).likelihood).mean;
  }
  const auto sets = static_cast<double>(scores.size());
  return {
      {fmt::format("5 conditionally collapsed samples have a higher log likelihood than the same 5 "
                   "samples as they are: by {} +- {} over all sets",
                   figure(gain / sets), figure(std::sqrt(gain_error) / sets)),
       gain > (conditions.quick ? 0 : 3 * std::sqrt(gain_error))},
      {fmt::format("5 conditionally collapsed samples do as well as 40 plain ones on {} of {} sets",
                   as_good, scores.size()),
       2 * as_good > scores.size(), false}};
}

std::vector<double> paired(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(a[i] - b[i]);
  return result;
}

}  // namespace wmi::frontends
