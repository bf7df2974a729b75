#include "frontends/learning/prediction_settings.h"

#include <algorithm>
#include <array>
#include <deque>

#include "frontends/learning/thread_count.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

std::vector<Choice> posterior_choices() {
  std::vector<Choice> result{{"auto"}};
  for (const bnn::PosteriorEntry& entry : bnn::posteriors()) result.push_back({entry.name});
  return result;
}

constexpr Setting shared_settings[] = {
    {"partition", "WEIGHTS", "",
     "the weights to collapse: none, last, last:K, second:K, all (of one hidden layer and the "
     "output), or names: 'fc2.weight[0,3] fc2.bias[0]' (default: none or last, as the training "
     "found better)"},
    {"choose", "NAME", "variance", "the K weights: by variance over the samples, or by effect",
     kind::OneOf{"variance|effect"}},
    {"posterior", "NAME", "auto",
     "of the collapsed weights: conditional, conditional-box, laplace, swag, minmax, moment, "
     "triangular; auto: the first for the last layer, else moment",
     kind::OneOf{.table = posterior_choices}},
    {"lambda", "X", "",
     "precision of the prior, of conditional and laplace (default: as the training chose, or 0.3)",
     kind::Number{0, 1e12}},
    {"prior-mean", "NAME", "",
     "of the same: zero, or sample: the sampled weights (default: as the training chose; with "
     "--lambda, zero)",
     kind::OneOf{"zero|sample"}},
    {"temperature", "X", "",
     "scales the covariance of a Gaussian posterior (default: as the training chose, or 1)",
     kind::Number{0, 1e6}},
    {"recalibrate", "NAME", "auto",
     "correct the noise as the training found: yes, no; auto: yes unless partition, posterior, "
     "lambda, prior-mean, temperature or likelihood are given",
     kind::OneOf{"auto|yes|no"}},
    {"width", "X", "1", "scales the boxes of the other posteriors", kind::Number{0, 1e6}},
    {"likelihood", "NAME", "gaussian",
     "of the outcome: gaussian, triangular, or smoothed: triangular with a uniform law mixed in",
     kind::OneOf{"gaussian|triangular|smoothed"}},
    {"alpha", "X", "2.297", "radius of a triangular law, in standard deviations",
     kind::Number{1e-6, 1e6}},
    {"epsilon", "X", "0.001", "of the smoothed law, in standardised units",
     kind::Number{1e-300, 1e6}},
    {"floor", "X", "", "densities count as at least this (default: no floor)",
     kind::Number{0, 1e300}},
    {"samples", "N", "", "only the first N samples of the run"},
    {"variant", "NAME", "",
     "authors: as first published, alpha 2.45 and two weights of largest effect with the bias, of "
     "the last layer or (--partition second) of one hidden unit",
     kind::OneOf{"authors"}},
    {"threads", "N", "", "at once; the answers do not depend on it (default: all cores)",
     kind::Count{1, 1'024}},
};

}  // namespace

std::vector<Setting> prediction_settings() {
  return {std::begin(shared_settings), std::end(shared_settings)};
}

std::span<const Setting> with_prediction_settings(std::span<const Setting> own) {
  static std::deque<std::vector<Setting>> tables;
  std::vector<Setting>& table = tables.emplace_back(own.begin(), own.end());
  table.insert(table.end(), std::begin(shared_settings), std::end(shared_settings));
  return table;
}

bnn::CollapseOptions read_collapse(const Settings& settings,
                                   const std::optional<bnn::PredictiveChoice>& chosen) {
  bnn::CollapseOptions result;
  const bool plain = chosen && !chosen->collapsed && !settings.given("posterior");
  result.partition = settings.has("partition") ? settings.text("partition")
                     : plain                   ? "none"
                                               : "last";
  result.choose = settings.text("choose");
  const std::string& posterior = settings.text("posterior");
  if (posterior != "auto") result.posterior = posterior;
  if (chosen) {
    result.options.lambda = chosen->lambda;
    result.options.at_sample = chosen->at_sample;
    result.options.temperature = chosen->temperature;
  }
  if (settings.has("lambda")) {
    result.options.lambda = settings.number("lambda");
    result.options.at_sample = false;
  }
  if (settings.has("prior-mean"))
    result.options.at_sample = settings.text("prior-mean") == "sample";
  if (settings.has("temperature")) result.options.temperature = settings.number("temperature");
  result.options.width = settings.number("width");
  if (settings.has("variant")) {
    if (!settings.given("partition") || result.partition == "last")
      result.partition = "last:2+bias";
    else if (result.partition == "second")
      result.partition = "second:2+bias";
    if (!settings.given("choose")) result.choose = "effect";
    if (!settings.given("posterior")) result.posterior = "minmax";
  }
  return result;
}

std::optional<bnn::PredictiveChoice> read_correction(
    const Settings& settings, const std::optional<bnn::PredictiveChoice>& chosen) {
  const std::string& wanted = settings.text("recalibrate");
  bool corrected = wanted == "yes";
  if (wanted == "auto") {
    constexpr std::string_view methods[] = {"partition",   "posterior",  "lambda", "prior-mean",
                                            "temperature", "likelihood", "variant"};
    corrected =
        std::ranges::none_of(methods, [&](std::string_view name) { return settings.given(name); });
  }
  return corrected ? chosen : std::nullopt;
}

bnn::PredictiveOptions read_predictive(const Settings& settings, const bnn::Dataset* training) {
  bnn::PredictiveOptions result;
  const std::string& name = settings.text("likelihood");
  const bool authors = settings.has("variant");
  if (name != "gaussian") result.noise.kind = bnn::OutcomeNoise::Kind::triangular;
  result.noise.alpha = authors && !settings.given("alpha") ? 2.45 : settings.number("alpha");
  if (name == "smoothed") {
    if (!training || training->targets.empty())
      throw Error(
          "--likelihood smoothed needs the range of the training rows, which the run does "
          "not have; take triangular or gaussian");
    result.epsilon = settings.number("epsilon");
    const auto [least, most] = std::ranges::minmax(training->targets);
    result.range_from = least;
    result.range_to = most;
  }
  if (settings.has("floor")) result.floor = settings.number("floor");
  result.threads = thread_count(settings);
  return result;
}

}  // namespace wmi::frontends
