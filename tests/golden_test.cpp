// Runs one golden file: a problem that carries its answers.
//
//     golden_test WMI FILE
//
// Comments of the file, or of FILE.expect for formats without comments, say how it is run and what
// is expected, one `; KEY: VALUE` on a line:
//
//     run             options of one run of wmi; without any, there is one run with none
//     expect          the answers, in the order of the queries: a rational number, `undefined`,
//                     `sat`, `unsat` or the text of an echo; of a distribution its mean, its point
//                     masses and its pieces: 3/4; 1/2 at 0; 1/6 from 0 to 3 (coefficients
//                     ascending)
//     expect-error    LINE:COLUMN: MESSAGE on stderr, as printed after the name of the file
//     expect-warning  a text that stderr contains
//     expect-exit     the exit code; by default 1 with an expect-error, else 0
//
// An enclosure passes if it contains the expected number. A file without errors is also run with a
// --gap, which no enclosure may exceed.

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "solver/terms/rational.h"
#include "tests/process.h"

namespace {

using nlohmann::json;
using wmi::Rational;

struct Golden {
  std::vector<std::string> runs;
  std::vector<std::string> answers;
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
  std::optional<int> exit;
};

Golden read_golden(const std::string& file) {
  const std::string beside = file + ".expect";
  std::ifstream in(std::filesystem::exists(beside) ? beside : file);
  if (!in) throw std::runtime_error("cannot be read");
  const std::regex comment(R"(^;\s*(run|expect|expect-[a-z]+):\s*(.*?)\s*$)");
  Golden golden;
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, comment)) continue;
    const std::string key = match[1], value = match[2];
    if (key == "run")
      golden.runs.push_back(value);
    else if (key == "expect")
      golden.answers.push_back(value);
    else if (key == "expect-error")
      golden.errors.push_back(value);
    else if (key == "expect-warning")
      golden.warnings.push_back(value);
    else if (key == "expect-exit")
      golden.exit = std::stoi(value);
    else
      throw std::runtime_error("says '" + key + "', which is not a key");
  }
  if (golden.answers.empty() && golden.errors.empty() && golden.warnings.empty() && !golden.exit)
    throw std::runtime_error("expects nothing; give it an `; expect: VALUE` line");
  if (golden.runs.empty()) golden.runs = {"", "--enumerator z3"};
  return golden;
}

std::optional<Rational> number(const std::string& text) {
  static const std::regex rational(R"(-?[0-9]+(/[0-9]+)?)");
  static const std::regex decimal(R"(-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?)");
  if (std::regex_match(text, rational)) {
    Rational value(text);
    value.canonicalize();
    return value;
  }
  if (std::regex_match(text, decimal)) return wmi::parse_number(text);
  return std::nullopt;
}

std::optional<Rational> number(const json& answer, const char* field) {
  const auto found = answer.find(field);
  if (found == answer.end() || !found->is_string()) return std::nullopt;
  return number(found->get<std::string>());
}

/// A distribution as `expect` writes it: `3/4; 1/2 at 0; 1/6 from 0 to 3`.
std::string law(const json& answer) {
  std::string result = answer.at("exact").get<std::string>();
  for (const json& atom : answer.at("atoms"))
    result += "; " + atom.at("mass").get<std::string>() + " at " + atom.at("at").get<std::string>();
  for (const json& piece : answer.at("pieces")) {
    result += ";";
    for (const json& coefficient : piece.at("coefficients"))
      result += " " + coefficient.get<std::string>();
    result +=
        " from " + piece.at("from").get<std::string>() + " to " + piece.at("to").get<std::string>();
  }
  return result;
}

/// Of the last run of each file; far wider than rounding of printed digits.
const char* const gap = "1/64";

/// Whether the bounds are within the gap, up to the rounding of printed digits.
bool narrow(const json& answer) {
  const std::optional<Rational> lower = number(answer, "lower"), upper = number(answer, "upper");
  return !lower || !upper ||
         *upper - *lower <= Rational(gap) * (1 + wmi::power(Rational(wmi::ratio(1, 10)), 9));
}

bool right(const json& answer, const std::string& expected) {
  if (answer.contains("pieces")) return law(answer) == expected && number(answer, "decimal");
  const json exact = answer.value("exact", json());
  if (expected == "undefined")
    return answer.contains("undefined") && exact.is_null() &&
           answer.value("decimal", json()).is_null();
  const std::optional<Rational> value = number(expected);
  if (!value) return answer.value("answer", answer.value("echo", "")) == expected;

  if (!exact.is_null() && number(answer, "exact") != value) return false;
  const std::optional<Rational> lower = number(answer, "lower"), upper = number(answer, "upper");
  return lower && upper && *lower <= *value && *value <= *upper && number(answer, "decimal");
}

std::vector<json> lines_of_json(const std::string& text) {
  std::vector<json> objects;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) objects.push_back(json::parse(line));
  return objects;
}

/// The failures of one run, a line each.
std::vector<std::string> check(const Golden& golden, const std::string& file,
                               const Finished& finished, bool with_gap) {
  std::vector<std::string> complaints;
  const int exit = golden.exit.value_or(golden.errors.empty() ? 0 : 1);
  if (finished.exit != exit)
    complaints.push_back("exit " + std::to_string(finished.exit) + " instead of " +
                         std::to_string(exit));

  std::vector<json> found = lines_of_json(finished.output);
  if (!golden.errors.empty())  // a refused query has its object, and its line on stderr
    std::erase_if(found, [](const json& object) { return object.contains("error"); });
  for (std::size_t i = 0; i < std::max(found.size(), golden.answers.size()); ++i) {
    if (i >= found.size())
      complaints.push_back("no answer where " + golden.answers[i] + " is expected");
    else if (i >= golden.answers.size())
      complaints.push_back("an unexpected answer: " + found[i].dump());
    else if (!right(found[i], golden.answers[i]) || (with_gap && !narrow(found[i])))
      complaints.push_back(found[i].dump() + " where " + golden.answers[i] + " is expected");
  }

  for (const std::string& error : golden.errors) {
    const bool placed = std::regex_search(error, std::regex("^[0-9]+:[0-9]+: "));
    const std::string line = "wmi: " + file + (placed ? ":" : ": ") + error + "\n";
    if (finished.errors.find(line) == std::string::npos)
      complaints.push_back("stderr lacks: " + line);
  }
  for (const std::string& warning : golden.warnings)
    if (finished.errors.find(warning) == std::string::npos)
      complaints.push_back("stderr lacks: " + warning);
  if (golden.errors.empty() && golden.warnings.empty() && exit == 0 && !finished.errors.empty())
    complaints.emplace_back("unexpected output on stderr");
  return complaints;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: golden_test WMI FILE\n";
    return 2;
  }
  const std::string program = argv[1], file = argv[2];
  bool failed = false;
  try {
    Golden golden = read_golden(file);
    const std::string with_gap = std::string("--gap ") + gap;
    if (golden.errors.empty()) golden.runs.push_back(with_gap);
    for (const std::string& options : golden.runs) {
      const std::string command = quoted(program) + " --json " + options + " " + quoted(file);
      const Finished finished = run(command);
      const std::vector<std::string> complaints =
          check(golden, file, finished, options == with_gap);
      if (complaints.empty()) continue;
      failed = true;
      std::cout << command << '\n';
      for (const std::string& complaint : complaints) std::cout << "  " << complaint << '\n';
      std::cout << "  stderr: " << finished.errors << '\n';
    }
  } catch (const std::exception& error) {
    std::cout << file << ": " << error.what() << '\n';
    return 1;
  }
  return failed ? 1 : 0;
}
