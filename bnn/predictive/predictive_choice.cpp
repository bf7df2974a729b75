// The law of an outcome at a validation row is a mixture over samples of normal laws, or of softmax
// of normal logits (by a few fixed draws of these). Means and deviations depend on lambda only;
// temperature, corrections of the noise and weights of the samples are tried on the same numbers.

#include "bnn/predictive/predictive_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "bnn/collapse/evidence.h"
#include "bnn/predictive/drawn_classes.h"
#include "bnn/predictive/larger_mixture.h"
#include "bnn/predictive/predictive.h"
#include "bnn/predictive/sample_weights.h"
#include "solver/laws/student_rule.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

constexpr double log_two_pi = 1.8378770664093454835606594728112;

constexpr double usual_lambdas[] = {0.3, 1, 3, 10, 30, 100};
constexpr double few_lambdas[] = {1, 30};
constexpr double lambdas_at_sample[] = {100};
constexpr double unmoved = 1e10;  // a lambda around the sampled weights that leaves them alone
constexpr std::size_t many_rows = 5000;  // where the prior matters little, and grids cost much, as
                                         // they do for classes
constexpr double usual_temperatures[] = {0.1, 0.3, 1, 3, 10};
constexpr double scales[] = {0.2, 0.3, 0.4, 0.5, 0.6,  0.7, 0.8, 0.9, 1,
                             1.1, 1.2, 1.3, 1.5, 1.75, 2,   2.5, 3};
constexpr double outlier_shares[] = {0.01, 0.03, 0.1, 0.2};
constexpr double outlier_scales[] = {2, 3, 5, 10};
constexpr double usual_outliers = 0.03, usual_outlier_scale = 5;
constexpr double unseen_outlier_scale = 10;
constexpr double usual_freedoms[] = {2.5, 3, 4, 6, 10, 20, 50};
constexpr double student_digits = 5;  // that are enough for a choice
constexpr double evidence_powers[] = {0.01, 0.1, 1};
constexpr std::size_t least_stacking_rows = 100;
constexpr std::size_t few_samples = 16;
constexpr std::size_t thinned_step = 4, costly_thinned_step = 8;

/// The noise as it was trained.
PredictiveChoice as_trained(const Tails& tails) {
  PredictiveChoice result;
  if (tails.kind == Tails::Kind::student) result.freedom = tails.freedom;
  if (tails.kind == Tails::Kind::two_scale) {
    result.outliers = tails.outliers;
    result.outlier_scale = tails.outlier_scale;
  }
  return result;
}

/// The output laws of every validation row, by sample, and the log evidences of each part's samples.
struct Laws {
  std::vector<InputLaws> rows;
  std::vector<std::vector<double>> evidences;  // empty without a conditional posterior
};

Laws find_laws(const encoders::Network& network, const Forward& forward,
               const Observation& observation, std::span<const HeldOut> parts,
               const CollapseOptions& options) {
  Laws result;
  for (const HeldOut& part : parts) {
    const std::vector<CollapsedSample> collapsed = collapse(
        network, forward, observation, part.samples, part.trajectories, &part.training, options);
    const std::vector<Activations> found =
        activations(network, forward, part.samples, collapsed, part.validation.inputs);
    for (std::size_t i = 0; i < part.validation.rows(); ++i)
      result.rows.push_back(output_laws_at(collapsed, found, i));
    if (options.partition == "last")
      result.evidences.push_back(
          log_evidences(network, forward, part.samples, collapsed, part.training, options.options));
  }
  return result;
}

/// Log likelihoods of the validation rows.
class Scorer {
 public:
  Scorer(const Observation& observation, std::span<const HeldOut> parts,
         const std::vector<InputLaws>& laws, std::size_t trajectories)
      : observation_(observation),
        draws_(most_samples(laws), laws.at(0).at(0).size()),
        trajectories_(trajectories) {
    for (const HeldOut& part : parts)
      targets_.insert(targets_.end(), part.validation.targets.begin(),
                      part.validation.targets.end());
  }

