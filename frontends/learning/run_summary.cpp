#include "frontends/learning/run_summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "frontends/data/schema.h"
#include "frontends/data/table.h"
#include "frontends/formats/json.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t most_names = 12;  // of inputs, of classes

std::string listed(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), most_names);
  std::string result = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < names.size()) result += fmt::format(" and {} more", names.size() - shown);
  return result;
}

std::string tails_text(const bnn::Tails& tails) {
  switch (tails.kind) {
    case bnn::Tails::Kind::student:
      return fmt::format("Student's law of {} degrees of freedom", tails.freedom);
    case bnn::Tails::Kind::two_scale:
      return fmt::format("Gaussian, {} times as wide for {:.3g} % of the outcomes",
                         tails.outlier_scale, 100 * tails.outliers);
    default:
      return "Gaussian";
  }
}

std::string observation_text(const bnn::Observation& observation) {
  using Kind = bnn::Observation::Kind;
  const std::string tails = tails_text(observation.tails);
  switch (observation.kind) {
    case Kind::heteroscedastic:
      return tails + ", with a variance of its own for each row: the network's second output";
    case Kind::homoscedastic:
      return tails + ", with one variance for all rows";
    case Kind::softmax:
      return "classes, by softmax";
    case Kind::sigmoid:
      return "two classes, by sigmoid";
  }
  return "";
}

std::string_view type_of(const encoders::Layer& layer) {
  return std::visit([](const auto& type) { return std::string_view(type.keyword); }, layer);
}

