#include "frontends/learning/experiments/markdown.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace wmi::frontends {
namespace {

/// What would make a list item, a heading, a quotation or a table of a line that begins with it.
bool is_markup(std::string_view word) {
  return word == "-" || word == "+" || word == "*" || word == ">" || word.starts_with('#') ||
         word.starts_with('|') ||
         (word.size() > 1 && word.ends_with('.') &&
          std::ranges::all_of(word.substr(0, word.size() - 1),
                              [](char c) { return '0' <= c && c <= '9'; }));
}

/// Percentages and groups of digits: `90 %`, `10 000`.
bool is_one_number(const std::string& first, const std::string& second) {
  const auto digit = [](char c) { return '0' <= c && c <= '9'; };
  return second.starts_with('%') ||
         (digit(first.back()) && second.size() >= 3 && std::all_of(&second[0], &second[3], digit) &&
          (second.size() == 3 || !digit(second[3])));
}

/// The words of a paragraph, with those together that must stay on one line.
std::vector<std::string> unbroken(const std::string& paragraph) {
  std::vector<std::string> result;
  std::istringstream in(paragraph);
  bool open = false;  // within a code span
  for (std::string word; in >> word;) {
    if (!result.empty() && (open || is_markup(word) || is_one_number(result.back(), word)))
      result.back() += " " + word;
    else
      result.push_back(word);
    open = open != (std::ranges::count(word, '`') % 2 != 0);
  }
  return result;
}

/// Appends the paragraph; a list item's further lines are indented.
void append_wrapped(std::string& text, const std::string& paragraph, std::size_t columns) {
  const bool item = paragraph.starts_with("- ");
  std::string line = item ? "- " : "";
  const std::string indent = item ? "  " : "";
  const std::size_t start = line.size();
  for (const std::string& word : unbroken(paragraph.substr(start))) {
    if (line.size() > start && line.size() + 1 + word.size() > columns) {
      text += line + "\n";
      line = indent + word;
    } else {
      line += (line.size() > start ? " " : "") + word;
    }
  }
  text += line + "\n";
}

}  // namespace

std::string wrapped(std::string_view markdown, std::size_t columns) {
  std::string text, paragraph;
  const auto finish = [&] {
    if (!paragraph.empty()) append_wrapped(text, paragraph, columns);
    paragraph.clear();
  };
  std::istringstream in{std::string(markdown)};
  for (std::string line; std::getline(in, line);) {
    const bool code = paragraph.empty() && line.starts_with("    ");
    const bool whole = line.empty() || code || line.find_first_of("|#!<") == 0;
    if (whole || line.starts_with("- ")) finish();
    if (whole)
      text += line + "\n";
    else
      paragraph += (paragraph.empty() ? "" : " ") + line;
  }
  finish();
  return text;
}

}  // namespace wmi::frontends
