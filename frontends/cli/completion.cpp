// A completion is a script that lists the words that may come next on a command line: commands,
// options, values of an option. Each shell has a language of its own for it.

#include "frontends/cli/completion.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

std::string joined(const std::vector<std::string>& words, std::string_view separator = " ") {
  std::string result;
  for (const std::string& word : words) {
    if (!result.empty()) result += separator;
    result += word;
  }
  return result;
}

/// In single quotes, for any of the shells but fish.
std::string single_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// `text` with a backslash before each of `special`.
std::string guarded_by_backslash(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The text with which an option is described: the first line of its help.
std::string description(const Setting& setting) { return first_line(help_text(setting)); }

std::string option_name(const Setting& setting) { return "--" + std::string(setting.name); }

std::vector<std::string> choice_names(const Setting& setting) {
  std::vector<std::string> result;
  for (const Choice& choice : choices(setting)) result.emplace_back(choice.name);
  return result;
}

std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> result;
  for (const Setting& setting : all_settings(command)) result.push_back(option_name(setting));
  return result;
}

/// A program and its commands.
struct Program {
  const Command* itself = nullptr;
  std::vector<const Command*> commands;
};

std::string_view program_of(const Command& command) {
  return command.program.empty() ? command.name : command.program;
}

std::map<std::string, Program, std::less<>> programs(std::span<const Command> commands) {
  std::map<std::string, Program, std::less<>> result;
  for (const Command& command : commands) {
    Program& program = result[std::string(program_of(command))];
    if (command.program.empty())
      program.itself = &command;
    else
      program.commands.push_back(&command);
  }
  return result;
}

std::string header(std::string_view shell) {
  return fmt::format("# Written by `ciber completion {}`.\n", shell);
}

// --- bash -----------------------------------------------------------------------------------

std::string bash(std::span<const Command> commands) {
  const auto all = programs(commands);
  std::string values, words, names;
  for (const Command& command : commands) {
    for (const Setting& setting : all_settings(command)) {
      if (setting.argument.empty()) continue;
      const std::vector<std::string> choices = choice_names(setting);
      values += "    " + single_quoted(command.full_name() + " " + option_name(setting)) +
                (choices.empty() ? ") files; return ;;\n"
                                 : ") words " + single_quoted(joined(choices)) + "; return ;;\n");
    }
    if (command.program.empty() && !all.find(command.name)->second.commands.empty()) continue;
    words += "    " + single_quoted(command.full_name()) +
             ") options=" + single_quoted(joined(option_names(command)));
    if (!command.words.empty()) words += " others=" + single_quoted(joined(command.words));
    words += " ;;\n";
  }
  std::string text = header("bash") +
                     "_ciber_completion() {\n"
                     "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
                     "  local command=${COMP_WORDS[0]##*/} options= others=\n"
                     "  words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$word\"); }\n"
                     "  files() { mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); }\n"
                     "  COMPREPLY=()\n"
                     "  if [[ $word == = ]]; then word=\n"
                     "  elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi\n";
  for (const auto& [name, program] : all) {
    names += " " + name;
    if (program.commands.empty()) continue;
    std::vector<std::string> first;
    for (const Command* command : program.commands) first.emplace_back(command->name);
    if (program.itself != nullptr)
      for (const std::string& option : option_names(*program.itself)) first.push_back(option);
    text += "  if [[ $command == " + name +
            " ]]; then\n"
            "    if ((COMP_CWORD == 1)); then words " +
            single_quoted(joined(first)) +
            "; return; fi\n"
            "    command+=\" ${COMP_WORDS[1]}\"\n  fi\n";
  }
  text += "  case \"$command $previous\" in\n" + values + "  esac\n  case \"$command\" in\n" +
          words +
          "  esac\n"
          "  if [[ $word == -* ]]; then words \"$options\"\n"
          "  elif [[ -n $others ]]; then words \"$others\"\n"
          "  else files; fi\n}\n";
  return text + "complete -o filenames -F _ciber_completion" + names + "\n";
}