  /// Of each row under each sample; all parts have as many samples.
  Matrix by_sample(const std::vector<InputLaws>& laws, const PredictiveChoice& choice) const {
    Matrix result(laws.size(), laws[0].size());
    for (std::size_t i = 0; i < laws.size(); ++i)
      for (std::size_t k = 0; k < laws[i].size(); ++k)
        result.at(i, k) = observation_.regression()
                              ? log_density(laws[i][k][0], choice, targets_[i])
                              : log_probability(k, laws[i][k], choice, targets_[i]);
    return result;
  }

  /// Of each row under the mixture with equal weights of the trajectories that will predict; the
  /// samples of all parts are alike.
  std::vector<double> operator()(const std::vector<InputLaws>& laws, const PredictiveChoice& choice,
                                 std::span<const HeldOut> parts) const {
    return larger_mixture_logs(by_sample(laws, choice), parts[0].trajectories, trajectories_);
  }

 private:
  static std::size_t most_samples(const std::vector<InputLaws>& laws) {
    std::size_t result = 0;
    for (const InputLaws& row : laws) result = std::max(result, row.size());
    return result;
  }

  static double log_normal(const OutputLaw<double>& law, double temperature, double noise,
                           double target) {
    const double variance = temperature * law.deviation * law.deviation + noise * noise;
    const double error = target - law.constant;
    return -0.5 * (log_two_pi + std::log(variance) + error * error / variance);
  }

  static double log_student(const OutputLaw<double>& law, const PredictiveChoice& choice,
                            double noise, double target) {
    const double error = target - law.constant;
    const double deviation = std::sqrt(choice.temperature) * law.deviation;
    if (deviation > 0) {
      thread_local std::shared_ptr<const StudentRule> rule;
      if (!rule || rule->freedom != choice.freedom)
        rule = student_rule(choice.freedom, student_digits);
      const double found = rule->density(error, deviation, noise, 1e-6).value;
      if (found > 0) return std::log(found);  // else as far out as the tail is Student's own
    }
    const Tails tails{.kind = Tails::Kind::student, .freedom = choice.freedom};
    return bnn::log_density(tails, error * error / (noise * noise)) - std::log(noise);
  }

  static double log_density(const OutputLaw<double>& law, const PredictiveChoice& choice,
                            double target) {
    const double noise = choice.scale * law.noise;
    if (choice.freedom > 0) return log_student(law, choice, noise, target);
    const double usual = log_normal(law, choice.temperature, noise, target);
    if (choice.outliers == 0) return usual;
    const double outlying =
        log_normal(law, choice.temperature, choice.outlier_scale * noise, target);
    const double most = std::max(usual, outlying);
    return most + std::log((1 - choice.outliers) * std::exp(usual - most) +
                           choice.outliers * std::exp(outlying - most));
  }

  double log_probability(std::size_t sample, std::span<const OutputLaw<double>> logits,
                         const PredictiveChoice& choice, double target) const {
    return std::log(
        std::max(draws_.probability(sample, logits, observation_, static_cast<std::size_t>(target),
                                    choice.scale, choice.temperature),
                 1e-300));
  }

  const Observation& observation_;
  DrawnClasses draws_;
  std::size_t trajectories_;  // that will predict
  std::vector<double> targets_;
};

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// The standard error of the mean of the differences.
double difference_error(std::span<const double> first, std::span<const double> second) {
  const auto count = static_cast<double>(first.size());
  const double middle = mean(first) - mean(second);
  double squares = 0;
  for (std::size_t i = 0; i < first.size(); ++i)
    squares += std::pow(first[i] - second[i] - middle, 2);
  return std::sqrt(squares / std::max(1.0, count - 1) / count);
}

