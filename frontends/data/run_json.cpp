#include "frontends/data/run_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

#include "frontends/common/json_writer.h"
#include "frontends/common/line.h"
#include "frontends/formats/json.h"
#include "frontends/networks/description.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr std::string_view format_name = "ciber run 1";

// Of Student's law, whose variance is finite beyond two.
constexpr double least_freedom = 2.1;
constexpr double most_freedom = 1000;

using Kind = bnn::Observation::Kind;
using Link = bnn::Observation::Link;

constexpr std::pair<std::string_view, Kind> kinds[] = {
    {"heteroscedastic", Kind::heteroscedastic},
    {"homoscedastic", Kind::homoscedastic},
    {"softmax", Kind::softmax},
    {"sigmoid", Kind::sigmoid},
};
constexpr std::pair<std::string_view, Link> links[] = {
    {"exponential", Link::exponential},
    {"softplus", Link::softplus},
    {"bounded", Link::bounded},
};

template <class Value, std::size_t size>
std::string_view word(const std::pair<std::string_view, Value> (&table)[size], Value value) {
  for (const auto& [name, entry] : table)
    if (entry == value) return name;
  return "";
}

template <class Value, std::size_t size>
Value meaning(const std::pair<std::string_view, Value> (&table)[size], const Json::Value& json) {
  std::string known;
  for (const auto& [name, entry] : table) {
    if (json.kind() == Json::Kind::string && json.text() == name) return entry;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw Error(fmt::format("'{}' must be one of {}", one_line(json.key()), known), json.where());
}

double number(const Json::Value& json, const std::string& what) {
  json.expect(Json::Kind::number, what);
  const std::string& text = json.text();
  double result = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(result))
    throw Error(what + " is no number that a double holds", json.where());
  return result;
}

std::uint64_t natural(const Json::Value& json, const std::string& what) {
  const std::string& text = json.text();
  std::uint64_t result = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (json.kind() != Json::Kind::number || error != std::errc() || end != text.data() + text.size())
    throw Error(what + " must be a natural number", json.where());
  return result;
}

std::string text(const Json::Value& json, const std::string& what) {
  return json.expect(Json::Kind::string, what).text();
}

std::vector<std::string> texts(const Json::Value& json, const std::string& what) {
  std::vector<std::string> result;
  for (const Json::Value& item : json.expect(Json::Kind::array, what).items())
    result.push_back(text(item, "an entry of " + what));
  return result;
}

std::vector<double> numbers(const Json::Value& json, const std::string& what) {
  std::vector<double> result;
  for (const Json::Value& item : json.expect(Json::Kind::array, what).items())
    result.push_back(number(item, "an entry of " + what));
  return result;
}

/// The value as JSON without white space.
std::string compact(const Json::Value& json) {
  // Without recursion, since the depth is not limited.
  struct Open {
    std::vector<Json::Value> items;
    std::size_t next;
    char close;
  };
  std::string result;
  std::vector<Open> open;
  const auto add = [&](const Json::Value& value) {
    if (value.kind() == Json::Kind::array || value.kind() == Json::Kind::object) {
      const bool array = value.kind() == Json::Kind::array;
      result += array ? '[' : '{';
      open.push_back({value.items(), 0, array ? ']' : '}'});
    } else {
      result += value.kind() == Json::Kind::string ? json_string(value.text()) : value.text();
    }
  };
  add(json);
  while (!open.empty()) {
    Open& last = open.back();
    if (last.next == last.items.size()) {
      result += last.close;
      open.pop_back();
      continue;
    }
    const Json::Value item = last.items[last.next];
    if (last.next++ > 0) result += ',';
    if (last.close == '}') result += json_string(item.key()) + ":";
    add(item);
  }
  return result;
}

bnn::Observation read_observation(const Json::Value& json) {
  json.expect(Json::Kind::object, "'likelihood'");
  bnn::Observation result;
  result.kind = meaning(kinds, json.at("kind"));
  if (const auto link = json.find("link")) result.link = meaning(links, *link);
  if (const auto least = json.find("leastVariance")) {
    result.least_variance = number(*least, "'leastVariance'");
    if (result.least_variance < 0)
      throw Error("'leastVariance' must not be below 0", least->where());
  }
  if (const auto tails = json.find("tails")) {
    try {
      result.tails.kind = bnn::tails_kind(text(*tails, "'tails'"));
    } catch (const Error& error) {
      throw Error(error.what(), tails->where());
    }
    const auto read = [&](const std::string& name, double& value, double least, double most) {
      const auto found = json.find(name);
      if (!found) return;
      value = number(*found, "'" + name + "'");
      if (!(value >= least && value <= most))
        throw Error(fmt::format("'{}' must be from {} to {}", name, least, most), found->where());
    };
    read("freedom", result.tails.freedom, least_freedom, most_freedom);
    read("outliers", result.tails.outliers, 1e-6, 0.999);
    read("outlierScale", result.tails.outlier_scale, 1e-6, 1e6);
  }
  return result;
}

