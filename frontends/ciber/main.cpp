// ciber: trains networks and answers questions about them. LibTorch takes half a second to load, so
// what needs it is in a program of its own, ciber-learning, which takes over from this one.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "bnn/training/model.h"
#include "frontends/ciber/job_table.h"
#include "frontends/ciber/learning.h"
#include "frontends/ciber/pages.h"
#include "frontends/cli/program.h"
#include "frontends/cli/suggestion.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/line.h"
#include "frontends/learning/commands.h"

using namespace wmi::frontends;

namespace {

/// The argument of `encode` is a run directory, not a network.
bool names_directory(const std::vector<std::string>& words) {
  std::error_code error;
  return !words.empty() && std::filesystem::is_directory(words[0], error);
}

/// Thrown for a network that only LibTorch can train, before anything is written or printed.
struct NeedsTorch {};

/// The command of this name; of two named `encode`, the one for a run directory or for a network.
const Command* find_command(const std::string& name, const std::vector<std::string>& words,
                            const std::vector<Command>& others) {
  if (name != "encode" || names_directory(words))
    for (const Command& command : commands())
      if (command.name == name) return &command;
  for (const Command& command : others)
    if (!command.program.empty() && command.name == name) return &command;
  return nullptr;
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
  add_job_commands(learning_job_commands());
  return guarded(terminal, [&]() -> int {
    const std::vector<std::string> arguments(argv + std::min(1, argc), argv + argc);
    if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h") {
      terminal.print(overview());
      return arguments.empty() ? 2 : 0;
    }
    const std::string& name = arguments[0];
    const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    if (name == "reproduce") run_learning(arguments);
    const bool describes = name == "man" || name == "completion";
    const std::vector<Command> others =
        describes ? all_commands(described_commands(has_learning())) : all_commands();
    if (name.starts_with("-"))  // an option of ciber itself
      return run(*std::ranges::find(others, "ciber", &Command::name), {name}, terminal);
    const Command* const command = find_command(name, rest, others);
    if (!command) refuse(name, others);
    if (has_learning())
      wmi::bnn::use_tensor_models(
          [](const auto&, const auto&) -> std::unique_ptr<wmi::bnn::Model> { throw NeedsTorch(); });
    try {
      return run(*command, rest, terminal, config_sections());
    } catch (const NeedsTorch&) {
      run_learning(arguments);
    }
  });
}
