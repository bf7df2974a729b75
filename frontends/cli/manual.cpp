#include "frontends/cli/manual.h"

#include <algorithm>
#include <iterator>
#include <utility>

#ifndef WMI_VERSION
#define WMI_VERSION "unknown"
#endif

namespace wmi::frontends {
namespace {

/// `text` with the characters that roff interprets escaped.
std::string plain(std::string_view text) {
  constexpr std::pair<char, std::string_view> escapes[] = {
      {'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
  std::string result;
  bool start = true;
  for (const char c : text) {
    if (start && (c == '.' || c == '\'')) result += "\\&";
    const auto* escape = std::ranges::find(escapes, c, &std::pair<char, std::string_view>::first);
    result += escape != std::end(escapes) ? escape->second : std::string_view(&c, 1);
    start = c == '\n';
  }
  return result;
}

/// `text` with a line break of roff for each of its own.
std::string lines(std::string_view text) {
  std::string result;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (!result.empty()) result += "\n.br\n";
    result += plain(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return result + "\n";
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

}  // namespace

std::string manual_page(const Command& command, std::span<const Command> all) {
  std::string text = ".TH " + upper(command.page_name()) + " 1 \"\" \"" WMI_VERSION "\"\n";
  text += ".SH NAME\n" + plain(command.page_name()) + " \\- " + plain(command.summary) + "\n";
  text += ".SH SYNOPSIS\n.B " + plain(command.full_name()) + "\n" + plain(command.usage) + "\n";
  if (!command.description.empty()) text += ".SH DESCRIPTION\n" + lines(command.description);
  std::string commands, others;  // those of this program; all
  for (const Command& other : all) {
    if (other.full_name() == command.full_name()) continue;
    if (command.program.empty() && other.program == command.name)
      commands += ".TP\n.B " + plain(other.full_name()) + "\n" + plain(other.summary) + "\n";
    if (!others.empty()) others += ",\n";
    others += ".BR " + plain(other.page_name()) + " (1)";
  }
  if (!commands.empty()) text += ".SH COMMANDS\n" + commands;
  if (const std::vector<Setting> settings = all_settings(command); !settings.empty()) {
    text += ".SH OPTIONS\n";
    for (const Setting& setting : settings) {
      text += ".TP\n.B " + plain("--" + std::string(setting.name));
      if (!setting.argument.empty()) text += " \\fI" + plain(setting.argument) + "\\fR";
      const std::string description = help_text(setting);
      text += "\n" + lines(description.empty() ? " " : description);
    }
  }
  if (!command.examples.empty())
    text += ".SH EXAMPLES\n.nf\n" + plain(command.examples) +
            (command.examples.ends_with('\n') ? "" : "\n") + ".fi\n";
  text +=
      ".SH EXIT STATUS\n0 answered, 1 bad input, 2 bad usage, 3 stopped by a limit or a signal.\n";
  if (!others.empty()) text += ".SH SEE ALSO\n" + others + "\n";
  return text;
}

}  // namespace wmi::frontends
