#include "frontends/learning/batch_predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "bnn/numeric/parallel.h"
#include "bnn/predictive/certified_outcome.h"
#include "bnn/predictive/classes.h"
#include "bnn/predictive/formulas.h"
#include "frontends/learning/conformal_intervals.h"
#include "frontends/learning/sample_formula.h"
#include "solver/terms/decimal.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// The square of a larger deviation, a variance, overflows.
constexpr double largest_noise = 1e150;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// To so many significant digits and more.
Interval square_root(const Rational& x, unsigned digits) {
  if (x <= 0) return Interval(0);
  // Of 2^-2k: at least `bits` of the root are in front of the point.
  const auto size = [](const Integer& n) {
    return static_cast<long>(mpz_sizeinbase(n.get_mpz_t(), 2));
  };
  const long bits = 4 * static_cast<long>(digits) + 64;
  const long k = std::max(0L, bits - (size(x.get_num()) - size(x.get_den())) / 2);
  Integer scaled = x.get_num() << static_cast<mp_bitcnt_t>(2 * k), root;
  scaled /= x.get_den();
  mpz_sqrt(root.get_mpz_t(), scaled.get_mpz_t());
  const Integer unit = Integer(1) << static_cast<mp_bitcnt_t>(k);
  return {ratio(root, unit), ratio(root + 1, unit)};
}

/// The nearest double; get_d truncates.
double nearest(const Rational& number) {
  const std::string text = decimal(number, 40);
  double result = 0;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

Quantity certified(const std::string& name, const Interval& bounds, unsigned digits = 15) {
  Quantity result{name, nearest(bounds.midpoint()), bounds, "",
                  std::max(17, static_cast<int>(digits) + 2)};
  if (bounds.exact() && to_string(bounds.lower).size() <= 200)
    result.text = to_string(bounds.lower);
  result.certified = true;
  return result;
}

/// The laws of each sample's first output.
template <class Number>
std::vector<bnn::OutputLaw<Number>> first_outputs(
    const std::vector<std::vector<bnn::OutputLaw<Number>>>& laws) {
  std::vector<bnn::OutputLaw<Number>> result;
  result.reserve(laws.size());
  for (const auto& sample : laws) result.push_back(sample[0]);
  return result;
}

bnn::Matrix slice(const bnn::Matrix& matrix, std::size_t first, std::size_t count) {
  bnn::Matrix result(count, matrix.columns);
  std::copy_n(matrix.row(first).data(), count * result.columns, result.entries.data());
  return result;
}

}  // namespace

BatchPredictor::BatchPredictor(const Predictor& predictor, const Questions& questions,
                               const Rows& rows, std::size_t first, std::size_t count)
    : predictor_(predictor),
      questions_(questions),
      first_(first),
      inputs_(slice(rows.inputs, first, count)),
      rows_(rows),
      activations_(forward(predictor, inputs_)) {
  if (!rows.outcomes.empty()) outcomes_ = std::span(rows.outcomes).subspan(first, count);
}

std::vector<Prediction> BatchPredictor::predictions() const {
  std::vector<Prediction> result(inputs_.rows());
  bnn::in_parallel(result.size(), predictor_.options.threads, [&](std::size_t i) {
    if (const auto error = rows_.errors.find(first_ + i); error != rows_.errors.end()) {
      result[i].error = error->second;
      return;
    }
    try {
      result[i] = predict(i);
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      result[i].error = error.what();
    }
  });
  return result;
}

