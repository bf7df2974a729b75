// Which weights of each sample are unknown, and their posterior: from the values of the weights over
// the samples of one trajectory, or given the sampled weights of the other layers and the training
// rows (conditional_posterior and laplace_posterior of posterior.h, and hidden_posterior.h).

#include "bnn/collapse/collapse.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "bnn/collapse/hidden_posterior.h"
#include "bnn/collapse/output_law.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

const encoders::Tensor<double>& tensor(const Weights& weights, const std::string& name) {
  const auto found = weights.find(name);
  if (found == weights.end()) throw Error("a sample has no tensor '" + name + "'");
  return found->second;
}

/// A linear layer's weight and bias at a sample.
struct Layer {
  Matrix weights;
  std::vector<double> bias;
  bool has_bias = false;
};

Layer linear_layer(const Weights& weights, const std::string& name) {
  const encoders::Tensor<double>& weight = tensor(weights, name + ".weight");
  if (weight.shape.size() != 2) throw Error(name + ": the weight is no matrix");
  Layer result{Matrix(weight.shape[0], weight.shape[1]), {}, weights.contains(name + ".bias")};
  result.weights.entries = weight.entries;
  result.bias.assign(weight.shape[0], 0);
  if (result.has_bias) result.bias = tensor(weights, name + ".bias").entries;
  return result;
}

std::string entry_name(const std::string& layer, const Candidate& candidate, std::size_t inputs) {
  const std::string unit = std::to_string(candidate.unit);
  return candidate.input == inputs
             ? layer + ".bias[" + unit + "]"
             : layer + ".weight[" + unit + "," + std::to_string(candidate.input) + "]";
}

double value_of(const Layer& layer, const Candidate& candidate) {
  return candidate.input == layer.weights.columns
             ? layer.bias[candidate.unit]
             : layer.weights.at(candidate.unit, candidate.input);
}

/// All entries of some units of a layer.
std::vector<Candidate> all_entries(const Layer& layer, const std::string& name,
                                   std::span<const std::size_t> units) {
  std::vector<Candidate> result;
  const std::size_t inputs = layer.weights.columns;
  for (const std::size_t unit : units)
    for (std::size_t input = 0; input < inputs + (layer.has_bias ? 1 : 0); ++input) {
      result.push_back({unit, input, {}, "", false});
      result.back().name = entry_name(name, result.back(), inputs);
    }
  return result;
}