/// Throws Error if a name occurs twice.
void refuse_twice(const std::vector<std::string>& names, const std::string& what, Location where) {
  std::set<std::string_view> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second)
      throw Error(fmt::format("{} '{}' is named twice", what, one_line(name)), where);
}

Schema read_schema(const Json::Value& json) {
  json.expect(Json::Kind::object, "'schema'");
  Schema result;
  const Json::Value features = json.at("features");
  for (const Json::Value& item : features.expect(Json::Kind::array, "'features'").items()) {
    if (item.kind() == Json::Kind::string) {
      result.features.push_back({.name = item.text()});
      continue;
    }
    item.expect(Json::Kind::object, "a feature");
    Feature feature{.name = text(item.at("name"), "'name'")};
    if (const auto categories = item.find("categories"))
      feature.categories = texts(*categories, "'categories'");
    const auto flag = [&](const std::string& name) {
      const auto found = item.find(name);
      return found && found->expect(Json::Kind::boolean, "'" + name + "'").text() == "true";
    };
    feature.other = flag("other");
    feature.date = flag("date");
    if (const auto median = item.find("median")) feature.median = number(*median, "'median'");
    if (const auto periods = item.find("periods")) {
      feature.periods = numbers(*periods, "'periods'");
      for (const double period : feature.periods)
        if (!(period > 0) || !std::isnormal(period))
          throw Error("a period must be above 0", periods->where());
    }
    if (!feature.categories.empty() && (feature.date || feature.median || !feature.periods.empty()))
      throw Error("a feature with categories has no 'date', 'median' or 'periods'", item.where());
    result.features.push_back(std::move(feature));
  }
  result.target = text(json.at("target"), "'target'");
  if (const auto classes = json.find("classes")) result.classes = texts(*classes, "'classes'");
  if (const auto whole = json.find("wholeTarget")) {
    const std::vector<double> range = numbers(*whole, "'wholeTarget'");
    if (range.size() != 2 || range[0] > range[1] || range[1] - range[0] >= 200 ||
        std::floor(range[0]) != range[0] || std::floor(range[1]) != range[1])
      throw Error("'wholeTarget' must be two whole numbers, in order and less than 200 apart",
                  whole->where());
    if (!result.classes.empty()) throw Error("'wholeTarget' is of a regression", whole->where());
    result.whole = {range[0], range[1]};
  }
  std::vector<std::string> columns{result.target};
  for (const Feature& feature : result.features) {
    columns.push_back(feature.name);
    refuse_twice(feature.categories, "the category", json.where());
  }
  refuse_twice(columns, "the column", json.where());
  refuse_twice(result.classes, "the class", json.where());
  return result;
}

bnn::Standardisation read_standardisation(const Json::Value& json, std::size_t inputs) {
  json.expect(Json::Kind::object, "'standardisation'");
  bnn::Standardisation result;
  result.input_mean = numbers(json.at("inputMean"), "'inputMean'");
  result.input_scale = numbers(json.at("inputScale"), "'inputScale'");
  if (result.input_mean.size() != inputs || result.input_scale.size() != inputs)
    throw Error(
        fmt::format("the schema has {} inputs; as many means and scales are needed", inputs),
        json.where());
  if (const auto mean = json.find("targetMean")) result.target_mean = number(*mean, "'targetMean'");
  if (const auto scale = json.find("targetScale"))
    result.target_scale = number(*scale, "'targetScale'");
  if (const auto transform = json.find("targetTransform")) {
    try {
      result.target_transform = bnn::target_transform(text(*transform, "'targetTransform'"));
    } catch (const Error& error) {
      throw Error(error.what(), transform->where());
    }
  }
  const auto limits = [&](const char* name) {
    const auto found = json.find(name);
    if (!found) return std::vector<double>();
    std::vector<double> entries = numbers(*found, fmt::format("'{}'", name));
    if (entries.size() != inputs)
      throw Error(fmt::format("the schema has {} inputs; as many limits are needed", inputs),
                  found->where());
    return entries;
  };
  result.input_least = limits("inputLeast");
  result.input_most = limits("inputMost");
  if (result.input_least.size() != result.input_most.size())
    throw Error("'inputLeast' and 'inputMost' go together", json.where());
  for (std::size_t j = 0; j < result.input_least.size(); ++j)
    if (!(result.input_least[j] <= result.input_most[j]))
      throw Error("an input's least value is above its most", json.where());
  if (const auto clip = json.find("inputClip")) result.input_clip = number(*clip, "'inputClip'");
  if (result.input_clip < 0) throw Error("'inputClip' must not be below 0", json.where());
  if (result.target_scale <= 0 ||
      std::ranges::any_of(result.input_scale, [](double scale) { return scale <= 0; }))
    throw Error("a scale must be above 0", json.where());
  if (!bnn::can_compute_with(result.target_mean, result.target_scale))
    throw Error("'targetMean' or 'targetScale' is too large or too small to compute with",
                json.where());
  return result;
}

