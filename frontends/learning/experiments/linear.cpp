// Bayesian linear regression: the exact predictive law is known, and approximations are compared
// with it.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "bnn/collapse/collapse.h"
#include "bnn/collapse/float_forward.h"
#include "bnn/numeric/linear_algebra.h"
#include "bnn/numeric/random.h"
#include "bnn/predictive/predictive.h"
#include "bnn/training/mlp.h"
#include "frontends/learning/experiments/figure_table.h"
#include "frontends/learning/experiments/journaled_numbers.h"
#include "frontends/plots/chart.h"

namespace wmi::frontends {
namespace {

using Kind = Mark::Kind;

constexpr std::size_t places = 321;  // of the grid over outcomes
constexpr double reach = 8;          // standard deviations that it spans, each way
constexpr std::size_t few = 5, many = 50;
constexpr std::size_t counts[] = {50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 200, 300};

/// A method that gives a predictive law from samples of the posterior.
struct CollapseMethod {
  const char* name;
  const char* partition;  // k stands for half of the weights
  const char* posterior;
};
constexpr CollapseMethod collapse_methods[] = {
    {"Monte Carlo", "none", ""},
    {"all weights, minmax", "last", "minmax"},
    {"all weights, moment", "last", "moment"},
    {"half of them, minmax", "k", "minmax"},
    {"half of them, moment", "k", "moment"},
    {"half of them, conditional", "k", "conditional"},
};
constexpr std::size_t moment_method = 2, conditional_method = 5;

/// The methods whose distances are drawn, and the part of the grid they are drawn along.
constexpr std::pair<std::size_t, Hue> drawn[] = {{0, Hue::orange}, {moment_method, Hue::blue}};
constexpr std::size_t first_drawn = places * 3 / 16, last_drawn = places * 13 / 16, stride = 4;
constexpr std::size_t drawn_places = (last_drawn - first_drawn) / stride + 1;

/// The posterior of the weights, and an input with the exact law of its outcome.
struct Truth {
  bnn::Dataset data;
  bnn::JointGaussian posterior;
  bnn::Matrix factor;  // of its covariance
  std::vector<double> input;
  double mean = 0, deviation = 1;
};

/// d weights with standard normal priors, 2 d rows of standard normal inputs, noise 1.
Truth draw_truth(std::size_t d, std::uint64_t seed) {
  bnn::Random random(seed);
  Truth truth;
  std::vector<double> weights(d);
  for (double& weight : weights) weight = random.normal();
  truth.data.inputs = bnn::Matrix(2 * d, d);
  for (double& entry : truth.data.inputs.entries) entry = random.normal();
  for (std::size_t i = 0; i < 2 * d; ++i) {
    double y = random.normal();
    for (std::size_t j = 0; j < d; ++j) y += weights[j] * truth.data.inputs.at(i, j);
    truth.data.targets.push_back(y);
  }
  bnn::PosteriorOptions options;
  options.lambda = 1;
  truth.posterior = bnn::conditional_posterior(truth.data.inputs, truth.data.targets,
                                               std::vector<double>(2 * d, 1.0), {}, options);
  truth.factor = bnn::cholesky(truth.posterior.covariance);
  truth.input.resize(d);
  for (double& x : truth.input) x = random.normal();
  double variance = 1;
  for (std::size_t i = 0; i < d; ++i) {
    truth.mean += truth.input[i] * truth.posterior.mean[i];
    for (std::size_t j = 0; j < d; ++j)
      variance += truth.input[i] * truth.posterior.covariance.at(i, j) * truth.input[j];
  }
  truth.deviation = std::sqrt(variance);
  return truth;
}

bnn::Weights draw_weights(const Truth& truth, bnn::Random& random) {
  const std::size_t d = truth.input.size();
  std::vector<double> normal(d), entries(truth.posterior.mean);
  for (double& each : normal) each = random.normal();
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j <= i; ++j) entries[i] += truth.factor.at(i, j) * normal[j];
  return {{"fc1.weight", {{1, d}, std::move(entries)}},
          {"fc1.bias", {{1}, {0.0}}},
          {bnn::raw_variance_name, {{1}, {0.0}}}};
}

/// The distance of a law from the exact one.
struct Distance {
  double divergence = 0;                 // of Kullback and Leibler: truth relative to the law
  double absolute = 0;                   // the integral of |p - q|
  std::vector<double> differences = {};  // |p - q| at the places that are drawn
};

Distance distance(const Truth& truth, const bnn::Predictive& law) {
  Distance result;
  const double step = 2 * reach * truth.deviation / (places - 1);
  for (std::size_t i = 0; i < places; ++i) {
    const double y = truth.mean - reach * truth.deviation + step * static_cast<double>(i);
    const double t = (y - truth.mean) / truth.deviation;
    const double log_p =
        -t * t / 2 - std::log(truth.deviation) - std::log(2 * std::numbers::pi) / 2;
    const double log_q = law.log_density(y);
    const double p = std::exp(log_p), difference = std::abs(p - std::exp(log_q));
    result.divergence += step * p * (log_p - log_q);
    result.absolute += step * difference;
    if (i >= first_drawn && i <= last_drawn && (i - first_drawn) % stride == 0)
      result.differences.push_back(difference);
  }
  return result;
}

/// The predictive law of samples collapsed by a method.
bnn::Predictive predictive(const Truth& truth, std::span<const bnn::Weights> samples,
                           const CollapseMethod& method) {
  const std::size_t d = truth.input.size();
  const encoders::Network network = bnn::mlp(d, {}, 1);
  bnn::Observation observation;
  observation.kind = bnn::Observation::Kind::homoscedastic;
  observation.least_variance = 0;
  bnn::CollapseOptions options;
  options.partition = std::string_view(method.partition) == "k"
                          ? fmt::format("last:{}", (d + 1) / 2)
                          : method.partition;
  options.posterior = method.posterior;
  options.options.lambda = 1;
  const auto collapsed =
      bnn::collapse(network, bnn::float_forward, observation, samples, {}, &truth.data, options);
  bnn::Matrix input(1, d);
  input.entries = truth.input;
  const auto found = bnn::activations(network, bnn::float_forward, samples, collapsed, input);
  std::vector<bnn::OutputLaw<double>> components;
  for (auto& each : bnn::output_laws_at(collapsed, found, 0)) components.push_back(each.at(0));
  return bnn::Predictive(components, {},
                         {std::vector<double>(d, 0), std::vector<double>(d, 1), 0, 1});
}

/// One trial: distances of all methods with few samples and with many, and of Monte Carlo with
/// more.
struct Trial {
  std::vector<Distance> few, many;
  std::vector<double> more;  // divergences, for each of `counts`
};

/// As the journal records it.
std::vector<double> to_numbers(const Trial& trial) {
  std::vector<double> result;
  for (std::size_t w = 0; w < std::size(collapse_methods); ++w) {
    result.push_back(trial.few[w].divergence);
    result.push_back(trial.few[w].absolute);
    result.push_back(trial.many[w].divergence);
  }
  result.insert(result.end(), trial.more.begin(), trial.more.end());
  for (const auto& [w, hue] : drawn)
    result.insert(result.end(), trial.few[w].differences.begin(), trial.few[w].differences.end());
  return result;
}

Trial from_numbers(const std::vector<double>& numbers) {
  Trial trial;
  std::size_t at = 0;
  const auto next = [&] { return numbers.at(at++); };
  for (std::size_t w = 0; w < std::size(collapse_methods); ++w) {
    const double divergence = next(), absolute = next();
    trial.few.push_back({divergence, absolute});
    trial.many.push_back({next()});
  }
  for (std::size_t c = 0; c < std::size(counts); ++c) trial.more.push_back(next());
  for (const auto& [w, hue] : drawn)
    for (std::size_t i = 0; i < drawn_places; ++i) trial.few[w].differences.push_back(next());
  return trial;
}

Trial run_trial(std::size_t d, std::uint64_t seed) {
  const Truth truth = draw_truth(d, seed);
  bnn::Random random(bnn::mixed(seed, 1));
  std::vector<bnn::Weights> samples;
  while (samples.size() < counts[std::size(counts) - 1])
    samples.push_back(draw_weights(truth, random));
  const std::span<const bnn::Weights> all(samples);
  Trial trial;
  for (const CollapseMethod& method : collapse_methods) {
    trial.few.push_back(distance(truth, predictive(truth, all.first(few), method)));
    trial.many.push_back(distance(truth, predictive(truth, all.first(many), method)));
  }
  for (const std::size_t count : counts)
    trial.more.push_back(
        distance(truth, predictive(truth, all.first(count), collapse_methods[0])).divergence);
  return trial;
}

}  // namespace

