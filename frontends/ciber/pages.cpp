#include "frontends/ciber/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "frontends/ciber/convert_command.h"
#include "frontends/ciber/job_table.h"
#include "frontends/ciber/learning.h"
#include "frontends/ciber/network_commands.h"
#include "frontends/ciber/verify/verify_command.h"
#include "frontends/cli/completion.h"
#include "frontends/cli/manual.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/line.h"
#include "frontends/common/write_file.h"
#include "frontends/wmi/command.h"
#include "frontends/wmi/jobs/job_commands.h"

namespace wmi::frontends {
namespace {

void write_all_pages(const std::string& directory, std::span<const Command> commands) {
  const std::filesystem::path root = directory;
  const auto write = [&](const std::filesystem::path& file, const std::string& text) {
    std::error_code error;  // if the directory cannot be made, saving the file fails and says so
    std::filesystem::create_directories((root / file).parent_path(), error);
    save((root / file).string(), text);
  };
  for (const Command& command : commands)
    write("man/man1/" + command.page_name() + ".1", manual_page(command, commands));
  for (const Command& command : wmi_commands())
    write("man/man1/" + command.page_name() + ".1", manual_page(command, commands));
  // Under the names that the shells look for: bash finds a file by the name of the program.
  write("bash-completion/completions/ciber", completion("bash", commands));
  write("bash-completion/completions/wmi", completion("bash", commands));
  write("zsh/site-functions/_ciber", completion("zsh", commands));
  write("fish/vendor_completions.d/ciber.fish", completion("fish", commands));
  write("fish/vendor_completions.d/wmi.fish", completion("fish", commands));
}

int print_manual(const Settings& settings, std::span<const Command> commands, Terminal& terminal) {
  const std::vector<std::string>& words = settings.words();
  if (words.size() > 1 || (settings.has("write") && !words.empty()))
    throw UsageError("man: takes one COMMAND, or --write DIR");
  if (settings.has("write")) {
    write_all_pages(settings.text("write"), commands);
    return 0;
  }
  const std::string wanted = words.empty() ? "ciber" : words[0];
  const auto found = std::ranges::find(commands, wanted, &Command::name);
  if (found == commands.end()) {
    std::vector<std::string_view> names;
    for (const Command& command : commands) names.push_back(command.name);
    throw UsageError(fmt::format("man: no page about '{}'; choose {}", one_line(wanted),
                                 fmt::join(names, ", ")));
  }
  terminal.print(manual_page(*found, commands));
  return 0;
}

int print_completion(const Settings& settings, std::span<const Command> commands,
                     Terminal& terminal) {
  const std::vector<std::string>& words = settings.words();
  if (words.size() != 1 || std::ranges::find(shells, words[0]) == std::end(shells))
    throw UsageError("completion: name a shell: bash, zsh or fish");
  terminal.print(completion(words[0], commands));
  return 0;
}

Command ciber_command() {
  static constexpr Setting settings[] = {
      {"help", "", "", "print the commands"},
      {"version", "", "", "print the version"},
  };
  return {.name = "ciber",
          .usage = "COMMAND ...",
          .description =
              "Trains networks, samples their weights, collapses some of them "
              "and averages over these exactly; answers exact questions about "
              "networks that are partly unknown.",
          .settings = settings,
          .summary = "Bayesian model averaging of neural networks, exact where it can be",
          .program = "",
          .configurable = false};
}

Command completion_command(std::vector<Command> learning) {
  return {.name = "completion",
          .usage = "bash|zsh|fish",
          .description = "Prints a completion of ciber and wmi, to be sourced by the shell.",
          .settings = {},
          .examples =
              "  source <(ciber completion bash)\n"
              "  ciber completion fish > ~/.config/fish/completions/ciber.fish\n",
          .run =
              [learning = std::move(learning)](const Settings& settings, Terminal& terminal) {
                return print_completion(settings, all_commands(learning), terminal);
              },
          .summary = "completion of command lines for bash, zsh or fish",
          .words = {std::begin(shells), std::end(shells)},
          .configurable = false};
}

/// `names` are those of all other commands.
Command man_command(std::vector<Command> learning, std::vector<std::string> names) {
  static constexpr Setting settings[] = {
      {"write", "DIR", "",
       "instead, write all pages and completions under DIR, as they are installed in share/"},
  };
  names.emplace_back("man");
  return {.name = "man",
          .usage = "[COMMAND] [--write DIR]",
          .description = "Prints a manual page; without COMMAND, that of ciber.",
          .settings = settings,
          .examples = "  ciber man query | man -l -\n",
          .run =
              [learning = std::move(learning)](const Settings& given, Terminal& terminal) {
                return print_manual(given, all_commands(learning), terminal);
              },
          .summary = "the manual page of a command",
          .words = std::move(names),
          .configurable = false};
}

}  // namespace

std::vector<Command> all_commands(std::span<const Command> learning) {
  std::vector<Command> result{wmi_command(), ciber_command()}, shown;
  for (const LearningCommand& line : learning_commands) {
    const auto found = std::ranges::find(learning, line.name, &Command::name);
    if (found == learning.end()) continue;
    shown.push_back(*found);
    shown.back().summary = line.description;
  }
  result.insert(result.end(), shown.begin(), shown.end());
  result.push_back(query_network_command());
  result.push_back(encode_network_command());
  result.push_back(verify_command());
  result.push_back(convert_command());
  for (Command& command : job_commands("ciber", ciber_job_commands()))
    result.push_back(std::move(command));
  result.push_back(completion_command(shown));
  std::vector<std::string> names;
  names.reserve(result.size());
  for (const Command& command : result) names.emplace_back(command.name);
  result.push_back(man_command(std::move(shown), std::move(names)));
  return result;
}

std::span<const std::string_view> config_sections() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> result;
    result.reserve(std::size(learning_commands));
    for (const LearningCommand& command : learning_commands) result.push_back(command.name);
    for (const Command& command : all_commands())
      if (!command.program.empty() && command.configurable) result.push_back(command.name);
    return result;
  }();
  return names;
}

std::string overview() {
  std::string text = "usage: ciber COMMAND ...\n";
  for (const LearningCommand& command : learning_commands)
    text += fmt::format("  {:<10} {}\n", command.name, command.description);
  for (const Command& command : all_commands())
    if (!command.program.empty())
      text += fmt::format("  {:<10} {}\n", command.name, command.summary);
  return text + "ciber COMMAND --help says more.\n";
}

}  // namespace wmi::frontends
