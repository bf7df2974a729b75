// ciber: exact answers about networks that are partly unknown. Each command is a line of the table;
// what it does not know itself, it leaves to the options of wmi, whose engine it drives.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "frontends/ciber/embedded_problem.h"
#include "frontends/ciber/learning.h"
#include "frontends/ciber/network_query.h"
#include "frontends/ciber/pages.h"
#include "frontends/cli/config.h"
#include "frontends/cli/program.h"
#include "frontends/common/line.h"
#include "frontends/networks/network.h"
#include "frontends/wmi/answer_files.h"
#include "frontends/wmi/options.h"
#include "solver/terms/error.h"

#ifndef WMI_VERSION
#define WMI_VERSION "unknown"
#endif

using namespace wmi;
using namespace wmi::frontends;

namespace {

/// Takes from the arguments what belongs to the network and the questions, in their order.
NetworkQuery take_query(std::vector<std::string>& arguments) {
  NetworkQuery asked;
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string name = arguments[i];
    std::optional<std::string> value;
    if (const std::size_t sign = name.find('=');
        name.starts_with("--") && sign != std::string::npos) {
      value = name.substr(sign + 1);
      name.resize(sign);
    }
    const auto take = [&] {
      if (!value && i + 1 < arguments.size()) value = arguments[++i];
      if (!value || value->empty()) throw UsageError(name + ": needs a value");
      return *value;
    };
    const auto take_once = [&](std::string& target) {
      if (!target.empty()) throw UsageError(name + ": given twice");
      target = take();
    };
    const auto question = std::ranges::find_if(question_table(), [&](const QuestionEntry& entry) {
      return name == "--" + std::string(entry.name);
    });
    if (name == "--input")
      take_once(asked.input);
    else if (name == "--unknown")
      asked.unknowns.push_back(take());
    else if (name == "--likelihood")
      take_once(asked.likelihood);
    else if (name == "--output")
      asked.outputs.push_back(take());
    else if (name == "--given")
      take_once(asked.given);
    else if (name == "--width")
      take_once(asked.width);
    else if (question != question_table().end() && question->argument.empty() && value)
      throw UsageError(name + ": takes no value");
    else if (question != question_table().end())
      asked.questions.emplace_back(question->name, question->argument.empty() ? "" : take());
    else if (name == "--") {  // files only
      rest.insert(rest.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
      break;
    } else
      rest.push_back(arguments[i]);
  }
  arguments = std::move(rest);
  return asked;
}

int query(std::vector<std::string> arguments, bool write, Terminal& terminal) {
  if (std::ranges::find(arguments, "--help") != arguments.end() ||
      std::ranges::find(arguments, "-h") != arguments.end()) {
    terminal.print(query_help(write ? encode_page() : query_page()));
    return 0;
  }
  const std::vector<ManualOption> known = network_query_options(write);
  arguments = with_config(arguments, write ? "encode" : "query", known);
  if (std::ranges::find(arguments, "--print-config") != arguments.end()) {
    terminal.print(config_json(arguments, known));
    return 0;
  }
  NetworkQuery asked = take_query(arguments);
  if (write) {  // in the words of wmi
    bool placed = false;
    for (std::string& argument : arguments)
      if (argument == "--out" || argument.starts_with("--out=")) {
        argument.replace(0, 5, "--write-smtlib");
        placed = true;
      }
    if (!placed) arguments.insert(arguments.end(), {"--write-smtlib", "-"});
  } else if (asked.questions.empty()) {
    asked.questions.emplace_back(asked.likelihood.starts_with("cubic") ? "class" : "mean", "");
  }
  std::vector<const char*> words{"ciber"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  const auto options = read_options(static_cast<int>(words.size()), words.data());
  if (const auto* const text = std::get_if<std::string>(&options)) {
    terminal.print(*text);
    return 0;
  }
  return answer(
      std::get<Options>(options), terminal,
      [&](const std::string& file) { return Script{make_task(read_network(file), asked)}; },
      [&](const std::string& file) {
        const EmbeddedProblem problem = embedded_problem(read_network(file), asked);
        std::ostringstream head;
        problem.write(head);
        return EmbeddedScript{head.str(), read_smtlib({file, problem.text()})};
      });
}

/// What the manual says; the program of the learning commands knows theirs too, if it is there.
int tell(const std::string& command, std::vector<std::string> arguments, Terminal& terminal) {
  arguments.insert(arguments.begin(), command);
  if (has_learning()) run_learning(arguments);
  return manual(arguments, {}, terminal);
}

struct Command {
  std::string_view name;
  std::string_view description;
  int (*run)(std::vector<std::string> arguments, Terminal& terminal);
};

constexpr Command commands[] = {
    {"query", "answers questions about a partly unknown network",
     [](std::vector<std::string> arguments, Terminal& terminal) {
       return query(std::move(arguments), false, terminal);
     }},
    {"encode", "writes such a network as an SMT-LIB file",
     [](std::vector<std::string> arguments, Terminal& terminal) {
       return query(std::move(arguments), true, terminal);
     }},
    {"completion", "completion of command lines for bash, zsh or fish",
     [](std::vector<std::string> arguments, Terminal& terminal) {
       return tell("completion", std::move(arguments), terminal);
     }},
    {"man", "the manual page of a command",
     [](std::vector<std::string> arguments, Terminal& terminal) {
       return tell("man", std::move(arguments), terminal);
     }},
};

/// The first word is that of a run directory, not of a network.
bool names_directory(const std::vector<std::string>& words) {
  std::error_code error;
  return !words.empty() && std::filesystem::is_directory(words[0], error);
}

std::string overview() {
  std::string text = "usage: ciber COMMAND ...\n";
  for (const LearningCommand& command : learning_commands)
    text += fmt::format("  {:<10} {}\n", command.name, command.description);
  for (const Command& command : commands)
    text += fmt::format("  {:<10} {}\n", command.name, command.description);
  return text + "ciber COMMAND --help says more.\n";
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  Terminal terminal("ciber");
  return guarded(terminal, [&]() -> int {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h") {
      terminal.print(overview());
      return arguments.empty() ? 2 : 0;
    }
    if (arguments[0] == "--version") {
      terminal.print("ciber " WMI_VERSION "\n");
      return 0;
    }
    const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    if (arguments[0] == "encode" && names_directory(rest)) run_learning(arguments);
    for (const Command& command : commands)
      if (command.name == arguments[0]) return command.run(rest, terminal);
    for (const LearningCommand& command : learning_commands)
      if (command.name == arguments[0]) run_learning(arguments);
    throw UsageError("no command '" + one_line(arguments[0]) + "'; see ciber --help");
  });
}