// --- zsh ------------------------------------------------------------------------------------

std::string zsh_arguments(const Command& command, std::string_view indent) {
  std::string text = std::string(indent) + "_arguments";
  for (const Setting& setting : all_settings(command)) {
    std::string item = option_name(setting);
    if (!setting.argument.empty()) item += "=";
    item += "[" + guarded_by_backslash(description(setting), "[]:\\") + "]";
    if (!setting.argument.empty()) {
      const std::vector<std::string> choices = choice_names(setting);
      item += ":" + guarded_by_backslash(setting.argument, "[]:\\") + ":";
      item += choices.empty() ? "_files" : "(" + joined(choices) + ")";
    }
    text += " \\\n" + std::string(indent) + "  " + single_quoted(item);
  }
  text += " \\\n" + std::string(indent) + "  ";
  return text +
         (command.words.empty() ? single_quoted("*:file:_files")
                                : single_quoted("*:word:(" + joined(command.words) + ")")) +
         "\n";
}

std::string zsh(std::span<const Command> commands) {
  const auto all = programs(commands);
  std::string names, text;
  for (const auto& [name, program] : all) {
    names += " " + name;
    text += "    " + name + ")\n";
    if (program.commands.empty()) {
      text += zsh_arguments(*program.itself, "      ") + "      ;;\n";
      continue;
    }
    text += "      if ((CURRENT == 2)); then\n        local -a commands=(\n";
    for (const Command* command : program.commands)
      text += "          " +
              single_quoted(std::string(command->name) + ":" +
                            guarded_by_backslash(command->summary, ":\\")) +
              "\n";
    text +=
        "        )\n        _describe command commands\n        return\n      fi\n"
        "      local command=$words[2]\n      shift words\n      ((CURRENT--))\n"
        "      case $command in\n";
    for (const Command* command : program.commands)
      text += "        " + std::string(command->name) + ")\n" +
              zsh_arguments(*command, "          ") + "          ;;\n";
    text += "      esac\n      ;;\n";
  }
  return "#compdef" + names + "\n" + header("zsh") + "_ciber_completion() {\n  case $service in\n" +
         text +
         "  esac\n}\n"
         "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n  _ciber_completion \"$@\"\n"
         "else\n  compdef _ciber_completion" +
         names + "\nfi\n";
}

// --- fish -----------------------------------------------------------------------------------

std::string fish(std::span<const Command> commands) {
  const auto fished = [](std::string_view text) {
    return "'" + guarded_by_backslash(text, "'\\") + "'";
  };
  std::string text = header("fish");
  const auto all = programs(commands);
  for (const Command& command : commands) {
    const std::string name(command.name), program(program_of(command));
    const bool alone = all.at(program).commands.empty();
    std::string where = "complete -c " + program;
    if (!alone)
      where += command.program.empty() ? " -n __fish_use_subcommand"
                                       : " -n '__fish_seen_subcommand_from " + name + "'";
    if (!command.program.empty())
      text += "complete -c " + program + " -f -n __fish_use_subcommand -a " + name + " -d " +
              fished(command.summary) + "\n";
    if (!command.words.empty()) text += where + " -f -a " + fished(joined(command.words)) + "\n";
    for (const Setting& setting : all_settings(command)) {
      const std::vector<std::string> choices = choice_names(setting);
      text += where + " -l " + std::string(setting.name);
      if (!choices.empty())
        text += " -x -a " + fished(joined(choices));
      else if (!setting.argument.empty())
        text += " -r";
      text += " -d " + fished(description(setting)) + "\n";
    }
  }
  return text;
}

}  // namespace

std::string completion(std::string_view shell, std::span<const Command> commands) {
  if (shell == "bash") return bash(commands);
  if (shell == "zsh") return zsh(commands);
  if (shell == "fish") return fish(commands);
  throw Error("no completion for '" + std::string(shell) + "'; choose bash, zsh or fish");
}

}  // namespace wmi::frontends