Prediction BatchPredictor::predict(std::size_t row) const {
  std::optional<double> outcome = questions_.at;
  if (!outcome && !outcomes_.empty() && !std::isnan(outcomes_[row])) outcome = outcomes_[row];
  const bool regression = predictor_.run.observation.regression();
  const bnn::InputLaws laws = bnn::output_laws_at(predictor_.collapsed, activations_, row);
  for (const auto& sample : laws)
    if (regression && !(sample[0].noise <= largest_noise))
      throw Error(fmt::format(
          "row {}: the variance of the outcome overflows; the input is too far away from the "
          "training rows",
          first_ + row));
  if (!regression) return {classes(laws, row, outcome)};
  if (questions_.formulas) return {through_formulas(row, outcome)};
  const bnn::Predictive law(first_outputs(laws), predictor_.options,
                            predictor_.run.standardisation);
  if (!std::isfinite(law.mean()) || !std::isfinite(law.deviation()))
    throw Error(
        fmt::format("row {}: the mean or the deviation of the outcome overflows; the input "
                    "or the scales of the run are too large",
                    first_ + row));
  if (questions_.digits) return {certified_numbers(law, row, outcome)};
  return {numbers(law, outcome), law.estimated_error()};
}

std::vector<Quantity> BatchPredictor::numbers(const bnn::Predictive& law,
                                              std::optional<double> outcome) const {
  std::vector<Quantity> result{{"mean", law.mean()}, {"deviation", law.deviation()}};
  for (std::size_t i = 0; i < questions_.levels.size(); ++i) {
    const double level = questions_.levels[i];
    double low = law.quantile((1 - level) / 2), high = law.quantile((1 + level) / 2);
    if (!questions_.conformal.empty()) {
      const auto wide = stretched_interval(law, level, questions_.conformal[i],
                                           predictor_.run.standardisation.target_transform);
      low = wide.low;
      high = wide.high;
    }
    result.push_back({fmt::format("low_{}", level), low});
    result.push_back({fmt::format("high_{}", level), high});
  }
  for (const double p : questions_.quantiles)
    result.push_back({fmt::format("quantile_{}", p), law.quantile(p)});
  if (questions_.above) result.push_back({"above", 1 - law.cdf(*questions_.above)});
  if (questions_.discrete)
    for_each_value(
        [&](const std::string& name, std::optional<double> from, std::optional<double> to) {
          result.push_back({name, (to ? law.cdf(*to) : 1) - (from ? law.cdf(*from) : 0)});
        });
  if (!scored()) return result;
  result.push_back({"outcome", outcome.value_or(unknown)});
  if (questions_.discrete)
    result.push_back(
        {"log_probability",
         outcome ? std::log(law.cdf(*outcome + 0.5) - law.cdf(*outcome - 0.5)) : unknown});
  result.push_back({"log_density", outcome ? law.log_density(*outcome) : unknown});
  result.push_back({"cdf", outcome ? law.cdf(*outcome) : unknown});
  result.push_back({"crps", outcome ? law.crps(*outcome) : unknown});
  return result;
}

template <class Visit>
void BatchPredictor::for_each_value(const Visit& visit) const {
  const WholeNumbers& range = *predictor_.run.schema.whole;
  visit(fmt::format("p_below_{}", range.least), std::optional<double>(), range.least - 0.5);
  for (double value = range.least; value <= range.most; ++value)
    visit(fmt::format("p_{}", value), std::optional(value - 0.5), std::optional(value + 0.5));
  visit(fmt::format("p_above_{}", range.most), std::optional(range.most + 0.5),
        std::optional<double>());
}

