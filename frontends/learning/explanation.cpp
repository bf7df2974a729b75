#include "frontends/learning/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "bnn/numeric/orthant.h"
#include "bnn/predictive/classes.h"
#include "bnn/predictive/fast_law.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// The variance of a B-spline law of width w and order m: w^2 / (12 m).
double variance_of(const bnn::Marginal& marginal) {
  const double width = marginal.to - marginal.from;
  return width * width / (12 * static_cast<double>(marginal.order));
}

/// Adds the share of a sample to the effects of its collapsed weights.
void add_effects(const bnn::CollapsedSample& sample, std::span<const double> entering, double share,
                 std::map<std::string, double>& effects) {
  const bnn::CollapsedSample::Row& row = sample.rows[0];
  const auto multiplier = [&](const bnn::Candidate& candidate) {
    const double entered = candidate.input == entering.size() ? 1.0 : entering[candidate.input];
    return sample.layers == bnn::UnknownLayers::second ? entered * row.weights[candidate.unit]
                                                       : entered;
  };
  if (!row.joint.mean.empty()) {  // z_i (Sigma z)_i, which add up to z' Sigma z
    for (std::size_t i = 0; i < row.candidates.size(); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < row.candidates.size(); ++j)
        sum += row.joint.covariance.at(i, j) * multiplier(row.candidates[j]);
      effects[row.candidates[i].name] += share * sum * multiplier(row.candidates[i]);
    }
    return;
  }
  for (const bnn::Chosen& each : bnn::chosen(sample, entering)) {
    const bnn::Candidate& candidate = row.candidates[each.candidate];
    const double factor = multiplier(candidate);
    effects[candidate.name] += share * factor * factor * variance_of(candidate.marginal);
  }
}

/// A pattern of units that are on or off, and its probability.
struct Pattern {
  std::string units;  // `fc1[3]+ fc1[7]-`
  double probability = 0;
};

std::string unit_name(const bnn::CollapsedSample& sample, std::size_t unit, bool on) {
  return fmt::format("{}[{}]{}", sample.layer, unit, on ? "+" : "-");
}

/// Adds the share of a sample to the probabilities of its patterns, of units that are normal together.
void add_joint_patterns(const bnn::CollapsedSample& sample, const bnn::JointUnits<double>& units,
                        double share, std::map<std::string, double>& patterns) {
  const std::size_t n = units.size();
  for (std::size_t pattern = 0; pattern < std::size_t{1} << n; ++pattern) {
    std::string name;
    std::vector<double> mean = units.means, covariance = units.covariance;
    for (std::size_t i = 0; i < n; ++i) {
      const bool on = pattern >> i & 1;
      name += (name.empty() ? "" : " ") + unit_name(sample, units.numbers[i], on);
      if (on) continue;
      mean[i] = -mean[i];
      for (std::size_t j = 0; j < n; ++j) {
        covariance[i * n + j] = -covariance[i * n + j];
        covariance[j * n + i] = -covariance[j * n + i];
      }
    }
    patterns[name] += share * std::exp(bnn::log_orthant(mean, covariance));
  }
}

/// Adds the share of a sample to the probabilities of its patterns. Units are independent.
void add_patterns(const bnn::CollapsedSample& sample, std::span<const double> entering,
                  double share, std::map<std::string, double>& patterns) {
  // The law of each unit before its activation, which is on with probability P(A > 0).
  std::map<std::size_t, bnn::OutputLaw<double>> units;
  const bnn::CollapsedSample::Row& row = sample.rows[0];
  std::map<std::size_t, std::vector<bool>> unknown;
  for (const bnn::Chosen& each : bnn::chosen(sample, entering)) {
    const bnn::Candidate& candidate = row.candidates[each.candidate];
    auto& skip = unknown[candidate.unit];
    skip.resize(entering.size() + 1);
    skip[candidate.input] = true;
    const double factor = candidate.input == entering.size() ? 1.0 : entering[candidate.input];
    units[candidate.unit].terms.push_back(
        {factor, candidate.marginal.from, candidate.marginal.to, candidate.marginal.order});
  }
  std::vector<Pattern> found{{"", share}};
  for (auto& [unit, component] : units) {
    const std::vector<bool>& skip = unknown[unit];
    component.constant = skip[entering.size()] ? 0 : sample.hidden_bias[unit];
    for (std::size_t j = 0; j < entering.size(); ++j)
      if (!skip[j]) component.constant += sample.hidden_weights.at(unit, j) * entering[j];
    const double on = 1 - bnn::FastLaw(component, {}).cdf(0);
    std::vector<Pattern> next;
    for (const Pattern& pattern : found)
      for (const bool is_on : {true, false}) {
        const double probability = pattern.probability * (is_on ? on : 1 - on);
        if (probability > 0)
          next.push_back(
              {pattern.units + (pattern.units.empty() ? "" : " ") + unit_name(sample, unit, is_on),
               probability});
      }
    found = std::move(next);
  }
  for (const Pattern& pattern : found) patterns[pattern.units] += pattern.probability;
}

double entropy(std::span<const double> probabilities) {
  double sum = 0;
  for (const double p : probabilities)
    if (p > 0) sum -= p * std::log(p);
  return sum;
}

}  // namespace

ClassExplanation explain_class(const Predictor& predictor, const Rows& rows) {
  const bnn::InputLaws laws =
      bnn::output_laws_at(predictor.collapsed, forward(predictor, rows.inputs), 0);
  const bnn::Observation& observation = predictor.run.observation;
  const std::vector<double> mean = bnn::class_probabilities(laws, observation);
  ClassExplanation result;
  const auto likeliest = std::ranges::max_element(mean);
  result.likeliest = static_cast<std::size_t>(likeliest - mean.begin());
  result.probability = *likeliest;
  result.entropy = entropy(mean);
  for (std::size_t i = 0; i < laws.size(); ++i)
    result.within += entropy(bnn::class_probabilities(std::span(laws).subspan(i, 1), observation)) /
                     static_cast<double>(laws.size());
  return result;
}

PredictionExplanation explain(const Predictor& predictor, const Rows& rows) {
  const std::vector<bnn::Activations> found = forward(predictor, rows.inputs);
  std::vector<bnn::OutputLaw<double>> mixture;
  for (const auto& sample : bnn::output_laws_at(predictor.collapsed, found, 0))
    mixture.push_back(sample[0]);
  const bnn::Predictive law(mixture, predictor.options, predictor.run.standardisation);
  PredictionExplanation result{law.mean(), law.deviation(), law.variance(), {}, {}};

  const double scale = predictor.run.standardisation.target_scale;
  const double share = scale * scale / static_cast<double>(predictor.samples.size());
  for (std::size_t i = 0; i < predictor.samples.size(); ++i) {
    const bnn::CollapsedSample& sample = predictor.collapsed[i];
    if (sample.layers == bnn::UnknownLayers::none) continue;
    if (sample.layers == bnn::UnknownLayers::all)
      throw Error("effects are those of the weights of one layer; --partition last or second:K");
    add_effects(sample, found[i].entering.row(0), share, result.effects);
    const double part = 1 / static_cast<double>(predictor.samples.size());
    if (!mixture[i].joint.empty())
      add_joint_patterns(sample, mixture[i].joint, part, result.patterns);
    else if (sample.layers == bnn::UnknownLayers::second)
      add_patterns(sample, found[i].entering.row(0), part, result.patterns);
  }
  return result;
}

}  // namespace wmi::frontends
