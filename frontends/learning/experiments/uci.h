#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bnn/training/methods.h"
#include "bnn/training/train.h"
#include "frontends/learning/experiments/experiment.h"
#include "frontends/learning/experiments/figure_table.h"
#include "frontends/learning/split_training.h"
#include "frontends/plots/chart.h"

namespace wmi::frontends {

/// A data set that the paper reports on.
struct UciSet {
  std::string_view name;
  std::string_view directory;  // in the folder of data sets
  std::vector<std::size_t> hidden;
  std::size_t epochs, batch;  // as published for this set
  double paper_likelihood, paper_error;
  std::size_t splits;  // that are run, the first ones
};

/// A method with a number of samples: one line of the tables.
struct ScoredMethod {
  std::string label;
  bnn::ComparedMethod method;
  std::size_t samples;
  std::size_t most_rows = 0;  // skipped, being slow, if there are more test rows; 0: never
};

/// A method that averages over samples of one training, or of all trainings.
constexpr bnn::ComparedMethod of_one(std::string_view sampler, std::string_view partition = "none",
                                     std::string_view posterior = "") {
  return {"", "", false, sampler, partition, posterior, false};
}
constexpr bnn::ComparedMethod of_all(std::string_view sampler, std::string_view partition = "none",
                                     std::string_view posterior = "") {
  return {"", "", true, sampler, partition, posterior, false};
}

/// The trainings of a split, which all its methods share.
struct UciTraining {
  std::vector<bnn::Recipe> candidates;  // epochs and batch are the set's
  std::vector<double> rates;            // of sampling
  Validation validation = {};
  std::size_t trajectories = 5;
  std::size_t samples = 40;
  std::size_t steps = 100;  // the least number between samples
  double dropout = 0;       // of an additional training, for the sampler `dropout`; 0: none
};

/// Scores of a method on each split; NaN where it was skipped.
struct Scores {
  std::vector<double> likelihood;      // mean log likelihood, in the outcome's own units
  std::vector<double> standard;        // the same, of the standardised outcome
  std::vector<double> error;           // root mean square error, in the outcome's own units
  std::vector<double> standard_error;  // of the standardised outcome
};
using UciScores = std::map<std::string, Scores, std::less<>>;

/// The five small sets with 20 splits each; if quick, two of them with three splits and fewer
/// epochs.
std::vector<UciSet> small_sets(const Conditions& conditions);

/// The sets that were asked for, in the order of `sets`, with the number of splits that was asked
/// for, at most `most`. Throws Error if none of `sets` has a name that was asked for.
std::vector<UciSet> asked_for(std::vector<UciSet> sets, const Conditions& conditions,
                              std::size_t most);

/// Scores the methods on each split; resumes from the journal OUT/EXPERIMENT-SET.csv. Recipes are
/// chosen for each split by `select_recipe`, on validation rows of its training rows. Throws
/// Stopped.
UciScores run_uci_set(const Conditions& conditions, std::string_view experiment, const UciSet& set,
                      const UciTraining& training, std::span<const ScoredMethod> methods);

/// A curve of `samples_chart`, and the labels of its scores by number of samples.
struct SamplesCurve {
  std::string name;
  Hue hue;
  std::function<std::string(std::size_t count)> label;
};

/// Log likelihood against the number of samples, a panel for each set.
Chart samples_chart(const std::vector<UciSet>& sets, const std::vector<UciScores>& scores,
                    const std::vector<SamplesCurve>& curves,
                    const std::vector<std::size_t>& counts);

/// The claims that 5 conditionally collapsed samples are better than the same 5 plain ones, and as
/// good as 40. The arguments are the labels of their scores.
std::vector<Claim> few_sample_claims(const Conditions& conditions,
                                     const std::vector<UciScores>& scores,
                                     const std::string& collapsed_5, const std::string& plain_5,
                                     const std::string& plain_40);

/// The differences a - b, split by split.
std::vector<double> paired(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace wmi::frontends
