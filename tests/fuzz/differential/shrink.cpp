#include "tests/fuzz/differential/shrink.h"

#include <string_view>

namespace wmi::fuzz {
namespace {

/// The terms of a command: those in parentheses, and words.
std::vector<std::string_view> terms(std::string_view command) {
  std::vector<std::string_view> result;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (command[i] == '(') {
      open.push_back(i);
    } else if (command[i] == ')') {
      if (open.empty()) break;
      result.push_back(command.substr(open.back(), i + 1 - open.back()));
      open.pop_back();
    } else if (command[i] != ' ') {
      const std::size_t end = command.find_first_of(" ()", i);
      result.push_back(command.substr(i, end - i));
      i += result.back().size() - 1;
    }
  }
  return result;
}

/// The terms directly inside one in parentheses.
std::vector<std::string> parts(std::string_view term) {
  std::vector<std::string> result;
  for (std::size_t i = 1; i + 1 < term.size(); ++i) {
    if (term[i] == ' ') continue;
    std::size_t end = i;
    if (term[i] == '(') {
      int depth = 0;
      do {
        depth += term[end] == '(' ? 1 : term[end] == ')' ? -1 : 0;
        ++end;
      } while (depth > 0 && end < term.size());
    } else {
      end = std::min(term.find_first_of(" ()", i), term.size() - 1);
    }
    result.emplace_back(term.substr(i, end - i));
    i = end - 1;
  }
  return result;
}

/// Makes one command shorter by one step and keeps the failure; false if no step does.
bool shorten(Commands& commands, std::size_t which,
             const std::function<bool(const Commands&)>& fails) {
  const std::string command = commands[which];
  for (const std::string_view term : terms(command)) {
    std::vector<std::string> replacements;
    if (term.starts_with('(')) replacements = parts(term);
    for (const char* const simple : {"0", "1", "true", "false"}) replacements.emplace_back(simple);
    for (const std::string& replacement : replacements) {
      if (replacement.size() >= term.size()) continue;
      std::string shorter = command;
      shorter.replace(static_cast<std::size_t>(term.data() - command.data()), term.size(),
                      replacement);
      commands[which] = shorter;
      if (fails(commands)) return true;
    }
  }
  commands[which] = command;
  return false;
}

}  // namespace

Commands shrink(Commands commands, const std::function<bool(const Commands&)>& fails) {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = commands.size(); i-- > 0;) {
      Commands fewer = commands;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (!fails(fewer)) continue;
      commands = std::move(fewer);
      again = true;
    }
    for (std::size_t i = 0; i < commands.size(); ++i)
      while (shorten(commands, i, fails)) again = true;
  }
  return commands;
}

}  // namespace wmi::fuzz