bnn::PredictiveChoice read_predictive(const Json::Value& json) {
  json.expect(Json::Kind::object, "'predictive'");
  bnn::PredictiveChoice result;
  const auto read = [&](const std::string& name, double& value, double least, double most) {
    const auto found = json.find(name);
    if (!found) return;
    value = number(*found, "'" + name + "'");
    if (!(value >= least && value <= most))
      throw Error(fmt::format("'{}' must be from {} to {}", name, least, most), found->where());
  };
  if (const auto collapsed = json.find("collapsed"))
    result.collapsed = collapsed->expect(Json::Kind::boolean, "'collapsed'").text() == "true";
  read("lambda", result.lambda, 0, 1e12);
  if (const auto at_sample = json.find("priorAtSample"))
    result.at_sample = at_sample->expect(Json::Kind::boolean, "'priorAtSample'").text() == "true";
  read("temperature", result.temperature, 0, 1e6);
  read("scale", result.scale, 1e-6, 1e6);
  read("outliers", result.outliers, 0, 1);
  read("outlierScale", result.outlier_scale, 1e-6, 1e6);
  read("freedom", result.freedom, 0, most_freedom);
  if (result.freedom > 0 && result.freedom < least_freedom)
    throw Error(fmt::format("'freedom' must be 0, or from {}", least_freedom), json.where());
  read("evidencePower", result.evidence_power, 0, 1e6);
  if (const auto weights = json.find("weights"))
    for (const Json::Value& each : weights->expect(Json::Kind::array, "'weights'").items()) {
      result.weights.push_back(number(each, "a weight of a sample"));
      if (!(result.weights.back() >= 0 && result.weights.back() <= 1))
        throw Error("a weight of a sample must be from 0 to 1", each.where());
    }
  return result;
}

JsonObject written(const bnn::PredictiveChoice& choice) {
  JsonObject result(JsonSpacing::blanks);
  result.add("collapsed", choice.collapsed)
      .add("lambda", choice.lambda)
      .add("priorAtSample", choice.at_sample)
      .add("temperature", choice.temperature)
      .add("scale", choice.scale)
      .add("outliers", choice.outliers)
      .add("outlierScale", choice.outlier_scale);
  if (choice.freedom > 0) result.add("freedom", choice.freedom);
  if (choice.evidence_power > 0) result.add("evidencePower", choice.evidence_power);
  JsonArray weights(JsonSpacing::blanks);
  for (const double weight : choice.weights) weights.add(weight);
  if (!weights.empty()) result.add("weights", weights);
  return result;
}

SampleEntry read_entry(const Json::Value& json) {
  SampleEntry result;
  if (json.kind() == Json::Kind::string) {
    result.file = json.text();
  } else {
    json.expect(Json::Kind::object, "a sample");
    result.file = text(json.at("file"), "'file'");
    if (const auto trajectory = json.find("trajectory"))
      result.trajectory = natural(*trajectory, "'trajectory'");
  }
  // A run from elsewhere must not name files outside of its directory.
  const std::filesystem::path path(result.file);
  if (result.file.empty() || path.is_absolute() ||
      std::ranges::find(path, std::filesystem::path("..")) != path.end())
    throw Error("the file of a sample must lie in the directory", json.where());
  return result;
}

JsonText list(const auto& values) { return JsonArray::of(values, JsonSpacing::blanks); }

JsonObject object() { return JsonObject(JsonSpacing::blanks); }

JsonObject written(const bnn::Observation& observation) {
  JsonObject result = object();
  result.add("kind", word(kinds, observation.kind));
  if (observation.regression())
    result.add("link", word(links, observation.link))
        .add("leastVariance", observation.least_variance);
  const bnn::Tails& tails = observation.tails;
  if (tails.kind != bnn::Tails::Kind::normal) result.add("tails", bnn::name(tails.kind));
  if (tails.kind == bnn::Tails::Kind::student) result.add("freedom", tails.freedom);
  if (tails.kind == bnn::Tails::Kind::two_scale)
    result.add("outliers", tails.outliers).add("outlierScale", tails.outlier_scale);
  return result;
}

