// A ResNet-20 for images, trained on from pretrained weights: averages of its checkpoints, and
// checkpoints whose last layer is collapsed.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "bnn/collapse/collapse.h"
#include "bnn/collapse/float_forward.h"
#include "bnn/data/calibration.h"
#include "bnn/data/metrics.h"
#include "bnn/numeric/linear_algebra.h"
#include "bnn/numeric/parallel.h"
#include "bnn/numeric/random.h"
#include "bnn/training/mlp.h"
#include "bnn/training/model.h"
#include "bnn/training/sampler.h"
#include "frontends/learning/experiments/class_tables.h"
#include "frontends/learning/experiments/experiment.h"
#include "frontends/learning/experiments/figure_table.h"
#include "frontends/learning/experiments/resnet20_workspace.h"
#include "frontends/learning/pictures.h"
#include "frontends/plots/chart.h"

namespace wmi::frontends {
namespace {

Resnet20Extent extent(bool quick) {
  if (quick) return {4, 100, 250, 125, 100, 100, 200, 2, 100};
  return {};
}

/// The expected calibration error with the paper's number of bins.
bnn::Metric calibration_error_20() {
  constexpr std::size_t bins = 20;
  bnn::Metric result = bnn::find_metric("ece");
  result.bins = bins;
  result.term = [](const bnn::Forecast& forecast, double outcome) {
    const std::size_t best = bnn::likeliest(forecast);
    const double probability = forecast.probabilities[best];
    return bnn::Metric::Term{bnn::confidence_bin(probability, bins), probability,
                             static_cast<double>(best) == outcome ? 1.0 : 0.0};
  };
  return result;
}

/// The forecasts of one method for the test images.
struct MethodForecasts {
  std::string name;
  std::vector<bnn::Forecast> forecasts;
  bool sums_to_one = true;
};

/// What all methods forecast from the same checkpoints.
struct Comparison {
  std::vector<MethodForecasts> methods;
  // Places of some methods in the list; the last checkpoint is the second.
  std::size_t monte_carlo = 0, conditional = 0, few_monte_carlo = 0, few_conditional = 0;

  std::vector<bnn::Forecast> verified;         // the pretrained network, on all test images
  std::vector<double> losses;                  // before each checkpoint
  std::vector<ClassTable> plain_tables;        // of each checkpoint
  std::vector<ClassTable> conditional_tables;  // with its last layer collapsed
};

/// Computes the comparison step by step.
class ComparisonRun {
 public:
  ComparisonRun(const Conditions& conditions, const Resnet20Extent& extent, Resnet20Workspace& work)
      : conditions_(conditions), extent_(extent), work_(work) {}

  Comparison run() {
    Comparison result;
    std::vector<ClassTable> start{
        plain_table(work_.sample("pretrained", work_.pretrained(), false, 0, extent_.verified))};
    const Resnet20Workspace::Trajectory trajectory = work_.train();
    result.losses = trajectory.losses;
    for (std::size_t i = 0; i < extent_.checkpoints; ++i)
      checkpoints_.push_back(work_.sample(fmt::format("checkpoint_{:02}", i + 1),
                                          trajectory.checkpoints[i], true, extent_.given,
                                          extent_.test));
    for (const HeadSample& sample : checkpoints_) layers_.push_back(sample.layer);
    std::map<std::string, std::vector<ClassTable>> drawn = draw_all_weights(trajectory);

    const std::vector<bnn::CollapsedSample> gaussian = conditional_posteriors();
    for (const HeadSample& sample : checkpoints_)
      result.plain_tables.push_back(plain_table(sample));
    const std::vector<bnn::CollapsedSample> minmax = collapse("last", "variance", "minmax");
    result.conditional_tables = tables(gaussian, "whole layer, conditional");
    result.verified = average(start);
    start[0].resize(extent_.test * cifar10_classes);

    const auto add = [&](const std::string& name, std::span<const ClassTable> from,
                         bool sums = true) {
      result.methods.push_back({name, average(from), sums});
      return result.methods.size() - 1;
    };
    const std::size_t few = extent_.few;
    add("pretrained network", start);
    add("SGD: the last checkpoint", std::span(result.plain_tables).last(1));
    add("SWA", drawn["swa"]);
    result.monte_carlo =
        add(fmt::format("MC: {} checkpoints", extent_.checkpoints), result.plain_tables);
    add(fmt::format("SWAG: {} draws", extent_.checkpoints), drawn["swag"]);
    add("one weight a class, minmax, the authors' formula", tables(minmax, "one weight", true),
        false);
    add("one weight a class, minmax, joint softmax",
        tables(collapse("last:1", "effect", "minmax"), "one weight, joint"));
    add("whole layer, minmax", tables(minmax, "whole layer, minmax"));
    add("whole layer, moment",
        tables(collapse("last", "variance", "moment"), "whole layer, moment"));
    result.conditional = add("whole layer, conditional (Laplace)", result.conditional_tables);
    result.few_monte_carlo =
        add(fmt::format("MC: {} checkpoints", few), evenly(result.plain_tables, few));
    result.few_conditional = add(fmt::format("{} checkpoints, conditional", few),
                                 evenly(result.conditional_tables, few));
    add(fmt::format("{} checkpoints, conditional, as boxes", few), box_tables(gaussian));
    return result;
  }

