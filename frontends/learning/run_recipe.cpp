#include "frontends/learning/run_recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string_view>
#include <vector>

#include "frontends/cli/usage_error.h"
#include "frontends/common/json_writer.h"
#include "frontends/common/line.h"
#include "frontends/formats/json.h"
#include "frontends/learning/commands.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

std::span<const Setting> train_settings() { return train_command().settings; }

/// Settings that do not change the result.
bool of_the_call(std::string_view name) {
  return name == "out" || name == "threads" || name == "resume";
}

Json recorded(const Run& run) { return Json(run.recipe.empty() ? "{}" : run.recipe); }

/// What arguments are wanted of a recipe: all values, those that were chosen included; or what was
/// given, which says what is to be chosen.
enum class Wanted { all_values, given };

/// The arguments of `ciber train` that a recorded recipe stands for; `data` replaces its data file.
std::vector<std::string> arguments(const Json::Value& recipe, Wanted wanted,
                                   const std::vector<std::string>& data = {}) {
  std::vector<std::string> result = data;
  if (recipe.kind() != Json::Kind::object) return result;
  const std::span<const Setting> settings = train_settings();
  std::set<std::string> replaced;  // defaults such as `auto`, by what was chosen
  if (const auto choice = recipe.find("chosen"); choice && wanted == Wanted::all_values)
    if (const auto values = choice->find("settings"))
      for (const Json::Value& value : values->items()) {
        result.push_back("--" + value.key() + "=" + value.text());
        replaced.insert(value.key());
      }
  std::set<std::string> given;
  const auto names = recipe.find("given");
  if (names)
    for (const Json::Value& name : names->items()) given.insert(name.text());
  for (const Json::Value& member : recipe.items()) {
    const auto known = std::ranges::find(settings, member.key(), &Setting::name);
    if (replaced.contains(member.key())) continue;
    if (wanted == Wanted::given && names && known != settings.end() &&
        !given.contains(member.key()))
      continue;
    if (member.key() == "data") {
      if (data.empty()) result.push_back(member.text());
    } else if (known != settings.end() && known->argument.empty())
      result.push_back("--" + member.key());
    else if (known != settings.end())
      result.push_back("--" + member.key() + "=" + member.text());
  }
  return result;
}

}  // namespace

bnn::Recipe read_recipe(const Settings& settings) {
  bnn::Recipe recipe;
  recipe.optimizer = settings.text("optimizer") == "adam" ? bnn::Recipe::Optimizer::adam
                                                          : bnn::Recipe::Optimizer::sgd;
  recipe.drawn = settings.text("hidden-weights") == "drawn";
  if (settings.has("epochs")) recipe.epochs = settings.count("epochs");
  if (settings.has("batch")) recipe.batch = settings.count("batch");
  if (settings.has("rate")) recipe.rate = settings.number("rate");
  const std::string& schedule = settings.text("schedule");
  recipe.schedule = schedule == "linear"    ? bnn::Recipe::Schedule::linear
                    : schedule == "coslog4" ? bnn::Recipe::Schedule::coslog
                    : schedule == "plateau" ? bnn::Recipe::Schedule::plateau
                                            : bnn::Recipe::Schedule::constant;
  recipe.plateau_factor = settings.number("plateau-factor");
  recipe.plateau_patience = settings.count("plateau-patience");
  recipe.momentum = settings.number("momentum");
  recipe.bias_factor = settings.number("bias-factor");
  recipe.fan_in_rates = settings.text("weight-rates") == "fan-in";
  if (settings.has("weight-decay")) recipe.weight_decay = settings.number("weight-decay");
  recipe.clip = settings.number("clip");
  recipe.beta = settings.number("beta");
  if (settings.has("patience")) recipe.patience = settings.count("patience");
  recipe.from_best = settings.flag("from-best") || recipe.patience > 0;
  recipe.samples = settings.count("samples");
  const std::string every = settings.has("every") ? settings.text("every") : "5";
  const auto [unit, error] =
      std::from_chars(every.data(), every.data() + every.size(), recipe.every);
  const std::string_view rest(unit, every.data() + every.size());
  recipe.every_steps = rest == "steps";
  if (error != std::errc() || recipe.every == 0 || !(rest.empty() || recipe.every_steps))
    throw UsageError(
        fmt::format("--every: '{}' is no number of epochs, such as 5, or of steps, such as 50steps",
                    one_line(every)));
  if (settings.text("sampling-rate") != "auto")
    recipe.sampling_rate = settings.number("sampling-rate", 0, 1000);
  recipe.sampling = settings.text("sampling") == "cyclic" ? bnn::Recipe::Sampling::cyclic
                                                          : bnn::Recipe::Sampling::constant;
  return recipe;
}