std::vector<Quantity> BatchPredictor::certified_numbers(const bnn::Predictive& estimate,
                                                        std::size_t row,
                                                        std::optional<double> outcome) const {
  const bnn::CertifiedOutcome law(first_outputs(exact_laws(row)), predictor_.options.noise,
                                  predictor_.run.standardisation,
                                  Rational(predictor_.options.floor));
  const unsigned digits = *questions_.digits;
  // In the order of `numbers`; what that does not have comes last.
  // Of some transforms the moments have no closed form: these are in doubles, without bounds.
  const std::optional<Interval> mean = law.mean(digits), variance = law.variance(digits);
  const double deviation = estimate.deviation();
  std::vector<Quantity> result{
      mean ? certified("mean", *mean, mean->exact() ? 15 : digits) : Quantity{"mean", estimate.mean()},
      variance ? certified("deviation",
                           {square_root(variance->lower, digits).lower,
                            square_root(variance->upper, digits).upper},
                           digits)
               : Quantity{"deviation", deviation}};
  const auto quantile = [&](const std::string& name, double p) {
    result.push_back(
        certified(name, law.quantile(Rational(p), estimate.quantile(p), digits), digits));
  };
  for (const double level : questions_.levels) {
    quantile(fmt::format("low_{}", level), (1 - level) / 2);
    quantile(fmt::format("high_{}", level), (1 + level) / 2);
  }
  for (const double p : questions_.quantiles) quantile(fmt::format("quantile_{}", p), p);
  if (questions_.above)
    result.push_back(
        certified("above", Interval(1) - law.cdf(Rational(*questions_.above), digits), digits));
  // The probability of an interval: the difference of two certified numbers.
  const auto probability = [&](std::optional<double> from, std::optional<double> to) {
    const Interval above = to ? law.cdf(Rational(*to), digits + 1) : Interval(1);
    const Interval below = from ? law.cdf(Rational(*from), digits + 1) : Interval(0);
    const Interval difference = above - below;
    return Interval{std::max(difference.lower, Rational(0)),
                    std::min(difference.upper, Rational(1))};
  };
  if (questions_.discrete)
    for_each_value(
        [&](const std::string& name, std::optional<double> from, std::optional<double> to) {
          result.push_back(certified(name, probability(from, to), digits));
        });
  if (outcome) {
    const Rational y(*outcome);
    result.push_back({"outcome", *outcome});
    if (questions_.discrete)
      result.push_back({"log_probability",
                        std::log(estimate.cdf(*outcome + 0.5) - estimate.cdf(*outcome - 0.5))});
    if (const auto log = law.log_density(y, digits))
      result.push_back(certified("log_density", *log, digits));
    else
      result.push_back({"log_density", -INFINITY});
    result.push_back(certified("cdf", law.cdf(y, digits), digits));
    result.push_back({"crps", estimate.crps(*outcome)});
  } else if (scored()) {
    result.push_back({"outcome", unknown});
    if (questions_.discrete) result.push_back({"log_probability", unknown});
    for (const char* const name : {"log_density", "cdf", "crps"}) result.push_back({name, unknown});
  }
  result.push_back(variance ? certified("variance", *variance, variance->exact() ? 15 : digits)
                            : Quantity{"variance", deviation * deviation});
  if (outcome)
    result.push_back(certified("density", law.density(Rational(*outcome), digits), digits));
  else if (scored())
    result.push_back({"density", unknown});
  for (Quantity& quantity : result) quantity.certified = quantity.bounds.has_value();
  for (const char* const name : {"mean", "deviation", "variance", "log_density", "cdf", "density"})
    if (const auto found = std::ranges::find(result, name, &Quantity::name); found != result.end())
      found->certified = true;  // also where there is no outcome, or no mass
  return result;
}

std::vector<Quantity> BatchPredictor::through_formulas(std::size_t row,
                                                       std::optional<double> outcome) const {
  Interval mean(0), density(0);
  std::size_t cells = 0;
  Rational total = 0;
  for (const bnn::CollapsedSample& sample : predictor_.collapsed) total += Rational(sample.weight);
  for (std::size_t i = 0; i < predictor_.samples.size(); ++i) {
    const Task task = sample_formula(predictor_, i, exact_numbers(i, row),
                                     outcome ? std::optional(Rational(*outcome)) : std::nullopt);
    const bnn::FormulaAnswer answer =
        bnn::solve_sample(task, *questions_.enumerator, *questions_.integrator);
    const Rational share = Rational(predictor_.collapsed[i].weight) / total;
    mean += answer.mean * Interval(share);
    if (answer.density) density += *answer.density * Interval(share);
    cells += answer.cells;
  }
  std::vector<Quantity> result{certified("mean", mean)};
  if (outcome) {
    const Rational floor(predictor_.options.floor);
    result.push_back({"outcome", *outcome});
    result.push_back(
        certified("density", {std::max(density.lower, floor), std::max(density.upper, floor)}));
  } else if (scored()) {
    result.push_back({"outcome", unknown});
    result.push_back({"density", unknown});
    result.back().certified = true;
  }
  result.push_back({"cells", static_cast<double>(cells)});
  return result;
}