double number(const std::string& cell) {
  double value = 0;
  const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc() && stop == cell.data() + cell.size()
             ? value
             : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> run_facts(const Run& run, std::size_t rows,
                                                           const bnn::Weights& sample) {
  std::vector<std::pair<std::string, std::string>> facts;
  if (rows > 0) facts.emplace_back("training rows", std::to_string(rows));
  facts.emplace_back("target",
                     run.schema.classes.empty()
                         ? run.schema.target + ", a number"
                         : fmt::format("{}, one of {} classes: {}", run.schema.target,
                                       run.schema.classes.size(), listed(run.schema.classes)));
  const std::vector<std::string> inputs = input_names(run.schema);
  facts.emplace_back("inputs", fmt::format("{}: {}", inputs.size(), listed(inputs)));
  std::string layers;
  for (const encoders::NamedLayer& layer : run.network.layers) {
    if (!layers.empty()) layers += ", ";
    layers += type_of(layer.layer);
    if (const auto weight = sample.find(layer.name + ".weight");
        weight != sample.end() && weight->second.shape.size() == 2)
      layers += fmt::format(" {}", weight->second.shape[0]);
  }
  std::size_t parameters = 0;
  for (const auto& [name, tensor] : sample) parameters += tensor.entries.size();
  facts.emplace_back("network", fmt::format("{}; {} parameters", layers, parameters));
  facts.emplace_back("likelihood", observation_text(run.observation));
  std::set<std::size_t> trajectories;
  for (const SampleEntry& entry : run.samples) trajectories.insert(entry.trajectory);
  const std::size_t different = trajectories.size();
  facts.emplace_back("samples", fmt::format("{} from {} {}", run.samples.size(), different,
                                            different == 1 ? "trajectory" : "trajectories"));
  facts.emplace_back("seed", std::to_string(run.seed));
  if (!run.data_hash.empty()) facts.emplace_back("hash of the data", run.data_hash);
  if (!run.complete) facts.emplace_back("state", "the training was interrupted");
  return facts;
}

std::vector<std::pair<std::string, std::string>> layer_facts(const encoders::Network& network,
                                                             const bnn::Weights& sample) {
  std::vector<std::pair<std::string, std::string>> facts;
  for (const encoders::NamedLayer& layer : network.layers) {
    std::string what = fmt::format("{} of {}", type_of(layer.layer), fmt::join(layer.from, ", "));
    for (const auto& [name, tensor] : sample)
      if (name.starts_with(layer.name + "."))
        what += fmt::format("; {} {}", name.substr(layer.name.size() + 1),
                            encoders::to_string(tensor.shape));
    facts.emplace_back(layer.name, what);
  }
  return facts;
}

std::vector<TensorSpread> spread(std::span<const bnn::Weights> samples,
                                 std::span<const std::size_t> trajectories) {
  std::vector<TensorSpread> result;
  if (samples.empty()) return result;
  std::map<std::size_t, std::vector<const bnn::Weights*>> groups;
  for (std::size_t i = 0; i < samples.size(); ++i) groups[trajectories[i]].push_back(&samples[i]);
  for (const auto& [name, tensor] : samples[0]) {
    TensorSpread spread{name, tensor.entries.size()};
    double size = 0, variance = 0;
    std::size_t means = 0, variances = 0;
    for (const auto& [trajectory, group] : groups)
      for (std::size_t k = 0; k < tensor.entries.size(); ++k) {
        const auto count = static_cast<double>(group.size());
        double mean = 0, squares = 0;
        for (const bnn::Weights* sample : group) mean += sample->at(name).entries[k] / count;
        for (const bnn::Weights* sample : group)
          squares += std::pow(sample->at(name).entries[k] - mean, 2);
        size += mean * mean;
        ++means;
        if (group.size() < 2) continue;
        variance += squares / (count - 1);
        ++variances;
      }
    spread.size = means == 0 ? 0 : std::sqrt(size / static_cast<double>(means));
    spread.deviation = variances == 0 ? 0 : std::sqrt(variance / static_cast<double>(variances));
    result.push_back(std::move(spread));
  }
  return result;
}

std::string recipe_lines(const std::string& recipe) {
  std::string result;
  try {
    const Json json(recipe);
    for (const Json::Value& setting : json.root().expect(Json::Kind::object, "settings").items()) {
      if (setting.key() == "chosen") continue;  // choices.txt says it in words
      if (setting.kind() == Json::Kind::array || setting.kind() == Json::Kind::object)
        return recipe;
      result += setting.key() + ": " + setting.text() + "\n";
    }
  } catch (const Error&) {
    return recipe;
  }
  return result;
}

std::vector<LossCurve> loss_curves(std::string_view metrics) {
  const Table table = parse_table(metrics, "metrics.csv");
  const auto column = [&](std::string_view name) -> std::optional<std::size_t> {
    const auto found = std::ranges::find(table.columns, name);
    if (found == table.columns.end()) return std::nullopt;
    return static_cast<std::size_t>(found - table.columns.begin());
  };
  const auto epoch = column("epoch"), trajectory = column("trajectory"), phase = column("phase");
  std::vector<LossCurve> result;
  if (!epoch) return result;
  // The training of a row: a trajectory, or the one that chose the sampling rate.
  const auto training = [&](std::size_t i) -> std::string {
    if (phase && table.cell(i, *phase) == "choice") return "choosing";
    return trajectory ? "trajectory " + table.cell(i, *trajectory) : "training";
  };
  std::vector<std::string> names;  // in the order of the file
  for (std::size_t i = 0; i < table.rows(); ++i)
    if (std::ranges::find(names, training(i)) == names.end()) names.push_back(training(i));
  const auto trainings =
      std::ranges::count_if(names, [](const std::string& name) { return name != "choosing"; });
  for (const std::string& name : names)
    for (const bool validation : {false, true}) {
      const auto values = column(validation ? "validation" : "loss");
      if (!values) continue;
      LossCurve curve{.name = trainings == 1 && name != "choosing" ? "training" : name,
                      .validation = validation};
      for (std::size_t i = 0; i < table.rows(); ++i) {
        const double value = number(table.cell(i, *values));
        if (training(i) != name || std::isnan(value)) continue;
        curve.epochs.push_back(number(table.cell(i, *epoch)));
        curve.values.push_back(value);
      }
      if (!curve.values.empty()) result.push_back(std::move(curve));
    }
  return result;
}

}  // namespace wmi::frontends