 private:
  /// Tables of SWA and of SWAG's draws, which are of all weights. These samplers need the
  /// trajectory alone, neither network nor rows.
  std::map<std::string, std::vector<ClassTable>> draw_all_weights(
      const Resnet20Workspace::Trajectory& trajectory) {
    const std::vector<std::vector<bnn::Weights>> trajectories{trajectory.checkpoints};
    const bnn::Dataset nothing;
    const bnn::SamplerInput input{head_, bnn::make_model, softmax_observation, nothing,
                                  trajectories};
    bnn::SamplerOptions sampling;
    sampling.count = extent_.checkpoints;
    std::map<std::string, std::vector<ClassTable>> result;
    for (const std::string name : {"swa", "swag"}) {
      const auto samples =
          bnn::find_sampler(name).draw(input, sampling, bnn::mixed(conditions_.seed, 2000)).samples;
      for (std::size_t i = 0; i < samples.size(); ++i)
        result[name].push_back(plain_table(
            work_.sample(fmt::format("{}_{:02}", name, i + 1), samples[i], true, 0, extent_.test)));
    }
    return result;
  }

  std::vector<bnn::CollapsedSample> collapse(const char* partition, const char* choose,
                                             const char* posterior) const {
    bnn::CollapseOptions options;
    options.partition = partition;
    options.choose = choose;
    options.posterior = posterior;
    return bnn::collapse(head_, bnn::float_forward, softmax_observation, layers_, {}, nullptr,
                         options);
  }

  /// The conditional posterior of each checkpoint's last layer, given its own features.
  std::vector<bnn::CollapsedSample> conditional_posteriors() const {
    std::vector<bnn::CollapsedSample> result(extent_.checkpoints);
    bnn::in_parallel(extent_.checkpoints, conditions_.threads, [&](std::size_t i) {
      conditions_.report("posterior of the last layer", 0.9);
      const auto& names = work_.training().classes;
      const bnn::Dataset rows{
          checkpoints_[i].training,
          {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(extent_.given)}};
      bnn::CollapseOptions options;
      options.partition = "last";
      options.posterior = "conditional";
      // The images given stand for all training images: both factors divide the precision.
      const double part =
          static_cast<double>(extent_.given) / static_cast<double>(extent_.training);
      options.options.lambda *= part;
      options.options.temperature *= part;
      result[i] = bnn::collapse(head_, bnn::float_forward, softmax_observation,
                                std::span(&layers_[i], 1), {}, &rows, options)
                      .at(0);
    });
    return result;
  }

  std::vector<ClassTable> tables(std::span<const bnn::CollapsedSample> collapsed, const char* what,
                                 bool authors = false) {
    std::vector<ClassTable> result;
    for (std::size_t i = 0; i < extent_.checkpoints; ++i) {
      conditions_.report(what, share_);
      result.push_back(
          collapsed_table(checkpoints_[i], collapsed[i], authors, conditions_.threads));
    }
    share_ += 0.01;
    return result;
  }

  /// The conditional posteriors of few checkpoints, as boxes.
  std::vector<ClassTable> box_tables(std::span<const bnn::CollapsedSample> gaussian) const {
    std::vector<ClassTable> result;
    for (std::size_t i = 1; i <= extent_.few; ++i) {
      const std::size_t number = i * extent_.checkpoints / extent_.few - 1;
      bnn::CollapsedSample sample = gaussian[number];
      for (bnn::CollapsedSample::Row& row : sample.rows)
        row.basis = bnn::symmetric_eigen(row.joint.covariance);
      conditions_.report("whole layer, conditional, as boxes", share_);
      result.push_back(collapsed_table(checkpoints_[number], sample, false, conditions_.threads));
    }
    return result;
  }