double variance_of(std::span<const double> values) {
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

/// Whether these are all weights of a row of so many inputs, in order, and the bias.
bool whole_row(const std::vector<Candidate>& candidates, std::size_t inputs) {
  if (candidates.size() != inputs + 1) return false;
  for (std::size_t i = 0; i <= inputs; ++i)
    if (candidates[i].input != i) return false;
  return true;
}

/// Collapses the samples of one trajectory.
class Collapser {
 public:
  Collapser(const encoders::Network& network, const Forward& forward,
            const Observation& observation, std::vector<const Weights*> samples,
            const Dataset* training, const CollapseOptions& options)
      : network_(network),
        forward_(forward),
        observation_(observation),
        samples_(std::move(samples)),
        training_(training),
        options_(options),
        head_(find_head(network)),
        partition_(parse_partition(options.partition, head_)),
        posterior_(find_posterior(posterior_name(options, network))),
        name_(hidden() ? head_.hidden : head_.output) {
    if (options.choose != "variance" && options.choose != "effect")
      throw Error("weights are chosen by variance or by effect, not by '" + options.choose + "'");
    if (hidden() && head_.hidden.empty())
      throw Error("'" + options.partition + "': what enters '" + head_.output +
                  "' is no ReLU of a linear layer; collapse 'last'");
    if (posterior_.kind == PosteriorEntry::Kind::conditional && posterior_.box && hidden())
      throw Error("posterior '" + std::string(posterior_.name) +
                  "' is one of the output's row; with '" + options.partition +
                  "' take conditional, laplace, swag, moment, minmax or triangular");
    if (partition_.layers == UnknownLayers::all) check_all();
    if (partition_.layers == UnknownLayers::second &&
        observation.kind == Observation::Kind::softmax)
      throw Error("'" + options.partition +
                  "' would make the logits dependent; collapse 'last' or 'last:K'");
    if (joint() && by_effect())
      throw Error("posterior '" + std::string(posterior_.name) +
                  "' needs the same weights at all inputs; choose them by variance");
    for (const Weights* const sample : samples_) layers_.push_back(linear_layer(*sample, name_));
  }

  std::vector<CollapsedSample> run() {
    std::vector<CollapsedSample> result;
    const std::size_t outputs = tensor(*samples_[0], head_.output + ".weight").shape[0];
    const std::size_t rows = observation_.kind == Observation::Kind::softmax ? outputs : 1;
    if (rows > outputs || (observation_.kind == Observation::Kind::heteroscedastic && outputs < 2))
      throw Error("'" + head_.output + "' has " + std::to_string(outputs) +
                  " outputs: too few for this likelihood");
    std::vector<std::vector<Candidate>> candidates;
    if (partition_.layers != UnknownLayers::none)
      for (std::size_t row = 0; row < rows; ++row) candidates.push_back(candidates_of(row));
    const std::vector<Candidate> outgoing =
        partition_.layers == UnknownLayers::all ? outgoing_entries() : std::vector<Candidate>();
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      CollapsedSample sample;
      sample.layers = partition_.layers;
      sample.layer = name_;
      sample.observation = observation_;
      if (observation_.kind == Observation::Kind::homoscedastic)
        sample.raw_variance = tensor(*samples_[i], raw_variance_name).entries.at(0);
      const Layer output = hidden() ? linear_layer(*samples_[i], head_.output) : layers_[i];
      if (hidden()) {
        sample.slope = head_.slope;
        sample.hidden_weights = layers_[i].weights;
        sample.hidden_bias = layers_[i].bias;
      }
      for (std::size_t row = 0; row < rows; ++row) {
        CollapsedSample::Row made{{output.weights.row(row).begin(), output.weights.row(row).end()},
                                  output.bias[row],
                                  {},
                                  0,
                                  {},
                                  {}};
        if (sample.layers != UnknownLayers::none) made.candidates = candidates[row];
        made.whole = whole_row(made.candidates, output.weights.columns);
        made.most = by_effect() ? partition_.most : made.candidates.size();
        made.one_unit = by_effect() && partition_.one_unit;
        if (sample.layers == UnknownLayers::all) made.outgoing = outgoing;
        sample.rows.push_back(std::move(made));
      }
      if (joint()) make_joint(sample, *samples_[i]);
      result.push_back(std::move(sample));
    }
    return result;
  }

 private:
  /// Is the posterior one of all unknown weights together?
  bool joint() const {
    return partition_.layers != UnknownLayers::none &&
           posterior_.kind != PosteriorEntry::Kind::marginal;
  }
  /// Are weights of the hidden layer unknown?
  bool hidden() const {
    return partition_.layers == UnknownLayers::second || partition_.layers == UnknownLayers::all;
  }
  bool by_effect() const { return options_.choose == "effect" && partition_.names.empty(); }

  void check_all() const {
    if (!observation_.regression())
      throw Error("'all' is for outcomes that are numbers; collapse 'last' for classes");
    if (!first_layer(network_, head_.hidden))
      throw Error("'all' is for networks of one hidden layer, and there are layers before '" +
                  head_.hidden + "'; collapse 'last' or 'second:K'");
    if (joint() || posterior_.name == "triangular")
      throw Error("'all' is for uniform weights; take the posterior moment or minmax");
  }

  /// The entries of the mean's row of the output layer, when both layers are unknown.
  std::vector<Candidate> outgoing_entries() const {
    std::vector<Layer> layers;
    for (const Weights* const sample : samples_)
      layers.push_back(linear_layer(*sample, head_.output));
    const std::vector<std::size_t> units{0};
    std::vector<Candidate> result = all_entries(layers[0], head_.output, units);
    for (Candidate& candidate : result) {
      std::vector<double> values;
      values.reserve(layers.size());
      for (const Layer& layer : layers) values.push_back(value_of(layer, candidate));
      candidate.marginal = posterior_.marginal(values, options_.options);
    }
    return result;
  }

  bool keeps(const Candidate& candidate) const {
    return partition_.bias && candidate.input == layers_[0].weights.columns;
  }

  std::vector<double> values(const Candidate& candidate) const {
    std::vector<double> result;
    for (const Layer& layer : layers_) result.push_back(value_of(layer, candidate));
    return result;
  }

  std::vector<Candidate> candidates_of(std::size_t row) const {
    std::vector<std::size_t> units{row};
    if (hidden()) {
      units.resize(layers_[0].weights.rows());
      std::iota(units.begin(), units.end(), std::size_t{0});
    }
    std::vector<Candidate> result = all_entries(layers_[0], name_, units);
    for (Candidate& candidate : result) candidate.always = keeps(candidate);
    if (!partition_.names.empty()) {
      result = named(result);
    } else if (!by_effect() && partition_.most < result.size()) {
      std::vector<double> variances;
      variances.reserve(result.size());
      for (const Candidate& candidate : result)
        variances.push_back(candidate.always && !partition_.one_unit
                                ? std::numeric_limits<double>::infinity()
                                : variance_of(values(candidate)));
      std::vector<Candidate> kept;
      for (const std::size_t i : partition_.one_unit
                                     ? largest_of_one_unit(result, variances, partition_.most)
                                     : largest(variances, partition_.most))
        kept.push_back(result[i]);
      result = std::move(kept);
    }
    if (joint() && hidden()) check_few_units(result);
    if (!joint())
      for (Candidate& candidate : result)
        candidate.marginal = posterior_.marginal(values(candidate), options_.options);
    return result;
  }

  void check_few_units(const std::vector<Candidate>& candidates) const {
    std::set<std::size_t> units;
    for (const Candidate& candidate : candidates) units.insert(candidate.unit);
    if (units.size() > most_joint_units)
      throw Error("'" + options_.partition + "' has weights of " + std::to_string(units.size()) +
                  " hidden units, and the posterior '" + std::string(posterior_.name) +
                  "' can be one of " + std::to_string(most_joint_units) +
                  "; take fewer weights, 'second:K+bias' for one unit, or the posterior moment");
  }

  std::vector<Candidate> named(const std::vector<Candidate>& all) const {
    std::vector<Candidate> result;
    for (const std::string& name : partition_.names) {
      const auto found = std::ranges::find(all, name, &Candidate::name);
      if (found == all.end())
        throw Error("'" + name + "' cannot be collapsed: " +
                    (partition_.layers == UnknownLayers::last && observation_.regression()
                         ? "only row 0 of '" + name_ + "', the mean, can; its entries are "
                         : "the entries of '" + name_ + "' are ") +
                    all.front().name + " ... " + all.back().name);
      if (std::ranges::find(result, name, &Candidate::name) != result.end())
        throw Error("'" + name + "' is named twice");
      result.push_back(*found);
    }
    return result;
  }

  void make_joint(CollapsedSample& sample, const Weights& weights) const {
    if (posterior_.kind == PosteriorEntry::Kind::samples) {
      for (CollapsedSample::Row& row : sample.rows) row.joint = of_samples(row.candidates);
      return;
    }
    if (!training_)
      throw Error("posterior '" + std::string(posterior_.name) +
                  "' needs the training rows, which the run does not have; take moment or minmax");
    if (hidden())
      condition_hidden(sample, weights);
    else
      condition(sample, weights);
  }

  JointGaussian of_samples(const std::vector<Candidate>& candidates) const {
    Matrix rows(layers_.size(), candidates.size());
    for (std::size_t i = 0; i < layers_.size(); ++i)
      for (std::size_t c = 0; c < candidates.size(); ++c)
        rows.at(i, c) = value_of(layers_[i], candidates[c]);
    return swag_posterior(rows, options_.options);
  }

  /// The variance of the outcome of a training row, which counts by its weight.
  double variance_at(const CollapsedSample& sample, const Activations& found, std::size_t i) const {
    const double raw = observation_.kind == Observation::Kind::heteroscedastic
                           ? found.outputs.at(i, 1)
                           : sample.raw_variance;
    const double usual = variance(observation_, raw);
    const double error = training_->targets[i] - found.outputs.at(i, 0);
    return usual / (precision(observation_.tails, error * error / usual) * training_->weight(i));
  }

  void condition_hidden(CollapsedSample& sample, const Weights& weights) const {
    CollapsedSample::Row& row = sample.rows[0];
    const Activations found = forward_(network_, weights, training_->inputs, name_);
    const std::size_t inputs = found.entering.columns, count = training_->rows();
    std::vector<std::size_t> units;
    for (const Candidate& candidate : row.candidates)
      if (std::ranges::find(units, candidate.unit) == units.end()) units.push_back(candidate.unit);
    HiddenRows rows;
    rows.before = Matrix(count, units.size());
    rows.multipliers = Matrix(count, row.candidates.size());
    rows.slope = sample.slope.get_d();
    rows.targets = training_->targets;
    rows.classes = !observation_.regression();
    for (const std::size_t unit : units) rows.factors.push_back(row.weights[unit]);
    std::vector<double> start;
    for (const Candidate& candidate : row.candidates) {
      rows.unit_of.push_back(
          static_cast<std::size_t>(std::ranges::find(units, candidate.unit) - units.begin()));
      start.push_back(candidate.input == inputs
                          ? sample.hidden_bias[candidate.unit]
                          : sample.hidden_weights.at(candidate.unit, candidate.input));
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<const double> entering = found.entering.row(i);
      rows.scales.push_back(rows.classes ? training_->weight(i)
                                         : 1 / variance_at(sample, found, i));
      rows.rest.push_back(found.outputs.at(i, 0));
      for (std::size_t u = 0; u < units.size(); ++u) {
        double before = sample.hidden_bias[units[u]];
        for (std::size_t j = 0; j < inputs; ++j)
          before += sample.hidden_weights.at(units[u], j) * entering[j];
        rows.rest.back() -= rows.factors[u] * std::max(before, rows.slope * before);
        rows.before.at(i, u) = before;
      }
      for (std::size_t c = 0; c < row.candidates.size(); ++c) {
        const std::size_t input = row.candidates[c].input;
        rows.multipliers.at(i, c) = input == inputs ? 1 : entering[input];
        rows.before.at(i, rows.unit_of[c]) -= start[c] * rows.multipliers.at(i, c);
      }
    }
    row.joint = hidden_posterior(
        rows, start,
        posterior_.kind == PosteriorEntry::Kind::laplace ? Patterns::own : Patterns::of_start,
        options_.options);
  }

  void condition(CollapsedSample& sample, const Weights& weights) const {
    const Activations found = forward_(network_, weights, training_->inputs, head_.output);
    const std::size_t inputs = found.entering.columns;
    if (observation_.regression()) {
      CollapsedSample::Row& row = sample.rows[0];
      std::vector<double> targets = training_->targets, variances, sampled;
      std::vector<bool> unknown(inputs + 1);
      for (const Candidate& candidate : row.candidates) {
        unknown[candidate.input] = true;
        sampled.push_back(candidate.input == inputs ? row.bias : row.weights[candidate.input]);
      }
      Matrix features(training_->rows(), row.candidates.size());
      for (std::size_t i = 0; i < training_->rows(); ++i) {
        // Given the scales of the noise at the rows, which the sample's own errors suggest, the
        // posterior is normal whatever the tails are (one step of expectation maximisation).
        variances.push_back(variance_at(sample, found, i));
        for (std::size_t j = 0; j < inputs; ++j)
          if (!unknown[j]) targets[i] -= row.weights[j] * found.entering.at(i, j);
        if (!unknown[inputs]) targets[i] -= row.bias;
        for (std::size_t j = 0; j < row.candidates.size(); ++j)
          features.at(i, j) =
              row.candidates[j].input == inputs ? 1 : found.entering.at(i, row.candidates[j].input);
      }
      row.joint = conditional_posterior(features, targets, variances, sampled, options_.options);
      if (posterior_.box) row.basis = symmetric_eigen(row.joint.covariance);
      return;
    }
    if (partition_.most != SIZE_MAX || !partition_.names.empty())
      throw Error("posterior '" + std::string(posterior_.name) +
                  "' of logits is one of whole rows; collapse 'last'");
    const std::size_t columns = sample.rows[0].candidates.size();
    Matrix features(training_->rows(), columns), start(sample.rows.size(), columns);
    for (std::size_t i = 0; i < features.rows(); ++i)
      for (std::size_t j = 0; j < columns; ++j)
        features.at(i, j) = j == inputs ? 1 : found.entering.at(i, j);
    for (std::size_t k = 0; k < start.rows(); ++k)
      for (std::size_t j = 0; j < columns; ++j)
        start.at(k, j) = j == inputs ? sample.rows[k].bias : sample.rows[k].weights[j];
    std::vector<JointGaussian> found_rows = laplace_posterior(features, training_->targets, start,
                                                              options_.options, training_->weights);
    for (std::size_t k = 0; k < found_rows.size(); ++k) {
      sample.rows[k].joint = std::move(found_rows[k]);
      if (posterior_.box) sample.rows[k].basis = symmetric_eigen(sample.rows[k].joint.covariance);
    }
  }

  const encoders::Network& network_;
  const Forward& forward_;
  const Observation& observation_;
  std::vector<const Weights*> samples_;
  const Dataset* training_;
  const CollapseOptions& options_;
  Head head_;
  Partition partition_;
  const PosteriorEntry& posterior_;
  std::string name_;
  std::vector<Layer> layers_;
};

}  // namespace