/// The correction of the noise that is best for these rows: first the scale, then the outliers,
/// then the scale again.
PredictiveChoice corrected(const Scorer& scorer, const std::vector<InputLaws>& laws,
                           std::span<const HeldOut> parts, const PredictiveChoice& choice,
                           bool regression, std::span<const double> freedoms) {
  double best = -std::numeric_limits<double>::infinity();
  PredictiveChoice result = choice;
  const auto consider = [&](const PredictiveChoice& tried) {
    if (const double score = mean(scorer(laws, tried, parts)); score > best) {
      best = score;
      result = tried;
    }
  };
  const auto consider_scales = [&](PredictiveChoice tried) {
    for (const double scale : scales) {
      tried.scale = scale;
      consider(tried);
    }
  };
  PredictiveChoice tried = choice;
  if (choice.freedom > 0) {
    for (const double freedom : freedoms) {
      tried.freedom = freedom;
      consider_scales(tried);
    }
    return result;
  }
  consider_scales(tried);
  if (!regression) return result;
  tried.outliers = 0;
  tried.outlier_scale = 1;
  if (choice.outliers > 0) consider_scales(tried);
  tried.outliers = usual_outliers;
  tried.outlier_scale = usual_outlier_scale;
  consider_scales(tried);
  tried.scale = result.scale;
  for (const double share : outlier_shares)
    for (const double outlier_scale : outlier_scales) {
      tried.outliers = share;
      tried.outlier_scale = outlier_scale;
      consider(tried);
    }
  if (result.outliers > 0) consider_scales(result);
  return result;
}

/// Chooses step by step; see choose_predictive.
class Chooser {
 public:
  Chooser(const encoders::Network& network, const Forward& forward, const Observation& observation,
          std::span<const HeldOut> parts, const PredictiveFreedom& freedom)
      : network_(network),
        forward_(forward),
        observation_(observation),
        parts_(parts),
        freedom_(freedom),
        laws_(plain_laws(parts)),
        scorer_(observation, parts, laws_.rows, freedom.trajectories) {}

  PredictiveSelection run() {
    result_.rows = laws_.rows.size();
    result_.choice = as_trained(observation_.tails);
    result_.choice.collapsed = false;
    scores_ = scorer_(laws_.rows, result_.choice, parts_);
    result_.alternatives.push_back({result_.choice, mean(scores_)});
    if (freedom_.correction) correct();
    result_.average = mean(scores_);
    result_.collapsed = result_.by_evidence = result_.stacked = never;
    try {
      collapse_last();
    } catch (const Error&) {  // the last layer is none that can be collapsed
      result_.collapsed = never;
    }
    if (freedom_.correction) allow_for_outliers();
    result_.corrected = mean(scores_);
    result_.score = result_.corrected;
    if (freedom_.weights) weigh();
    return std::move(result_);
  }

 private:
  static constexpr double never = -std::numeric_limits<double>::infinity();

  Laws plain_laws(std::span<const HeldOut> parts) const {
    CollapseOptions options;
    options.partition = "none";
    Laws result = find_laws(network_, forward_, observation_, parts, options);
    if (result.rows.empty()) throw Error("there are no validation rows to choose by");
    return result;
  }

  /// Many rows, where the prior matters little, or posteriors that are found by steps.
  bool costly() const {
    return parts_[0].training.rows() > many_rows || !observation_.regression();
  }

  struct Prior {
    double lambda;
    bool at_sample;
  };

  std::vector<Prior> priors() const {
    std::vector<Prior> result;
    const auto add = [&](std::span<const double> lambdas, bool at_sample) {
      if (freedom_.at_sample.value_or(at_sample) != at_sample) return;
      for (const double lambda : lambdas) result.push_back({lambda, at_sample});
    };
    if (!freedom_.lambdas.empty()) {
      add(freedom_.lambdas, freedom_.at_sample.value_or(false));
      return result;
    }
    add(costly() ? std::span<const double>(few_lambdas) : std::span<const double>(usual_lambdas),
        false);
    add(lambdas_at_sample, true);
    return result;
  }

  /// A collapse that was tried.
  struct Tried {
    PredictiveChoice choice;
    Laws laws;
    std::vector<double> scores;
    double evidence = 0;  // of all parts and samples
    /// Of the plain average of the same samples, if these are a few for which collapsing does not
    /// gain enough, as it would for more samples even less; else empty.
    std::vector<double> average = {};
  };

