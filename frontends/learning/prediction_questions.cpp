#include "frontends/learning/prediction_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <string_view>

#include "frontends/cli/usage_error.h"
#include "frontends/common/comma_separated.h"
#include "frontends/common/line.h"
#include "frontends/learning/conformal_intervals.h"

namespace wmi::frontends {
namespace {

/// Probabilities such as `0.5,0.9`; a trailing comma is allowed.
std::vector<double> read_levels(const Settings& settings, std::string_view name) {
  if (!settings.has(name)) return {};
  const std::string& text = settings.text(name);
  std::vector<std::string> items = comma_separated(text);
  if (items.back().empty()) items.pop_back();
  std::vector<double> result;
  for (const std::string& item : items) {
    double level = 0;
    const char* const end = item.data() + item.size();
    const auto [stop, error] = std::from_chars(item.data(), end, level);
    if (error != std::errc() || stop != end || !(level > 0 && level < 1))
      throw UsageError(
          fmt::format("--{}: '{}' is no list of probabilities between 0 and 1, such as 0.5,0.9",
                      name, one_line(text)));
    if ((1 - level) / 2 <= 0 || (1 + level) / 2 >= 1)
      throw UsageError(
          fmt::format("--{}: '{}' is too close to 0 or 1 for doubles, whose quantiles are asked",
                      name, one_line(item)));
    result.push_back(level);
  }
  return result;
}

/// The entry of a table that a setting names.
template <class Entry>
const Entry& find_entry(std::span<const Entry> table, const Settings& settings,
                        std::string_view name) {
  return *std::ranges::find(table, settings.text(name), &Entry::name);
}

}  // namespace

Questions read_questions(const Settings& settings, const Predictor& predictor) {
  Questions result;
  result.levels = read_levels(settings, "intervals");
  result.quantiles = read_levels(settings, "quantiles");
  if (settings.has("at")) result.at = settings.number("at");
  if (settings.has("above")) result.above = settings.number("above");
  if (settings.has("digits")) result.digits = static_cast<unsigned>(settings.count("digits"));
  result.formulas = settings.text("via") == "wmi";
  result.exact_forward = settings.text("forward") == "exact";
  result.largest = settings.flag("largest");
  result.discrete = settings.flag("discrete");
  if (result.discrete && !predictor.run.schema.whole)
    throw UsageError(
        "--discrete: is about targets that are whole numbers, and those of the training were not");
  if (result.discrete && result.formulas) throw UsageError("--discrete: goes with --via law");
  result.authors = settings.has("variant");
  const bool regression = predictor.run.observation.regression();
  if (result.formulas &&
      predictor.run.standardisation.target_transform != bnn::TargetTransform::none)
    throw UsageError(
        "--via wmi: formulas are of targets without a transform, and the training learned another "
        "function of them (--target-transform); --digits certifies them");
  if (result.exact_forward && !result.digits && !result.formulas)
    throw UsageError("--forward exact: goes with --digits N or --via wmi");
  if (!regression && !result.quantiles.empty())
    throw UsageError("--quantiles: are of numbers, and the target has classes");
  if (regression && result.largest) throw UsageError("--largest: is about classes");
  if (!regression && result.formulas)
    throw UsageError("--via wmi: is about numbers; ciber query asks about classes");
  if (!regression && (result.at || result.above))
    throw UsageError("--at and --above: are about numbers, and the target has classes");
  if (result.formulas && (predictor.options.noise.kind != bnn::OutcomeNoise::Kind::triangular ||
                          predictor.options.epsilon > 0))
    throw UsageError("--via wmi: weights of formulas are polynomials; --likelihood triangular");
  const bool doubles = regression && !result.digits && !result.formulas;
  const std::string& conformal = settings.text("conformal");
  if (conformal == "yes" && !doubles)
    throw UsageError("--conformal: is about intervals of numbers in doubles");
  if (conformal == "yes" ||
      (conformal == "auto" && doubles && read_conformal_rows(predictor.run).has_value()))
    result.conformal = conformal_factors(predictor, result.levels);
  result.enumerator = find_entry(enumerators(), settings, "enumerator").make();
  result.integrator = find_entry(integrators(), settings, "integrator").make({});
  return result;
}

std::vector<std::string> assumptions(const Predictor& predictor, const Questions& questions) {
  std::vector<std::string> result = predictor.assumptions;
  if (questions.exact_forward && !result.empty()) result.erase(result.begin());
  if (!questions.conformal.empty()) result.emplace_back(conformal_assumption);
  if (!questions.digits && !questions.formulas) result.emplace_back(doubles_assumption);
  return result;
}

}  // namespace wmi::frontends