std::string posterior_name(const CollapseOptions& options, const encoders::Network& network) {
  if (!options.posterior.empty()) return options.posterior;
  const Head head = find_head(network);
  const UnknownLayers layers = parse_partition(options.partition, head).layers;
  return layers == UnknownLayers::second || layers == UnknownLayers::all ||
                 options.choose == "effect"
             ? "moment"
             : "conditional";
}

std::vector<CollapsedSample> collapse(const encoders::Network& network, const Forward& forward,
                                      const Observation& observation,
                                      std::span<const Weights> samples,
                                      std::span<const std::size_t> trajectories,
                                      const Dataset* training, const CollapseOptions& options) {
  if (samples.empty()) throw Error("there are no samples of weights");
  std::map<std::size_t, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < samples.size(); ++i)
    groups[trajectories.empty() ? 0 : trajectories[i]].push_back(i);
  std::vector<CollapsedSample> result(samples.size());
  for (const auto& [trajectory, members] : groups) {
    std::vector<const Weights*> group;
    for (const std::size_t i : members) group.push_back(&samples[i]);
    std::vector<CollapsedSample> made =
        Collapser(network, forward, observation, std::move(group), training, options).run();
    for (std::size_t i = 0; i < members.size(); ++i) result[members[i]] = std::move(made[i]);
  }
  return result;
}

std::vector<std::string> assumptions(const CollapseOptions& options,
                                     const encoders::Network& network, bool exact_forward) {
  std::vector<std::string> result;
  const Head head = find_head(network);
  const Partition partition = parse_partition(options.partition, head);
  if (!exact_forward)
    result.emplace_back(partition.layers == UnknownLayers::none
                            ? "outputs: 32-bit forward pass, taken as the numbers they are"
                            : "activations: 32-bit forward pass, taken as the numbers they are");
  if (partition.layers == UnknownLayers::none) {
    result.emplace_back("posterior: the samples alone");
    return result;
  }
  result.push_back("posterior of " + options.partition + ": " + posterior_name(options, network) +
                   ", its numbers rounded to doubles");
  result.emplace_back(partition.layers == UnknownLayers::second ||
                              partition.layers == UnknownLayers::all
                          ? "variance of the outcome: at the sample, not at the unknown weights"
                          : "variance of the outcome: at the sample, rounded to a double");
  return result;
}

}  // namespace wmi::bnn
