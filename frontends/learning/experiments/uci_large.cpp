// Six large data sets with ten folds each: networks whose last hidden layer has two units.

#include <fmt/format.h>

#include "frontends/learning/experiments/uci.h"

namespace wmi::frontends {
namespace {

const ScoredMethod lines[] = {
    {"SGD", of_one("sgd"), 40},
    {"SWA", of_one("swa"), 40},
    {"MC", of_one(""), 40},
    {"SWAG", of_one("swag"), 40},
    {"last minmax", of_one("", "last", "minmax"), 40},
    {"last moment", of_one("", "last", "moment"), 40},
    {"last conditional", of_one("", "last", "conditional"), 40},
    {"second:3 minmax", of_one("", "second:3", "minmax"), 40},
    {"second:3 moment", of_one("", "second:3", "moment"), 40},
    {"5 MC", of_one(""), 5},
    {"5 last conditional", of_one("", "last", "conditional"), 5},
};

std::vector<UciSet> sets(bool quick) {
  // Networks of the published depth; layers of 1000 and 500 units are narrower here.
  const std::vector<std::size_t> wide{100, 100, 50, 50, 2}, short_{100, 50, 50, 2};
  std::vector<UciSet> result{
      {"skillcraft", "uci_large/skillcraft", short_, 60, 100, -1.003, 0.251, 10},
      {"elevators", "uci_large/elevators", wide, 40, 100, -0.378, 0.088, 10},
      {"pol", "uci_large/pol", wide, 60, 100, 2.555, 2.212, 10},
      {"protein", "uci_large/protein", wide, 40, 100, -0.720, 0.438, 3},
      {"keggdirected", "uci_large/keggdirected", wide, 30, 100, 1.245, 0.142, 3},
      {"keggundirected", "uci_large/keggundirected", wide, 30, 100, 1.125, 0.115, 3},
  };
  if (!quick) return result;
  result.resize(1);
  result[0].splits = 2;
  result[0].epochs = 15;
  return result;
}

UciTraining training(bool quick) {
  UciTraining result;
  for (const double decay : {1e-4, 1e-3, 1e-2}) {
    bnn::Recipe recipe;
    recipe.rate = 0.01;
    recipe.weight_decay = decay;
    recipe.beta = 0.5;
    result.candidates.push_back(recipe);
  }
  result.rates = {0.001, 0.003, 0.01};
  result.steps = 30;
  result.validation.share = 0.1;
  result.trajectories = 1;
  if (quick) result.candidates.erase(result.candidates.begin(), result.candidates.end() - 1);
  return result;
}

}  // namespace

Findings run_uci_large(const Conditions& conditions) {
  const std::vector<UciSet> all = asked_for(sets(conditions.quick), conditions, 10);
  std::vector<UciScores> scores;
  scores.reserve(all.size());
  for (const UciSet& set : all)
    scores.push_back(run_uci_set(conditions, "uci-large", set, training(conditions.quick), lines));
  std::vector<std::string> columns{"method"};
  for (const UciSet& set : all)
    columns.push_back(
        fmt::format("{} ({} fold{})", set.name, set.splits, set.splits == 1 ? "" : "s"));
  FigureTable likelihood(columns), difference(columns), error(columns);
  std::vector<std::string> paper{"paper: CIBER, second"}, paper_error{"paper: CIBER, second"};
  for (const UciSet& set : all) {
    paper.push_back(figure(set.paper_likelihood));
    paper_error.push_back(figure(set.paper_error));
  }
  likelihood.add(paper);
  error.add(paper_error);
  for (const ScoredMethod& each : lines) {
    const std::string label(each.label);
    std::vector<std::string> row{label}, minus{label}, errors{label};
    for (const UciScores& found : scores) {
      const Scores& mine = found.at(label);
      row.push_back(with_deviation(summary(mine.standard)));
      minus.push_back(with_error(summary(paired(mine.standard, found.at("MC").standard)), 4));
      errors.push_back(with_deviation(summary(mine.error)));
    }
    likelihood.add(row);
    if (label != "MC") difference.add(minus);
    error.add(errors);
  }
  std::size_t above = 0;
  for (std::size_t s = 0; s < all.size(); ++s)
    above += summary(scores[s].at("last conditional").standard).mean > all[s].paper_likelihood;
  Findings findings;
  findings.text = fmt::format(
      "Hidden layers 100-100-50-50-2 (skillcraft: 100-50-50-2); the published networks have "
      "1000-1000-500-50-2, which two cores do not train in a night, so the widths "
      "are smaller; the bottleneck of two units is theirs. Batches of 100, {} to {} epochs, one "
      "training a fold, 40 samples at least 30 steps apart. Rule, fixed before the run: of "
      "weight decays 1e-4, 1e-3 and 1e-2 (rate .01, beta-NLL .5) and sampling rates .001, .003 and "
      ".01, the pair with the best log likelihood of the plain "
      "average on a tenth of the training rows, sampled from the last epoch or the best one; then "
      "one training on all rows. The KEGG sets have duplicate rows that fall into both parts. The "
      "paper's rule is a box: `second:3 minmax` is nearest to it in kind.\n\n"
      "Log likelihood of the standardised outcome, mean and standard deviation over folds:\n\n{}\n"
      "Difference to `MC`, the plain average of the same samples; mean and standard error:\n\n{}\n"
      "Root mean square error in the outcome's units:\n\n{}\n",
      conditions.quick ? 15 : 30, conditions.quick ? 15 : 60, likelihood.markdown(),
      difference.markdown(), error.markdown());
  findings.files = {{"uci-large.csv", likelihood.csv()},
                    {"uci-large-differences.csv", difference.csv()},
                    {"uci-large-errors.csv", error.csv()}};
  findings.claims = {
      {fmt::format("conditional collapse of the last layer is above the paper's figure on {} of "
                   "{} sets",
                   above, all.size()),
       3 * above >= 2 * all.size(), !conditions.quick && conditions.sets.empty()}};
  return findings;
}

}  // namespace wmi::frontends
