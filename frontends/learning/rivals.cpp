#include "frontends/learning/rivals.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "bnn/predictive/predictive.h"
#include "frontends/common/comma_separated.h"
#include "frontends/common/line.h"
#include "frontends/common/read_file.h"
#include "frontends/common/write_file.h"
#include "frontends/learning/child_process.h"
#include "frontends/learning/rivals_script.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

std::string csv(const bnn::Dataset& rows, bool targets) {
  std::string text;
  for (std::size_t i = 0; i < rows.inputs.rows(); ++i) {
    text += fmt::format("{}", fmt::join(rows.inputs.row(i), ","));
    text += targets ? fmt::format(",{}\n", rows.targets[i]) : "\n";
  }
  return text;
}

double number(const std::string& text) {
  double result = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error("rivals: '" + one_line(text) + "' is no number");
  return result;
}

/// The most normal laws that a forecast may be a mixture of.
constexpr double most_components = 1000;

/// From a line `NAME,SECONDS,COUNT,NUMBERS...` as rivals.py describes it.
std::vector<bnn::Forecast> read_forecasts(const RivalTask& task,
                                          const std::vector<std::string>& cells) {
  constexpr std::size_t before = 3;
  const double count = cells.size() > before ? number(cells[before - 1]) : 0;
  if (!(count >= 1 && count <= most_components))
    throw Error(fmt::format("rivals: {} printed no forecasts", one_line(cells[0])));
  const std::size_t rows = task.test.inputs.rows();
  const std::size_t width = task.classes > 0 ? task.classes : 2 * static_cast<std::size_t>(count);
  if (cells.size() != before + rows * width)
    throw Error(fmt::format("rivals: {} printed {} numbers for {} rows", one_line(cells[0]),
                            cells.size() - before, rows));
  std::vector<bnn::Forecast> result;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> values;
    for (std::size_t j = 0; j < width; ++j) values.push_back(number(cells[before + i * width + j]));
    if (task.classes > 0) {
      result.emplace_back().probabilities = values;
      continue;
    }
    std::vector<bnn::OutputLaw<double>> mixture;
    for (std::size_t j = 0; j < width; j += 2)
      mixture.push_back({values[j], {}, 0, {}, values[j + 1]});
    const bnn::Predictive law(mixture, {}, task.standardisation);
    result.push_back(law.forecast(task.standardisation.target_mean +
                                  task.standardisation.target_scale * task.test.targets[i]));
  }
  return result;
}

}  // namespace

std::vector<Rival> run_rivals(const RivalTask& task, const std::string& python,
                              const std::filesystem::path& directory, const std::stop_token& stop) {
  const auto file = [&](const char* name) { return (directory / name).string(); };
  save(file("rivals.py"), std::string(rivals_script));
  save(file("rival_networks.py"), std::string(rival_networks_script));
  save(file("rivals-train.csv"), csv(task.training, true));
  save(file("rivals-test.csv"), csv(task.test, false));
  const int status =
      run_child({python, file("rivals.py"), task.classes > 0 ? "classification" : "regression",
                 std::to_string(task.classes), std::to_string(task.seed % 1'000'000),
                 file("rivals-train.csv"), file("rivals-test.csv")},
                {"", file("rivals.csv"), file("rivals.log")}, stop);
  if (status == 127) throw Error(one_line(python) + ": this Python cannot be run");
  std::vector<Rival> result;
  std::istringstream lines(read_file(file("rivals.csv")));
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> cells = comma_separated(line);
    if (cells[0] == "missing" && cells.size() == 3)
      result.push_back({cells[1], {}, cells[2]});
    else
      result.push_back({cells[0], read_forecasts(task, cells), "", number(cells.at(1))});
  }
  if (status != 0)
    throw Error(fmt::format("{}: rivals ended with status {}; see {}", one_line(python), status,
                            one_line(file("rivals.log"))));
  return result;
}

}  // namespace wmi::frontends
