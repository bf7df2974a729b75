// The text of --help: two columns, the right one wrapped.

#include <fmt/format.h>

#include <algorithm>

#include "frontends/cli/command.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t most_indent = 26, width = 100;

std::string left_column(const Setting& setting) {
  return fmt::format("  --{}{}{}", setting.name, setting.argument.empty() ? "" : " ",
                     setting.argument);
}

/// Appends one line of a description to `result`, whose last line is `line`, wrapped.
void append_wrapped(std::string& result, std::string line, std::string_view text,
                    std::size_t indent) {
  line.resize(std::max(line.size(), indent), ' ');
  bool first = true;
  for (std::string_view rest = text; !rest.empty();) {
    std::size_t end = rest.find_first_not_of(' ');  // blanks before a word stay, but not at a break
    end = std::min(rest.find(' ', std::min(end, rest.size())), rest.size());
    std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    if (!first && line.size() + word.size() > width) {
      result += line + '\n';
      line.assign(indent, ' ');
      word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
    }
    line += word;
    first = false;
  }
  result += line + '\n';
}

std::string option_lines(const std::vector<Setting>& settings) {
  std::size_t indent = 0;
  for (const Setting& setting : settings)
    indent = std::max(indent, left_column(setting).size() + 2);
  indent = std::min(indent, most_indent);
  std::string result;
  for (const Setting& setting : settings) {
    std::string left = left_column(setting);
    if (left.size() + 2 > indent) {
      result += left + '\n';
      left.clear();
    }
    const std::string text = help_text(setting);
    for (std::string_view rest = text; !rest.empty(); left.clear()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      append_wrapped(result, left, rest.substr(0, end), indent);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return result;
}

}  // namespace

std::string help(const Command& command) {
  std::vector<Setting> own;
  for (const Setting& setting : all_settings(command))
    if (setting.group.empty()) own.push_back(setting);
  std::string text = fmt::format("usage: {} {}\n{}\n{}{}", command.full_name(), command.usage,
                                 command.description, option_lines(own), command.notes);
  if (!command.examples.empty()) text += fmt::format("Examples:\n{}", command.examples);
  return text;
}

}  // namespace wmi::frontends
