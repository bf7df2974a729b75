#include "frontends/cli/manual.h"

#include <algorithm>

#ifndef WMI_VERSION
#define WMI_VERSION "unknown"
#endif

namespace wmi::frontends {
namespace {

/// Text of a page: what roff would take for its own is written so that it does not.
std::string plain(std::string_view text) {
  std::string result;
  bool start = true;
  for (const char c : text) {
    if (start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '\'')
      result += "\\(aq";
    else if (c == '`')
      result += "\\(ga";
    else if (c == '^')
      result += "\\(ha";
    else if (c == '~')
      result += "\\(ti";
    else
      result += c;
    start = c == '\n';
  }
  return result;
}

/// Lines stay lines.
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

std::string ManualPage::title() const {
  std::string result = name;
  std::ranges::replace(result, ' ', '-');
  return result;
}

std::string option_lines(std::span<const ManualOption> options, std::size_t indent) {
  std::string text;
  for (const ManualOption& option : options) {
    std::string left = "  " + option.name;
    if (!option.argument.empty()) left += " " + option.argument;
    if (left.size() + 2 > indent) {
      text += left + '\n';
      left.clear();
    }
    std::string_view description = option.description;
    while (!description.empty()) {
      const std::size_t end = std::min(description.find('\n'), description.size());
      left.resize(indent, ' ');
      text += left + std::string(description.substr(0, end)) + '\n';
      description.remove_prefix(std::min(end + 1, description.size()));
      left.clear();
    }
  }
  return text;
}

std::string roff(const ManualPage& page, std::span<const ManualPage> all) {
  std::string text = ".TH " + upper(page.title()) + " 1 \"\" \"" WMI_VERSION "\"\n";
  text += ".SH NAME\n" + plain(page.title()) + " \\- " + plain(page.summary) + "\n";
  text += ".SH SYNOPSIS\n.B " + plain(page.name) + "\n" + plain(page.usage) + "\n";
  if (!page.description.empty()) text += ".SH DESCRIPTION\n" + lines(page.description);
  std::string commands, others;  // those of this program; all
  for (const ManualPage& other : all) {
    if (other.name == page.name) continue;
    if (other.name.starts_with(page.name + " "))
      commands += ".TP\n.B " + plain(other.name) + "\n" + plain(other.summary) + "\n";
    if (!others.empty()) others += ",\n";
    others += ".BR " + plain(other.title()) + " (1)";
  }
  if (!commands.empty()) text += ".SH COMMANDS\n" + commands;
  if (!page.options.empty()) {
    text += ".SH OPTIONS\n";
    for (const ManualOption& option : page.options) {
      text += ".TP\n.B " + plain(option.name);
      if (!option.argument.empty()) text += " \\fI" + plain(option.argument) + "\\fR";
      text += "\n" + lines(option.description.empty() ? " " : option.description);
    }
  }
  if (!page.examples.empty())
    text += ".SH EXAMPLES\n.nf\n" + plain(page.examples) +
            (page.examples.ends_with('\n') ? "" : "\n") + ".fi\n";
  text +=
      ".SH EXIT STATUS\n0 answered, 1 bad input, 2 bad usage, 3 stopped by a limit or a signal.\n";
  if (!others.empty()) text += ".SH SEE ALSO\n" + others + "\n";
  return text;
}

}  // namespace wmi::frontends
