// Each method with few samples and with many, on the same trainings.

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "bnn/training/recipes.h"
#include "frontends/learning/experiments/uci.h"
#include "frontends/plots/chart.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t counts[] = {1, 5, 10, 20, 40};

/// A method and the range of sample counts for which it makes sense.
struct SampledMethod {
  std::string_view name;
  bnn::ComparedMethod method;
  std::size_t least = 1, most = 40;
};
constexpr SampledMethod sampled_methods[] = {
    {"MC", of_one("")},
    {"SWA", of_one("swa")},
    {"SWAG", of_one("swag"), 2},
    {"MC dropout", of_one("dropout")},
    {"last minmax", of_one("", "last", "minmax"), 2},
    {"last moment", of_one("", "last", "moment"), 2},
    {"last conditional", of_one("", "last", "conditional")},
    {"last:3 minmax", of_one("", "last:3", "minmax"), 2},
    {"last:3 moment", of_one("", "last:3", "moment"), 2},
    {"last:3 conditional", of_one("", "last:3", "conditional")},
    {"second:3 minmax", of_one("", "second:3", "minmax"), 2},
    {"second:3 moment", of_one("", "second:3", "moment"), 2},
    {"ensemble", of_all("ensemble"), 5, 5},
    {"pooled MC", of_all(""), 5},
    {"pooled last conditional", of_all("", "last", "conditional"), 5},
};
constexpr std::string_view plain = "MC", collapsed = "last conditional";

std::string label(std::string_view name, std::size_t count) {
  return fmt::format("{} {}", count, name);
}

/// The set's own recipe, from the last epoch or the best one.
UciTraining training(std::string_view name) {
  UciTraining result;
  result.candidates = {bnn::find_recipe(name)};
  result.rates = {result.candidates[0].sampling_rate};
  result.dropout = 0.05;
  return result;
}

/// One sample alone would need a scale of its own.
Chart picture(const std::vector<UciSet>& all, const std::vector<UciScores>& scores) {
  const auto curve = [](std::string_view name, Hue hue) {
    return SamplesCurve{std::string(name), hue,
                        [=](std::size_t count) { return label(name, count); }};
  };
  return samples_chart(all, scores,
                       {curve(plain, Hue::orange), curve("SWA", Hue::green),
                        curve("SWAG", Hue::purple), curve(collapsed, Hue::blue)},
                       {5, 10, 20, 40});
}

}  // namespace

Findings run_uci_samples(const Conditions& conditions) {
  const std::vector<UciSet> all = small_sets(conditions);
  std::vector<ScoredMethod> lines;
  for (const SampledMethod& each : sampled_methods)
    for (const std::size_t count : counts)
      if (each.least <= count && count <= each.most)
        lines.push_back({label(each.name, count), each.method, count});
  std::vector<UciScores> scores;
  scores.reserve(all.size());
  for (const UciSet& set : all)
    scores.push_back(run_uci_set(conditions, "uci-samples", set, training(set.name), lines));

  std::vector<std::string> columns{"set", "method"};
  for (const std::size_t count : counts)
    columns.push_back(fmt::format("{} sample{}", count, count == 1 ? "" : "s"));
  FigureTable table(columns);
  std::size_t compared = 0, best = 0;
  for (std::size_t s = 0; s < all.size(); ++s) {
    const auto values = [&](std::string_view name,
                            std::size_t count) -> const std::vector<double>& {
      return scores[s].at(label(name, count)).likelihood;
    };
    for (const SampledMethod& each : sampled_methods) {
      std::vector<std::string> row{std::string(all[s].name), std::string(each.name)};
      for (const std::size_t count : counts)
        row.push_back(each.least <= count && count <= each.most
                          ? with_error(summary(values(each.name, count)))
                          : "");
      table.add(row);
    }
    for (const std::size_t count : counts) {
      double greatest = -std::numeric_limits<double>::infinity();
      for (const std::string_view baseline : {"MC", "SWA", "SWAG", "MC dropout"})
        if (count > 1 || baseline != "SWAG")
          greatest = std::max(greatest, summary(values(baseline, count)).mean);
      ++compared;
      best += summary(values(collapsed, count)).mean >= greatest;
    }
  }
  Findings findings;
  findings.text = fmt::format(
      "The log likelihood in the outcome's units, mean and standard error over {} splits, from 1, "
      "5, 10, 20 and 40 samples. Trainings as in uci-small, but each set has its one recipe of "
      "docs/evaluate.md, so that only the epoch to sample from is left to validation rows (a fifth "
      "of the training rows, once). These recipes were found on these sets: the table compares "
      "methods with each other, not with the paper. With fewer samples, those are evenly "
      "spaced over the same 40, the last among them; one sample is what SGD ends with. SWA and "
      "SWAG are those of as many samples, SWAG with as many draws, dropout (rate .05, a training "
      "of its own) with as many masks. A box needs two samples. An ensemble has the last weights "
      "of five trainings; larger ones were not trained. `pooled` has as many samples in all, "
      "evenly from five "
      "trainings.\n\n{}\n"
      "![Log likelihood and the number of samples](uci-samples.svg)\n",
      all[0].splits, table.markdown());
  findings.files = {{"uci-samples.csv", table.csv()},
                    {"uci-samples.svg", to_svg(picture(all, scores))}};
  findings.claims =
      few_sample_claims(conditions, scores, label(collapsed, 5), label(plain, 5), label(plain, 40));
  findings.claims.push_back(
      {fmt::format("conditional collapse is at or above MC, SWA, SWAG and MC dropout of as many "
                   "samples in {} of {} comparisons",
                   best, compared),
       2 * best > compared, false});
  return findings;
}

}  // namespace wmi::frontends
