// ciber: trains networks and answers questions about them. The commands that need LibTorch are in a
// program of their own, ciber-learning, which this one starts.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "frontends/ciber/learning.h"
#include "frontends/ciber/pages.h"
#include "frontends/cli/program.h"
#include "frontends/cli/suggestion.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/line.h"

using namespace wmi::frontends;

namespace {

/// The argument of `encode` is a run directory, not a network.
bool names_directory(const std::vector<std::string>& words) {
  std::error_code error;
  return !words.empty() && std::filesystem::is_directory(words[0], error);
}

/// The manual is complete only where the commands of that program are known.
bool is_of_learning(const std::string& command, const std::vector<std::string>& words) {
  if (command == "encode") return names_directory(words);
  if (command == "man" || command == "completion") return has_learning();
  return std::ranges::find(learning_commands, command, &LearningCommand::name) !=
         learning_commands.end();
}

[[noreturn]] void refuse(const std::string& command, const std::vector<Command>& commands) {
  std::vector<std::string_view> names;
  names.reserve(std::size(learning_commands) + commands.size());
  for (const LearningCommand& each : learning_commands) names.push_back(each.name);
  for (const Command& each : commands)
    if (!each.program.empty()) names.push_back(each.name);
  const std::string_view meant = suggestion(command, names);
  throw UsageError(
      "no command '" + one_line(command) + "'; " +
      (meant.empty() ? "see ciber --help" : "did you mean '" + std::string(meant) + "'?"));
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  Terminal terminal("ciber");
  return guarded(terminal, [&]() -> int {
    const std::vector<std::string> arguments(argv + std::min(1, argc), argv + argc);
    if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h") {
      terminal.print(overview());
      return arguments.empty() ? 2 : 0;
    }
    const std::string& name = arguments[0];
    const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    if (is_of_learning(name, rest)) run_learning(arguments);
    const std::vector<Command> commands = all_commands();
    for (const Command& command : commands) {
      if (command.name == "ciber" && name.starts_with("-"))  // an option of ciber itself
        return run(command, {name}, terminal);
      if (!command.program.empty() && command.name == name)
        return run(command, rest, terminal, config_sections());
    }
    refuse(name, commands);
  });
}