JsonObject written(const Schema& schema) {
  JsonArray features(JsonSpacing::blanks);
  for (const Feature& feature : schema.features) {
    JsonObject entry = object();
    entry.add("name", feature.name);
    if (!feature.categories.empty()) entry.add("categories", list(feature.categories));
    if (feature.other) entry.add("other", true);
    if (feature.date) entry.add("date", true);
    if (feature.median) entry.add("median", *feature.median);
    if (!feature.periods.empty()) entry.add("periods", list(feature.periods));
    features.line(2).add(entry);
  }
  JsonObject result = object();
  result.add("features", features).line(1).add("target", schema.target);
  if (!schema.classes.empty()) result.add("classes", list(schema.classes));
  if (schema.whole)
    result.add("wholeTarget", list(std::vector{schema.whole->least, schema.whole->most}));
  return result;
}

JsonObject written(const bnn::Standardisation& standardisation) {
  JsonObject result = object();
  result.add("inputMean", list(standardisation.input_mean))
      .line(1)
      .add("inputScale", list(standardisation.input_scale))
      .line(1)
      .add("targetMean", standardisation.target_mean)
      .add("targetScale", standardisation.target_scale);
  if (standardisation.target_transform != bnn::TargetTransform::none)
    result.add("targetTransform", bnn::name(standardisation.target_transform));
  if (!standardisation.input_least.empty())
    result.line(1)
        .add("inputLeast", list(standardisation.input_least))
        .line(1)
        .add("inputMost", list(standardisation.input_most));
  if (standardisation.input_clip > 0) result.add("inputClip", standardisation.input_clip);
  return result;
}

/// The recipe, a JSON object, with a line for each member.
JsonObject written(const Json& recipe) {
  JsonObject result = object();
  for (const Json::Value& item : recipe.root().expect(Json::Kind::object, "a recipe").items())
    result.line(2).add(item.key(), JsonText::verbatim(compact(item)));
  return result;
}

}  // namespace

Run parse_run(const std::string& bytes) {
  const Json json(bytes);
  const Json::Value root = json.root();
  root.expect(Json::Kind::object, "a run");
  if (const Json::Value format = root.at("format"); text(format, "'format'") != format_name)
    throw Error(fmt::format("'format' must be \"{}\"", format_name), format.where());
  Run run;
  run.network = parse_description(root.at("network"));
  encoders::check_names(run.network);
  run.observation = read_observation(root.at("likelihood"));
  run.schema = read_schema(root.at("schema"));
  if (run.observation.regression() != run.schema.classes.empty())
    throw Error("a classification has classes in its schema, a regression has none",
                root.at("schema").where());
  const std::size_t inputs = input_count(run.schema);
  if (encoders::entry_count(run.network.input) != inputs)
    throw Error(fmt::format("the schema has {} inputs, and the network {}", inputs,
                            encoders::entry_count(run.network.input)),
                root.at("schema").where());
  run.standardisation = read_standardisation(root.at("standardisation"), inputs);
  if (const auto hash = root.find("dataHash")) run.data_hash = text(*hash, "'dataHash'");
  if (const auto seed = root.find("seed")) run.seed = natural(*seed, "'seed'");
  if (const auto recipe = root.find("recipe")) run.recipe = compact(*recipe);
  if (const auto predictive = root.find("predictive"))
    run.predictive = read_predictive(*predictive);
  if (const auto complete = root.find("complete"))
    run.complete = complete->expect(Json::Kind::boolean, "'complete'").text() == "true";
  if (const auto failure = root.find("failure")) run.failure = text(*failure, "'failure'");
  for (const Json::Value& item : root.at("samples").expect(Json::Kind::array, "'samples'").items())
    run.samples.push_back(read_entry(item));
  return run;
}

std::string to_json(const Run& run) {
  std::string network = description(run.network);
  while (network.ends_with('\n')) network.pop_back();
  JsonArray samples(JsonSpacing::blanks);
  for (const SampleEntry& sample : run.samples)
    samples.line(2).add(object().add("file", sample.file).add("trajectory", sample.trajectory));
  JsonObject result = object();
  const auto add = [&](std::string_view name, const JsonText& value) {
    if (!result.empty()) result.line(0);
    result.add(name, value);
  };
  add("format", format_name);
  add("network", JsonText::verbatim(network));
  add("likelihood", written(run.observation));
  add("schema", written(run.schema));
  add("standardisation", written(run.standardisation));
  add("dataHash", run.data_hash);
  add("seed", run.seed);
  if (!run.recipe.empty()) add("recipe", written(Json(run.recipe)));
  if (run.predictive) add("predictive", written(*run.predictive));
  add("complete", run.complete);
  if (!run.failure.empty()) add("failure", run.failure);
  add("samples", samples);
  return result.text() + "\n";
}

}  // namespace wmi::frontends