  Tried try_prior(const Prior& prior, std::span<const HeldOut> parts) const {
    CollapseOptions options;
    options.partition = "last";
    options.posterior = "conditional";
    options.options.lambda = prior.lambda;
    options.options.at_sample = prior.at_sample;
    Tried result;
    result.choice = result_.choice;  // with the noise as corrected for the average
    result.choice.collapsed = true;
    result.choice.lambda = prior.lambda;
    result.choice.at_sample = prior.at_sample;
    if (freedom_.temperatures.size() == 1) result.choice.temperature = freedom_.temperatures[0];
    result.laws = find_laws(network_, forward_, observation_, parts, options);
    result.scores = scorer_(result.laws.rows, result.choice, parts);
    for (const std::vector<double>& part : result.laws.evidences)
      for (const double evidence : part) result.evidence += evidence;
    return result;
  }

  /// The sum of the scores of each second row, from row `first`.
  static double half_score(const Tried& tried, std::size_t first) {
    double sum = 0;
    for (std::size_t i = first; i < tried.scores.size(); i += 2) sum += tried.scores[i];
    return sum;
  }

  /// The score of one half of the rows under what is best for the other, and the other way round.
  static double cross_fitted(const std::vector<Tried>& all) {
    double sum = 0;
    for (const std::size_t held : {0, 1})
      sum +=
          half_score(*std::ranges::max_element(
                         all, {}, [&](const Tried& tried) { return half_score(tried, 1 - held); }),
                     held);
    return sum / static_cast<double>(all[0].scores.size());
  }

  Tried choose_prior() {
    const std::vector<Prior> wanted = priors();
    const std::vector<HeldOut> some = wanted.size() > 1 ? thinned() : std::vector<HeldOut>();
    std::vector<Tried> all;
    for (const Prior& prior : wanted) {
      all.push_back(try_prior(prior, some.empty() ? parts_ : some));
      result_.alternatives.push_back({all.back().choice, mean(all.back().scores)});
    }
    auto best =
        std::ranges::max_element(all, {}, [](const Tried& tried) { return mean(tried.scores); });
    // A prior around the sampled weights has seen the rows, so that it has no marginal likelihood.
    const std::span<Tried> around_zero(
        all.begin(), std::ranges::find(wanted, true, &Prior::at_sample) - wanted.begin());
    if (around_zero.size() > 1) {
      const auto likeliest = std::ranges::max_element(around_zero, {}, &Tried::evidence);
      result_.evidence_lambda = likeliest->choice.lambda;
      result_.evidence_score = mean(likeliest->scores);
      result_.validated_score = cross_fitted(all);
      if (result_.evidence_score >= result_.validated_score)
        best = all.begin() + (likeliest - around_zero.begin());
    }
    if (some.empty()) return std::move(*best);
    if (costly() && !freedom_.always_collapsed) {
      best->average = scorer_(plain_laws(some).rows, result_.choice, some);
      if (!lasts(best->scores, best->average)) return std::move(*best);
    }
    return try_prior({best->choice.lambda, best->choice.at_sample}, parts_);
  }

  /// The parts with every fourth sample of each trajectory, or eighth, which is enough to compare
  /// priors: a posterior for each sample and prior is most of what a choice costs. None if samples
  /// are few.
  std::vector<HeldOut> thinned() const {
    const std::size_t step = costly() ? costly_thinned_step : thinned_step;
    std::vector<HeldOut> result;
    std::size_t count = 0;
    for (const HeldOut& part : parts_) {
      count += part.samples.size();
      result.push_back({part.training, part.validation, {}, {}});
      std::map<std::size_t, std::size_t> seen;
      for (std::size_t k = 0; k < part.samples.size(); ++k) {
        if (seen[part.trajectories[k]]++ % step != 0) continue;
        result.back().samples.push_back(part.samples[k]);
        result.back().trajectories.push_back(part.trajectories[k]);
      }
    }
    return count < few_samples ? std::vector<HeldOut>() : result;
  }

  void choose_temperature(Tried& best) {
    const std::vector<double> first = best.scores;
    std::vector<double> temperatures = freedom_.temperatures;
    if (temperatures.empty())
      temperatures.assign(std::begin(usual_temperatures), std::end(usual_temperatures));
    for (const double temperature : temperatures) {
      PredictiveChoice choice = best.choice;
      if (temperature == choice.temperature) continue;
      choice.temperature = temperature;
      const std::vector<double> other = scorer_(best.laws.rows, choice, parts_);
      result_.alternatives.push_back({choice, mean(other)});
      if (!(mean(other) > mean(best.scores)) ||
          mean(other) - mean(first) <= difference_error(other, first))
        continue;
      best.choice = choice;
      best.scores = other;
    }
  }

