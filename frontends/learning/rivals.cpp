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

std::vector<bnn::Forecast> read_forecasts(const RivalTask& task,
                                          const std::vector<std::string>& cells) {
  const std::size_t rows = task.test.inputs.rows(), width = task.classes > 0 ? task.classes : 2;
  if (cells.size() != 1 + rows * width)
    throw Error(fmt::format("rivals: {} printed {} numbers for {} rows", one_line(cells[0]),
                            cells.size() - 1, rows));
  std::vector<bnn::Forecast> result;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> values;
    for (std::size_t j = 0; j < width; ++j) values.push_back(number(cells[1 + i * width + j]));
    if (task.classes > 0) {
      result.emplace_back().probabilities = values;
      continue;
    }
    const bnn::OutputLaw<double> normal{values[0], {}, 0, {}, values[1]};
    const bnn::Predictive law(std::span(&normal, 1), {}, task.standardisation);
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
  save(file("rivals-train.csv"), csv(task.training, true));
  save(file("rivals-test.csv"), csv(task.test, false));
  const int status = run_child({python, "-", task.classes > 0 ? "classification" : "regression",
                                std::to_string(task.classes), std::to_string(task.seed % 1'000'000),
                                file("rivals-train.csv"), file("rivals-test.csv")},
                               {file("rivals.py"), file("rivals.csv"), file("rivals.log")}, stop);
  if (status == 127) throw Error(one_line(python) + ": this Python cannot be run");
  std::vector<Rival> result;
  std::istringstream lines(read_file(file("rivals.csv")));
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> cells = comma_separated(line);
    if (cells[0] == "missing" && cells.size() == 3)
      result.push_back({cells[1], {}, cells[2]});
    else
      result.push_back({cells[0], read_forecasts(task, cells), ""});
  }
  if (status != 0)
    throw Error(fmt::format("{}: rivals ended with status {}; see {}", one_line(python), status,
                            one_line(file("rivals.log"))));
  return result;
}

}  // namespace wmi::frontends
