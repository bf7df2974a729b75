// Completions are plain text made from pages: a list of words for each place on a command line.
// Each shell has its own way of writing them down.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "frontends/cli/manual.h"
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
std::string quoted(std::string_view text) {
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

/// The program of a page, and its command; empty for that of the program itself.
std::string program_of(const ManualPage& page) { return page.name.substr(0, page.name.find(' ')); }
std::string command_of(const ManualPage& page) {
  const std::size_t space = page.name.find(' ');
  return space == std::string::npos ? "" : page.name.substr(space + 1);
}

/// A program and the pages of its commands.
struct Program {
  const ManualPage* page = nullptr;
  std::vector<const ManualPage*> commands;
};

std::map<std::string, Program> programs(std::span<const ManualPage> pages) {
  std::map<std::string, Program> result;
  for (const ManualPage& page : pages) {
    Program& program = result[program_of(page)];
    if (command_of(page).empty())
      program.page = &page;
    else
      program.commands.push_back(&page);
  }
  return result;
}

std::vector<std::string> option_names(const ManualPage& page) {
  std::vector<std::string> result;
  for (const ManualOption& option : page.options) result.push_back(option.name);
  return result;
}

std::string header(std::string_view shell, std::string_view comment = "# ") {
  return std::string(comment) + "Written by `ciber completion " + std::string(shell) + "`.\n";
}

// --- bash -----------------------------------------------------------------------------------

std::string bash(std::span<const ManualPage> pages) {
  const auto all = programs(pages);
  std::string values, words, names;
  for (const ManualPage& page : pages) {
    for (const ManualOption& option : page.options)
      if (!option.argument.empty())
        values += "    " + quoted(page.name + " " + option.name) +
                  (option.choices.empty()
                       ? ") files; return ;;\n"
                       : ") words " + quoted(joined(option.choices)) + "; return ;;\n");
    const Program& program = all.at(program_of(page));
    std::vector<std::string> options = option_names(page);
    if (command_of(page).empty() && !program.commands.empty()) continue;
    words += "    " + quoted(page.name) + ") options=" + quoted(joined(options));
    if (!page.words.empty()) words += " others=" + quoted(joined(page.words));
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
    for (const ManualPage* page : program.commands) first.push_back(command_of(*page));
    if (program.page != nullptr)
      for (const std::string& option : option_names(*program.page)) first.push_back(option);
    text += "  if [[ $command == " + name +
            " ]]; then\n"
            "    if ((COMP_CWORD == 1)); then words " +
            quoted(joined(first)) +
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

std::string zsh_arguments(const ManualPage& page, std::string_view indent) {
  std::string text = std::string(indent) + "_arguments";
  for (const ManualOption& option : page.options) {
    std::string item = option.name;
    if (!option.argument.empty()) item += "=";
    item += "[" + guarded_by_backslash(first_line(option.description), "[]:\\") + "]";
    if (!option.argument.empty()) {
      item += ":" + guarded_by_backslash(option.argument, "[]:\\") + ":";
      item += option.choices.empty() ? "_files" : "(" + joined(option.choices) + ")";
    }
    text += " \\\n" + std::string(indent) + "  " + quoted(item);
  }
  text += " \\\n" + std::string(indent) + "  ";
  return text +
         (page.words.empty() ? quoted("*:file:_files")
                             : quoted("*:word:(" + joined(page.words) + ")")) +
         "\n";
}

std::string zsh(std::span<const ManualPage> pages) {
  const auto all = programs(pages);
  std::string names, text;
  for (const auto& [name, program] : all) {
    names += " " + name;
    text += "    " + name + ")\n";
    if (program.commands.empty()) {
      text += zsh_arguments(*program.page, "      ") + "      ;;\n";
      continue;
    }
    text += "      if ((CURRENT == 2)); then\n        local -a commands=(\n";
    for (const ManualPage* page : program.commands)
      text +=
          "          " +
          quoted(command_of(*page) + ":" + guarded_by_backslash(first_line(page->summary), ":\\")) +
          "\n";
    text +=
        "        )\n        _describe command commands\n        return\n      fi\n"
        "      local command=$words[2]\n      shift words\n      ((CURRENT--))\n"
        "      case $command in\n";
    for (const ManualPage* page : program.commands)
      text += "        " + command_of(*page) + ")\n" + zsh_arguments(*page, "          ") +
              "          ;;\n";
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

std::string fish(std::span<const ManualPage> pages) {
  const auto fished = [](const std::string& text) {
    return "'" + guarded_by_backslash(text, "'\\") + "'";
  };
  std::string text = header("fish");
  const auto all = programs(pages);
  for (const ManualPage& page : pages) {
    const std::string program = program_of(page), command = command_of(page);
    const bool alone = all.at(program).commands.empty();
    std::string where = "complete -c " + program;
    if (!alone)
      where += command.empty() ? " -n __fish_use_subcommand"
                               : " -n '__fish_seen_subcommand_from " + command + "'";
    if (!command.empty())
      text += "complete -c " + program + " -f -n __fish_use_subcommand -a " + command + " -d " +
              fished(first_line(page.summary)) + "\n";
    if (!page.words.empty()) text += where + " -f -a " + fished(joined(page.words)) + "\n";
    for (const ManualOption& option : page.options) {
      text += where + " -l " + option.name.substr(2);
      if (!option.choices.empty())
        text += " -x -a " + fished(joined(option.choices));
      else if (!option.argument.empty())
        text += " -r";
      text += " -d " + fished(first_line(option.description)) + "\n";
    }
  }
  return text;
}

}  // namespace

std::string completion(std::string_view shell, std::span<const ManualPage> pages) {
  if (shell == "bash") return bash(pages);
  if (shell == "zsh") return zsh(pages);
  if (shell == "fish") return fish(pages);
  throw Error("no completion for '" + std::string(shell) + "'; choose bash, zsh or fish");
}

}  // namespace wmi::frontends