std::vector<Quantity> BatchPredictor::classes(const bnn::InputLaws& laws, std::size_t row,
                                              std::optional<double> outcome) const {
  const bnn::Observation& observation = predictor_.run.observation;
  const std::vector<std::string>& names = predictor_.run.schema.classes;
  const auto name = [&](std::size_t k) { return k < names.size() ? names[k] : std::to_string(k); };
  std::vector<Quantity> result;
  const auto add = [&](const std::string& prefix, const std::vector<double>& values) {
    for (std::size_t k = 0; k < values.size(); ++k) result.push_back({prefix + name(k), values[k]});
  };
  std::vector<double> probabilities;
  if (questions_.authors) {
    probabilities = authors_probabilities(row);
    add("p_", probabilities);
  } else if (questions_.digits) {
    const std::vector<Interval> bounds =
        bnn::certified_class_probabilities(exact_laws(row), observation, *questions_.digits);
    for (std::size_t k = 0; k < bounds.size(); ++k) {
      result.push_back(certified("p_" + name(k), bounds[k], *questions_.digits));
      probabilities.push_back(bounds[k].midpoint().get_d());
    }
  } else {
    probabilities = bnn::class_probabilities(laws, observation);
    add("p_", probabilities);
  }
  if (questions_.largest && questions_.digits) {
    const auto largest = bnn::exact_largest_probabilities(exact_laws(row), observation);
    for (std::size_t k = 0; k < largest.size(); ++k)
      result.push_back(certified("largest_" + name(k), largest[k]));
  } else if (questions_.largest) {
    add("largest_", bnn::largest_probabilities(laws, observation));
  }
  const auto likeliest = std::ranges::max_element(probabilities) - probabilities.begin();
  result.push_back(
      {"class", static_cast<double>(likeliest), {}, name(static_cast<std::size_t>(likeliest))});
  if (scored())
    result.push_back(
        {"log_probability",
         outcome ? std::log(probabilities.at(static_cast<std::size_t>(*outcome))) : unknown});
  return result;
}

std::vector<double> BatchPredictor::authors_probabilities(std::size_t row) const {
  std::vector<double> result;
  for (std::size_t i = 0; i < predictor_.samples.size(); ++i) {
    const std::vector<double> part =
        bnn::authors_class_probabilities(predictor_.collapsed[i], activations_[i].entering.row(row),
                                         activations_[i].outputs.row(row));
    result.resize(part.size());
    for (std::size_t k = 0; k < part.size(); ++k)
      result[k] += part[k] / static_cast<double>(predictor_.samples.size());
  }
  return result;
}

bnn::ExactActivations BatchPredictor::exact_numbers(std::size_t sample, std::size_t row) const {
  return exact_activations(predictor_, sample, inputs_, activations_, row,
                           questions_.exact_forward);
}

std::vector<std::vector<bnn::OutputLaw<Rational>>> BatchPredictor::exact_laws(
    std::size_t row) const {
  std::vector<std::vector<bnn::OutputLaw<Rational>>> result;
  for (std::size_t i = 0; i < predictor_.samples.size(); ++i) {
    if (!questions_.exact_forward) {
      const bnn::Activations& found = activations_[i];
      const bool plain = found.entering.rows() == 0;
      result.push_back(bnn::exact_output_laws(
          predictor_.collapsed[i], plain ? std::span<const double>() : found.entering.row(row),
          found.outputs.row(row)));
      continue;
    }
    const bnn::ExactActivations found = exact_numbers(i, row);
    result.push_back(bnn::output_laws(predictor_.collapsed[i],
                                      std::span<const Rational>(found.entering),
                                      std::span<const Rational>(found.outputs)));
  }
  return result;
}

}  // namespace wmi::frontends