  /// What is left of a gain, at worst, once more trajectories are averaged than here: collapsing
  /// takes away variance over samples, which averaging divides by their number.
  double lasting_share() const {
    const std::set<std::size_t> here(parts_[0].trajectories.begin(), parts_[0].trajectories.end());
    if (freedom_.trajectories <= here.size()) return 1;
    return static_cast<double>(here.size()) / static_cast<double>(freedom_.trajectories);
  }

  /// Whether a gain of more than a standard error is left.
  bool lasts(const std::vector<double>& scores, const std::vector<double>& average) const {
    return lasting_share() * (mean(scores) - mean(average)) > difference_error(scores, average);
  }

  /// The plain average; whoever asks for the collapse gets one that is no worse.
  void stay_average() {
    if (!freedom_.lambdas.empty() || !freedom_.at_sample.value_or(true)) return;
    result_.choice.lambda = unmoved;
    result_.choice.at_sample = true;
  }

  void collapse_last() {
    Tried best = choose_prior();
    if (!best.average.empty()) {
      result_.collapsed = result_.average + mean(best.scores) - mean(best.average);
      result_.difference_error = difference_error(best.scores, best.average);
      return stay_average();
    }
    // An overconfident noise would otherwise choose the temperature that makes up for it.
    if (freedom_.correction) correct(best.choice, best.laws.rows, best.scores);
    choose_temperature(best);
    if (freedom_.correction) correct(best.choice, best.laws.rows, best.scores);
    result_.collapsed = mean(best.scores);
    result_.difference_error = difference_error(best.scores, scores_);
    if (!freedom_.always_collapsed && !lasts(best.scores, scores_)) return stay_average();
    result_.choice = best.choice;
    laws_ = std::move(best.laws);
    scores_ = std::move(best.scores);
  }

  void correct() { correct(result_.choice, laws_.rows, scores_); }

  /// Corrects the noise where that gains more than a standard error.
  void correct(PredictiveChoice& choice, const std::vector<InputLaws>& laws,
               std::vector<double>& scores) {
    const std::span<const double> freedoms =
        freedom_.freedoms.empty() ? std::span(usual_freedoms) : std::span(freedom_.freedoms);
    const PredictiveChoice tried =
        corrected(scorer_, laws, parts_, choice, observation_.regression(), freedoms);
    const std::vector<double> other = scorer_(laws, tried, parts_);
    result_.alternatives.push_back({tried, mean(other)});
    if (mean(other) - mean(scores) <= difference_error(other, scores)) return;
    choice = tried;
    scores = other;
  }

  /// That n rows show no outliers does not exclude them: by Laplace's rule of succession the next
  /// one is an outlier with probability 1 / (n + 2). It costs 1 / n, and keeps a single row far off
  /// from costing hundreds.
  void allow_for_outliers() {
    if (!observation_.regression() || result_.choice.outliers > 0 || result_.choice.freedom > 0)
      return;
    result_.choice.outliers = 1 / (static_cast<double>(scores_.size()) + 2);
    result_.choice.outlier_scale = unseen_outlier_scale;
    scores_ = scorer_(laws_.rows, result_.choice, parts_);
  }

  /// The rows of a matrix from `first`, each `step`-th, up to `last`.
  static Matrix some_rows(const Matrix& all, std::size_t first, std::size_t last,
                          std::size_t step) {
    Matrix result(0, all.columns);
    for (std::size_t i = first; i < last; i += step)
      result.entries.insert(result.entries.end(), all.row(i).begin(), all.row(i).end());
    return result;
  }

  void weigh() {
    const Matrix logs = scorer_.by_sample(laws_.rows, result_.choice);
    const std::vector<double> equal = mixture_logs(logs, {});
    result_.unweighted = mean(equal);
    if (result_.choice.collapsed) weigh_by_evidence(logs, equal);
    if (freedom_.final_samples && parts_.size() == 1) stack(logs, equal);
  }