Findings run_linear(const Conditions& conditions) {
  const std::size_t trials = conditions.quick ? 60 : 400;
  const std::vector<std::size_t> dimensions =
      conditions.quick ? std::vector<std::size_t>{2, 10} : std::vector<std::size_t>{2, 5, 10, 20};
  FigureTable table({"weights", "way", "KL, 5 samples", "minus Monte Carlo's",
                     "L1 distance, 5 samples", "KL, 50 samples",
                     "Monte Carlo samples for as small a KL"});
  Findings findings;
  Chart near{.title = "Distance to the exact law, 5 samples, 5 weights", .panels = {}};
  Chart more{.title = "Divergence and the number of samples", .panels = {}};
  Summary box, conditional;  // over all dimensions: sums of differences and of squared errors
  for (const std::size_t d : dimensions) {
    std::vector<Trial> found;
    for (const std::vector<double>& numbers : journaled_numbers(
             conditions, fmt::format("linear-{}", d), "trials", trials, conditions.threads,
             [&](std::size_t i) {
               return to_numbers(run_trial(d, bnn::mixed(bnn::mixed(conditions.seed, d), i)));
             }))
      found.push_back(from_numbers(numbers));
    const auto over = [&](const auto& value) {
      std::vector<double> values;
      values.reserve(found.size());
      for (const Trial& trial : found) values.push_back(value(trial));
      return summary(values);
    };
    std::vector<double> curve;
    for (std::size_t c = 0; c < std::size(counts); ++c)
      curve.push_back(over([&](const Trial& trial) { return trial.more[c]; }).mean);
    for (std::size_t w = 0; w < std::size(collapse_methods); ++w) {
      const Summary first = over([&](const Trial& t) { return t.few[w].divergence; });
      const Summary paired =
          over([&](const Trial& t) { return t.few[w].divergence - t.few[0].divergence; });
      const Summary last = over([&](const Trial& t) { return t.many[w].divergence; });
      std::string enough = fmt::format("more than {}", counts[std::size(counts) - 1]);
      for (std::size_t c = std::size(counts); c-- > 0;)
        if (curve[c] <= last.mean) enough = c == 0 ? "at most 50" : std::to_string(counts[c]);
      table.add({std::to_string(d), collapse_methods[w].name, with_error(first, 4),
                 w == 0 ? "" : with_error(paired, 4),
                 with_error(over([&](const Trial& t) { return t.few[w].absolute; })),
                 with_error(last, 4), w == 0 ? "50" : enough});
      if (Summary* const total = w == moment_method        ? &box
                                 : w == conditional_method ? &conditional
                                                           : nullptr) {
        total->mean += paired.mean;
        total->error += paired.error * paired.error;
      }
    }
    Panel panel{
        .title = fmt::format("{} weights", d), .across = "samples", .up = "KL", .marks = {}};
    Mark plain{Kind::line, Hue::orange, "Monte Carlo"};
    for (std::size_t c = 0; c + 2 < std::size(counts); ++c) {
      plain.x.push_back(static_cast<double>(counts[c]));
      plain.y.push_back(curve[c]);
    }
    panel.marks.push_back(plain);
    const std::pair<std::size_t, Hue> shown[] = {{moment_method, Hue::blue},
                                                 {conditional_method, Hue::green}};
    for (const auto& [w, hue] : shown) {
      const double level = over([&, w = w](const Trial& t) { return t.many[w].divergence; }).mean;
      panel.marks.push_back({Kind::dashes,
                             hue,
                             fmt::format("50 collapsed: {}", collapse_methods[w].name),
                             {50, 150},
                             {level, level}});
    }
    more.panels.push_back(panel);
    if (d == 5 || (conditions.quick && d == 2)) {
      near.title = fmt::format("Distance to the exact law, 5 samples, {} weights", d);
      Panel picture{
          .across = "y, in standard deviations from the mean", .up = "|p - q|", .marks = {}};
      for (const auto& [w, hue] : drawn) {
        Mark band{Kind::band, hue, fmt::format("{}, 95 % band", collapse_methods[w].name)};
        Mark line{Kind::line, hue};
        for (std::size_t i = 0; i < drawn_places; ++i) {
          const Summary at = over([&, w = w](const Trial& t) { return t.few[w].differences[i]; });
          const double y =
              reach * (2 * static_cast<double>(first_drawn + stride * i) / (places - 1) - 1);
          for (Mark* mark : {&band, &line}) mark->x.push_back(y);
          band.y.push_back(at.mean - 1.96 * at.error);
          band.upper.push_back(at.mean + 1.96 * at.error);
          line.y.push_back(at.mean);
        }
        picture.marks.push_back(band);
        picture.marks.push_back(line);
      }
      near.panels = {picture};
    }
  }
  if (more.panels.size() > 1) more.width = 340;
  near.width = 640;
  findings.text = fmt::format(
      "d weights with standard normal priors, 2 d rows of standard normal inputs, noise of "
      "standard deviation 1: the predictive law of a new "
      "outcome is normal and known. Samples are drawn from the exact posterior; {} trials, each "
      "with its own data, input and samples, and the "
      "same samples for every way. KL is that of the exact law p relative to the approximation q, "
      "the integral of p log(p/q); q is positive "
      "everywhere (Gaussian likelihood), so no support is left out. +- is one standard error over "
      "trials, differences are paired.\n\n{}\n"
      "Paper: KL .069 collapsed and .130 Monte Carlo with 5 samples; more than 100 Monte Carlo "
      "samples to match 50 collapsed ones (its dimension and "
      "noise are not given).\n\n"
      "![Distance to the exact law](linear-distance.svg)\n\n![Divergence and the number of "
      "samples](linear-samples.svg)\n",
      trials, table.markdown());
  findings.files = {{"linear.csv", table.csv()},
                    {"linear-distance.svg", to_svg(near)},
                    {"linear-samples.svg", to_svg(more)}};
  findings.claims = {
      {"5 collapsed samples (all weights, moment) are nearer to the exact law than the same 5 "
       "samples "
       "by Monte Carlo, by more than three standard errors over all dimensions",
       box.mean < -3 * std::sqrt(box.error)},
      {"so are 5 samples of half of the weights with the others integrated out (conditional)",
       conditional.mean < -3 * std::sqrt(conditional.error)}};
  return findings;
}

}  // namespace wmi::frontends