  const Conditions& conditions_;
  const Resnet20Extent& extent_;
  Resnet20Workspace& work_;
  const encoders::Network head_ = bnn::mlp(resnet20_features, {}, cifar10_classes);
  std::vector<HeadSample> checkpoints_;
  std::vector<bnn::Weights> layers_;  // of the checkpoints
  double share_ = 0.91;               // of the work that is done, for progress
};

/// Scores against the number of checkpoints.
Chart progress_chart(std::span<const ClassTable> plain_tables,
                     std::span<const ClassTable> conditional, std::span<const double> outcomes,
                     double pretrained) {
  const bnn::Metric& nll = bnn::find_metric("nll");
  Mark each{Mark::Kind::dots, Hue::grey, "each checkpoint"};
  Mark plain_mean{Mark::Kind::line, Hue::orange, "average of the first"};
  Mark collapsed_mean{Mark::Kind::line, Hue::blue, "... last layer collapsed"};
  Mark start{Mark::Kind::dashes, Hue::green, "pretrained"};
  for (std::size_t i = 0; i < plain_tables.size(); ++i) {
    const auto x = static_cast<double>(i + 1);
    for (Mark* const mark : {&each, &plain_mean, &collapsed_mean, &start}) mark->x.push_back(x);
    each.y.push_back(bnn::score(nll, average(plain_tables.subspan(i, 1)), outcomes));
    plain_mean.y.push_back(bnn::score(nll, average(plain_tables.first(i + 1)), outcomes));
    collapsed_mean.y.push_back(bnn::score(nll, average(conditional.first(i + 1)), outcomes));
    start.y.push_back(pretrained);
  }
  return {.title = "Checkpoints of a ResNet-20, and their averages",
          .panels = {{.across = "checkpoints",
                      .up = "negative log likelihood, test images",
                      .marks = {start, each, plain_mean, collapsed_mean}}}};
}

/// The reliability of two methods side by side.
Chart reliability_chart(const MethodForecasts& first, const MethodForecasts& second,
                        std::span<const double> outcomes) {
  Chart result = reliability_picture(first.forecasts, outcomes);
  result.panels[0].title = first.name;
  Chart other = reliability_picture(second.forecasts, outcomes);
  result.panels.push_back(other.panels.at(0));
  result.panels[1].title = second.name;
  result.same_scale = true;
  return result;
}

/// The scores of all methods.
FigureTable method_table(const Comparison& comparison, std::span<const double> outcomes) {
  FigureTable table({"method", "NLL", "NLL minus MC's", "accuracy", "ECE (20 bins)", "Brier"});
  table.add({"paper: CIBER, VGG-16 (another network, all training images)", ".1927", "", ".9364",
             ".0130", ""});
  const bnn::Metric nll = bnn::find_metric("nll");
  const auto& reference = comparison.methods[comparison.monte_carlo].forecasts;
  for (std::size_t i = 0; i < comparison.methods.size(); ++i) {
    const auto& forecasts = comparison.methods[i].forecasts;
    table.add({comparison.methods[i].name, with_interval(bnn::estimate(nll, forecasts, outcomes)),
               i == comparison.monte_carlo
                   ? ""
                   : with_interval(bnn::paired_difference(nll, forecasts, reference, outcomes)),
               with_interval(bnn::estimate(bnn::find_metric("accuracy"), forecasts, outcomes)),
               with_interval(bnn::estimate(calibration_error_20(), forecasts, outcomes)),
               with_interval(bnn::estimate(bnn::find_metric("brier"), forecasts, outcomes))});
  }
  return table;
}

/// The losses and scores of each checkpoint.
FigureTable checkpoint_table(const Comparison& comparison, std::span<const double> outcomes) {
  FigureTable table({"checkpoint", "training loss", "test NLL", "test accuracy"});
  for (std::size_t i = 0; i < comparison.plain_tables.size(); ++i) {
    const std::vector<bnn::Forecast> one =
        average(std::span(comparison.plain_tables).subspan(i, 1));
    const auto score = [&](const char* name, int places) {
      return figure(bnn::score(bnn::find_metric(name), one, outcomes), places);
    };
    table.add({std::to_string(i + 1), figure(comparison.losses[i], 5), score("nll", 5),
               score("accuracy", 4)});
  }
  return table;
}

double mean_nll(std::span<const ClassTable> tables, std::span<const double> outcomes) {
  double result = 0;
  for (std::size_t i = 0; i < tables.size(); ++i)
    result += bnn::score(bnn::find_metric("nll"), average(tables.subspan(i, 1)), outcomes) /
              static_cast<double>(tables.size());
  return result;
}

/// Sums of probabilities over the classes.
struct Sums {
  double worst_error = 0;   // the largest distance from 1, of joint probabilities
  double authors_mean = 0;  // of the authors' formula
};

Sums sums(const Comparison& comparison) {
  Sums result;
  for (const MethodForecasts& method : comparison.methods)
    for (const bnn::Forecast& each : method.forecasts) {
      const double sum = std::accumulate(each.probabilities.begin(), each.probabilities.end(), 0.0);
      if (method.sums_to_one)
        result.worst_error = std::max(result.worst_error, std::abs(sum - 1));
      else
        result.authors_mean += sum / static_cast<double>(method.forecasts.size());
    }
  return result;
}

}  // namespace

Findings run_cifar10_resnet20(const Conditions& conditions) {
  const Resnet20Extent how = extent(conditions.quick);
  conditions.report("images", 0);
  Resnet20Workspace work(conditions, how);
  const std::vector<double>& all_outcomes = work.test().classes;
  const std::span<const double> outcomes(all_outcomes.data(), how.test);
  const Comparison comparison = ComparisonRun(conditions, how, work).run();

  conditions.report("scores", 0.98);
  const FigureTable table = method_table(comparison, outcomes);
  const Sums probability_sums = sums(comparison);
  const auto nll = [&](std::size_t method) {
    return bnn::score(bnn::find_metric("nll"), comparison.methods[method].forecasts, outcomes);
  };
  const auto stated = [&](const char* name) {
    return bnn::score(bnn::find_metric(name), comparison.verified, all_outcomes);
  };

  Findings findings;
  const bnn::ResidualRecipe& recipe = work.recipe();
  findings.text = fmt::format(
      "A substitute for the paper's networks, labelled as such: they trained VGG-16 and others on "
      "all 50 000 images for 300 epochs; here a ResNet-20 that others trained (on those 50 000) is "
      "trained on with the {} images of one batch, cut out with a margin of 4 pixels and mirrored "
      "at random, by SGD at the constant rate {} (momentum {}, weight decay {}, batches of {}). A "
      "checkpoint every {} images, {} of them. These were fixed beforehand: the rate is the "
      "one that SWAG was published with, and the decay that of the pretraining. Held-out "
      "training images could not have chosen better: the pretrained network has seen them all. "
      "Every set of weights, checkpoints, averages and draws alike, has its own statistics of "
      "BatchNorm, computed on the same {} training images. The laws of the last layer are given {} "
      "training images, each of which stands for {} (lambda .3, temperature 1, as everywhere). "
      "Scores on {} test images, "
      "with 95 % bootstrap intervals: those after the first {} of the file, whose scores had been "
      "seen in trials while this was written. No score of an image that counts here chose "
      "anything.\n\n{}\n"
      "Before any training, the network has accuracy {} and NLL {} on {} test images; stated are "
      ".9173 and .37266 on 10 000. The authors' formula gives probabilities that do not sum "
      "to 1: to {} on average; its scores are those of the numbers as they are. All other lines "
      "are joint probabilities of sum 1.\n\n"
      "The mean training loss before the first checkpoint was {}, before the last {}; the network "
      "had "
      "seen all these images before. Trained on with a fifth of its images at this rate it loses "
      "accuracy, and what averages win is measured from there.\n\n"
      "![Checkpoints and averages](cifar10-resnet20.svg)\n\n"
      "![Reliability](cifar10-resnet20-reliability.svg)\n",
      how.training, recipe.rate, recipe.momentum, recipe.weight_decay, recipe.batch, how.step,
      how.checkpoints, how.statistics, how.given, how.training / how.given, how.test, how.shown,
      table.markdown(), figure(stated("accuracy"), 4), figure(stated("nll"), 5), how.verified,
      figure(probability_sums.authors_mean, 4), figure(comparison.losses.front(), 4),
      figure(comparison.losses.back(), 4));
  findings.files = {
      {"cifar10-resnet20.csv", table.csv()},
      {"cifar10-resnet20-checkpoints.csv", checkpoint_table(comparison, outcomes).csv()},
      {"cifar10-resnet20.svg",
       to_svg(progress_chart(comparison.plain_tables, comparison.conditional_tables, outcomes,
                             nll(0)))},
      {"cifar10-resnet20-reliability.svg",
       to_svg(reliability_chart(comparison.methods[comparison.monte_carlo],
                                comparison.methods[comparison.conditional], outcomes))}};
  findings.claims = {
      {"joint probabilities of the classes sum to 1", probability_sums.worst_error < 1e-9},
      {"the average of the checkpoints has a smaller NLL than these have on average",
       nll(comparison.monte_carlo) < mean_nll(comparison.plain_tables, outcomes)}};
  if (conditions.quick)
    findings.claims.push_back({"the pretrained network is right on more than 85 % of the images",
                               stated("accuracy") > 0.85});
  else
    findings.claims.push_back(
        {"the pretrained network has the accuracy and the NLL that its source states",
         std::abs(stated("accuracy") - 0.9173) < 1.5e-4 &&
             std::abs(stated("nll") - 0.37266) < 1.5e-5});
  findings.claims.push_back({"the average of the checkpoints has a smaller NLL than the last one",
                             nll(comparison.monte_carlo) < nll(1), false});
  findings.claims.push_back(
      {fmt::format(
           "{} checkpoints with a collapsed last layer have a smaller NLL than {} plain ones",
           how.few, how.few),
       nll(comparison.few_conditional) < nll(comparison.few_monte_carlo), false});
  return findings;
}

}  // namespace wmi::frontends