  void weigh_by_evidence(const Matrix& logs, const std::vector<double>& equal) {
    for (const double power : evidence_powers) {
      std::vector<double> found;
      std::size_t from = 0;
      for (std::size_t p = 0; p < parts_.size(); ++p) {
        const std::size_t to = from + parts_[p].validation.rows();
        const std::vector<double> part =
            mixture_logs(some_rows(logs, from, to, 1), evidence_weights(laws_.evidences[p], power));
        found.insert(found.end(), part.begin(), part.end());
        from = to;
      }
      result_.by_evidence = std::max(result_.by_evidence, mean(found));
      if (mean(found) < result_.by_evidence ||
          mean(found) - mean(equal) <= difference_error(found, equal))
        continue;
      result_.choice.evidence_power = power;
      result_.score = mean(found);
    }
  }

  /// Weights from half of the rows are scored on the others; kept are those of all rows.
  void stack(const Matrix& logs, const std::vector<double>& equal) {
    if (logs.rows() < least_stacking_rows) return;
    std::vector<double> found(logs.rows());
    for (const std::size_t held : {0, 1}) {
      const std::vector<double> weights =
          stacking_weights(some_rows(logs, 1 - held, logs.rows(), 2));
      const std::vector<double> part = mixture_logs(some_rows(logs, held, logs.rows(), 2), weights);
      for (std::size_t i = 0; i < part.size(); ++i) found[2 * i + held] = part[i];
    }
    result_.stacked = mean(found);
    if (result_.stacked <= std::max(result_.by_evidence, result_.unweighted) ||
        result_.stacked - mean(equal) <= difference_error(found, equal))
      return;
    result_.choice.evidence_power = 0;
    result_.choice.weights = stacking_weights(logs);
    result_.score = result_.stacked;
  }

  const encoders::Network& network_;
  const Forward& forward_;
  const Observation& observation_;
  std::span<const HeldOut> parts_;
  const PredictiveFreedom& freedom_;
  Laws laws_;
  Scorer scorer_;
  std::vector<double> scores_;  // of the rows, under the choice so far
  PredictiveSelection result_;
};

}  // namespace

PredictiveSelection choose_predictive(const encoders::Network& network, const Forward& forward,
                                      const Observation& observation,
                                      std::span<const HeldOut> parts,
                                      const PredictiveFreedom& freedom) {
  return Chooser(network, forward, observation, parts, freedom).run();
}

OutcomeNoise outcome_noise(const Observation& observation, const PredictiveChoice* correction) {
  OutcomeNoise result;
  if (!observation.regression()) return result;
  const PredictiveChoice choice = correction ? *correction : as_trained(observation.tails);
  result.scale = choice.scale;
  result.outliers = choice.outliers;
  result.outlier_scale = choice.outlier_scale;
  if (choice.freedom > 0) {
    result.kind = OutcomeNoise::Kind::student;
    result.freedom = choice.freedom;
  }
  return result;
}

void weigh_samples(const PredictiveChoice& choice, const encoders::Network& network,
                   const Forward& forward, std::span<const Weights> samples,
                   const Dataset* training, const PosteriorOptions& options,
                   std::vector<CollapsedSample>& collapsed) {
  std::vector<double> weights;
  if (!choice.weights.empty()) {
    if (choice.weights.size() < collapsed.size())
      throw Error("the run has more samples than weights of samples");
    weights.assign(choice.weights.begin(),
                   choice.weights.begin() + static_cast<std::ptrdiff_t>(collapsed.size()));
    if (std::ranges::all_of(weights, [](double weight) { return weight == 0; }))
      throw Error("all of these samples have the weight 0");
  } else if (choice.evidence_power > 0 && training != nullptr) {
    weights =
        evidence_weights(log_evidences(network, forward, samples, collapsed, *training, options),
                         choice.evidence_power);
  }
  for (std::size_t i = 0; i < weights.size(); ++i) collapsed[i].weight = weights[i];
}

}  // namespace wmi::bnn