std::string recipe_json(const Settings& settings) {
  JsonObject result(JsonSpacing::blanks);
  result.add("data", settings.words()[0]);
  std::vector<std::string> given;
  for (const Setting& setting : train_settings()) {
    if (of_the_call(setting.name)) continue;
    if (settings.given(setting.name)) given.emplace_back(setting.name);
    if (settings.has(setting.name))
      result.line(1).add(setting.name, setting.argument.empty()
                                           ? JsonText(true)
                                           : JsonText(settings.text(setting.name)));
  }
  result.line(1).add("given", JsonArray::of(given, JsonSpacing::blanks));
  return result.text();
}

std::string with_choice(std::string recipe, const RecordedChoice& choice) {
  JsonObject settings(JsonSpacing::blanks);
  for (const auto& [name, value] : choice.values) settings.add(name, value);
  JsonObject chosen(JsonSpacing::blanks);
  chosen.add("candidate", choice.candidate)
      .add("settings", settings)
      .add("sampling-rate", choice.sampling_rate)
      .add("epochs", choice.epochs)
      .add("score", choice.score)
      .add("scores", JsonArray::of(choice.scores, JsonSpacing::blanks));
  recipe.pop_back();  // the closing brace
  return recipe + ",\n \"chosen\": " + chosen.text() + "}";
}

std::optional<RecordedChoice> read_choice(const Run& run) {
  const Json json = recorded(run);
  const auto chosen = json.root().find("chosen");
  if (!chosen) return std::nullopt;
  RecordedChoice result;
  if (const auto candidate = chosen->find("candidate"))
    result.candidate = std::stoul(candidate->text());
  if (const auto values = chosen->find("settings"))
    for (const Json::Value& value : values->items())
      result.values.emplace_back(value.key(), value.text());
  result.sampling_rate = std::stod(chosen->at("sampling-rate").text());
  result.epochs = std::stoul(chosen->at("epochs").text());
  if (const auto score = chosen->find("score")) result.score = std::stod(score->text());
  if (const auto scores = chosen->find("scores"))
    for (const Json::Value& score : scores->items()) result.scores.push_back(score.text());
  return result;
}

bnn::Recipe recipe_of(const Run& run) {
  const Json json = recorded(run);
  bnn::Recipe recipe = read_recipe(
      Settings("ciber train", train_settings(), arguments(json.root(), Wanted::all_values)));
  if (const auto chosen = json.root().find("chosen"))
    if (const auto rate = chosen->find("sampling-rate"))
      recipe.sampling_rate = std::stod(rate->text());
  return recipe;
}

Settings resumed_settings(const Settings& now, const Run& run) {
  const Json json = recorded(run);
  Settings then("ciber train", train_settings(),
                arguments(json.root(), Wanted::given, now.words()));
  for (const Setting& setting : train_settings()) {
    if (of_the_call(setting.name)) continue;
    if (now.given(setting.name) && now.text(setting.name) != then.text(setting.name))
      throw UsageError(fmt::format("--{}: the run was started with {}", setting.name,
                                   then.has(setting.name) ? then.text(setting.name) : "none"));
  }
  if (then.words().size() != 1 && now.words().empty())
    throw Error(one_line(run.path) + ": it was not made by ciber train");
  return then;
}

}  // namespace wmi::frontends
