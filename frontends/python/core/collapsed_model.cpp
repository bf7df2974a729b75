// The network that is collapsed here is only the last layer of one that torch runs in Python: the
// features that enter it are the inputs, another matrix for each sample.

#include "frontends/python/core/collapsed_model.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "bnn/numeric/parallel.h"
#include "bnn/predictive/classes.h"
#include "solver/terms/error.h"

namespace wmi::python {
namespace {

bool all_finite(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

std::string of_sample(std::size_t sample) { return "sample " + std::to_string(sample) + ": "; }

/// How many rows of a table of so many columns these entries are. There may be no columns.
std::size_t rows_of(const std::vector<bnn::Activations>& activations) {
  return activations.empty() ? 0 : activations[0].outputs.rows();
}

void check_sample(const HeadSample& sample, const HeadSample& first, std::size_t targets,
                  std::size_t index) {
  const std::size_t outputs = sample.weight.rows(), features = sample.weight.columns;
  if (outputs == 0 || outputs != first.weight.rows() || features != first.weight.columns ||
      sample.bias.size() != first.bias.size() ||
      (!sample.bias.empty() && sample.bias.size() != outputs))
    throw Error(of_sample(index) + "the shape of the last layer is not that of the first sample");
  const bnn::Activations& training = sample.training;
  if (training.entering.columns != features || training.outputs.columns != outputs ||
      training.entering.rows() != targets || training.outputs.rows() != targets)
    throw Error(of_sample(index) + "features and outputs do not fit the last layer and " +
                std::to_string(targets) + " targets");
  if (!all_finite(sample.weight.entries) || !all_finite(sample.bias) ||
      !std::isfinite(sample.raw_variance) || !all_finite(training.entering.entries) ||
      !all_finite(training.outputs.entries))
    throw Error(of_sample(index) + "weights, features or outputs are not finite");
}

bnn::Weights weights_of(const HeadSample& sample, const std::string& head) {
  bnn::Weights result;
  result[head + ".weight"] = {{sample.weight.rows(), sample.weight.columns}, sample.weight.entries};
  if (!sample.bias.empty()) result[head + ".bias"] = {{sample.bias.size()}, sample.bias};
  result[bnn::raw_variance_name] = {{1}, {sample.raw_variance}};
  return result;
}

}  // namespace

void for_rows(std::size_t rows, unsigned threads, const std::stop_token& stop,
              const std::function<void(std::size_t row)>& work) {
  bnn::in_parallel(rows, threads, [&](std::size_t row) {
    if (stop.stop_requested()) throw Stopped();
    work(row);
  });
}

std::shared_ptr<CollapsedModel> collapse_head(const std::string& head,
                                              const bnn::Observation& observation,
                                              const std::vector<HeadSample>& samples,
                                              const std::vector<std::size_t>& trajectories,
                                              const std::vector<double>& targets,
                                              const bnn::CollapseOptions& options,
                                              const std::stop_token& stop) {
  if (samples.empty()) throw Error("there are no samples of the weights");
  if (targets.empty()) throw Error("there are no training rows");
  if (!all_finite(targets)) throw Error("a target is not finite");
  if (!trajectories.empty() && trajectories.size() != samples.size())
    throw Error("there are " + std::to_string(samples.size()) +
                " samples, and the trajectories of " + std::to_string(trajectories.size()));
  const std::size_t classes =
      observation.kind == bnn::Observation::Kind::sigmoid ? 2 : samples[0].weight.rows();
  if (!observation.regression() && !std::ranges::all_of(targets, [&](double target) {
        return target >= 0 && target < static_cast<double>(classes) && target == std::floor(target);
      }))
    throw Error("a class is its number, from 0 to " + std::to_string(classes - 1));
  std::vector<bnn::Weights> weights;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    check_sample(samples[i], samples[0], targets.size(), i);
    weights.push_back(weights_of(samples[i], head));
  }
  const encoders::Network network{
      {samples[0].weight.columns}, {{head, encoders::Linear{}, {"input"}}}, {head}, {}};
  const bnn::Forward recorded = [&](const encoders::Network&, const bnn::Weights& sample,
                                    const bnn::Matrix&, const std::string&) {
    if (stop.stop_requested()) throw Stopped();
    const auto found =
        std::ranges::find_if(weights, [&](const bnn::Weights& one) { return &one == &sample; });
    return samples[static_cast<std::size_t>(found - weights.begin())].training;
  };
  bnn::Dataset training;
  training.targets = targets;
  return std::make_shared<CollapsedModel>(CollapsedModel{
      bnn::collapse(network, recorded, observation, weights, trajectories, &training, options)});
}

void check_activations(const CollapsedModel& model,
                       const std::vector<bnn::Activations>& activations) {
  if (activations.size() != model.samples.size())
    throw Error("there are activations of " + std::to_string(activations.size()) +
                " samples, and the model has " + std::to_string(model.samples.size()));
  for (std::size_t i = 0; i < activations.size(); ++i) {
    const bnn::Activations& one = activations[i];
    const bnn::CollapsedSample& sample = model.samples[i];
    const std::size_t outputs =
        sample.observation.kind == bnn::Observation::Kind::heteroscedastic ? 2 : sample.rows.size();
    if (one.entering.columns != sample.rows[0].weights.size() || one.outputs.columns < outputs ||
        one.entering.rows() != one.outputs.rows() || one.outputs.rows() != rows_of(activations))
      throw Error(of_sample(i) + "features and outputs do not fit the model");
    if (!all_finite(one.entering.entries) || !all_finite(one.outputs.entries))
      throw Error(of_sample(i) + "features or outputs are not finite");
  }
}

std::vector<bnn::Predictive> outcome_laws(const CollapsedModel& model,
                                          const std::vector<bnn::Activations>& activations,
                                          unsigned threads, const std::stop_token& stop) {
  std::vector<std::optional<bnn::Predictive>> laws(rows_of(activations));
  for_rows(laws.size(), threads, stop, [&](std::size_t row) {
    std::vector<bnn::OutputLaw<double>> outputs;
    for (std::vector<bnn::OutputLaw<double>>& sample :
         bnn::output_laws_at(model.samples, activations, row))
      outputs.push_back(std::move(sample[0]));
    // The square of a larger deviation, a variance, overflows.
    constexpr double largest_noise = 1e150;
    for (const bnn::OutputLaw<double>& output : outputs)
      if (!(output.noise > 0 && output.noise <= largest_noise))
        throw Error("row " + std::to_string(row) +
                    ": the variance of the outcome is 0 or overflows");
    laws[row].emplace(outputs, bnn::PredictiveOptions{}, bnn::Standardisation{});
  });
  std::vector<bnn::Predictive> result;
  result.reserve(laws.size());
  for (std::optional<bnn::Predictive>& law : laws) result.push_back(std::move(*law));
  return result;
}

bnn::Matrix class_probabilities(const CollapsedModel& model,
                                const std::vector<bnn::Activations>& activations, unsigned threads,
                                const std::stop_token& stop) {
  const bnn::Observation& observation = model.samples[0].observation;
  const std::size_t classes =
      observation.kind == bnn::Observation::Kind::sigmoid ? 2 : model.samples[0].rows.size();
  bnn::Matrix result(rows_of(activations), classes);
  for_rows(result.rows(), threads, stop, [&](std::size_t row) {
    const std::vector<double> found =
        bnn::class_probabilities(bnn::output_laws_at(model.samples, activations, row), observation);
    std::ranges::copy(found, result.row(row).begin());
  });
  return result;
}

std::vector<std::vector<bnn::OutputLaw<Rational>>> exact_laws(
    const CollapsedModel& model, const std::vector<bnn::Activations>& activations,
    std::size_t row) {
  const auto exact = [](std::span<const double> numbers) {
    return std::vector<Rational>(numbers.begin(), numbers.end());
  };
  std::vector<std::vector<bnn::OutputLaw<Rational>>> result;
  for (std::size_t i = 0; i < model.samples.size(); ++i) {
    const std::vector<Rational> entering = exact(activations[i].entering.row(row));
    const std::vector<Rational> outputs = exact(activations[i].outputs.row(row));
    result.push_back(bnn::output_laws(model.samples[i], std::span<const Rational>(entering),
                                      std::span<const Rational>(outputs)));
  }
  return result;
}

}  // namespace wmi::python
