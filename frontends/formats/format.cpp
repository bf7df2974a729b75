#include "frontends/formats/format.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "frontends/common/caps.h"
#include "frontends/common/text.h"
#include "frontends/formats/json.h"

namespace wmi::frontends {
namespace {

/// The text from its first character that is neither white space nor in a comment.
std::string_view beginning(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::size_t i = 0;
  while (i < text.size() && (is_space(text[i]) || text[i] == ';')) {
    if (text[i] == ';')
      i = std::min(text.find('\n', i), text.size());
    else
      ++i;
  }
  return text.substr(i);
}

/// The operator or command of a text that begins with a list.
std::optional<std::string_view> first_word(std::string_view text) {
  text = beginning(text);
  if (!text.starts_with('(')) return std::nullopt;
  text = beginning(text.substr(1));
  std::size_t end = 0;
  while (end < text.size() && !is_space(text[end]) && text[end] != '(' && text[end] != ')') ++end;
  return text.substr(0, end);
}

bool looks_like_sequential(const Source& source) {
  constexpr auto operators = std::to_array<std::string_view>(
      {"&", "|", "~", "->", "=", "<=", "<", ">=", ">", "ite", "var", "const"});
  const std::optional<std::string_view> word = first_word(source.text);
  return word && std::find(operators.begin(), operators.end(), *word) != operators.end();
}

bool looks_like_kolb(const Source& source) { return first_word(source.text) == "*"; }

bool looks_like_triple(const Source& source) {
  return source.name.ends_with(".support") || source.name.ends_with(".weights") ||
         source.name.ends_with(".query");
}

bool looks_like_smtlib(const Source& source) {
  if (beginning(source.text).empty()) return true;  // comments only: its reader reports that
  return first_word(source.text) && !looks_like_triple(source) && !looks_like_kolb(source) &&
         !looks_like_sequential(source);
}

/// The top-level members of a JSON file by which formats are distinguished.
struct Outline {
  char domain = '\0';    // the first character of its `domain`
  char entry = '\0';     // the first character of the first entry of `domain`
  bool support = false;  // it has a `support`, not a `formula`
};

/// Scans the keys only; the reader checks that the rest is JSON.
Outline outline(const Source& source) {
  std::string_view text = beginning(source.text);
  Outline result;
  if (!text.starts_with('{')) return result;
  const auto after_space = [&](std::size_t i) {
    while (i < text.size() && is_space(text[i])) ++i;
    return i;
  };
  const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' || text[i] == '[') ++depth;
    if (text[i] == '}' || text[i] == ']') --depth;
    if (depth == 0) break;
    if (text[i] != '"') continue;
    const std::size_t start = i + 1;
    for (++i; i < text.size() && text[i] != '"'; ++i)
      if (text[i] == '\\') ++i;
    const std::size_t colon = after_space(i + 1);
    if (depth != 1 || at(colon) != ':') continue;
    const std::string_view key = text.substr(start, i - start);
    if (key == "support") result.support = true;
    if (key != "domain") continue;
    const std::size_t value = after_space(colon + 1);
    result.domain = at(value);
    result.entry = at(after_space(value + 1));
  }
  return result;
}

bool looks_like_wmpy(const Source& source) {
  const Outline found = outline(source);
  return found.domain == '[' && found.entry != '{' && !found.support;
}

bool looks_like_pywmi(const Source& source) { return outline(source).domain == '{'; }

bool looks_like_road(const Source& source) {
  const Outline found = outline(source);
  return found.domain == '[' && (found.entry == '{' || found.support);
}

constexpr auto table = std::to_array<FormatEntry>({
    {"smtlib", "SMT-LIB 2.6 with weights and queries", looks_like_smtlib, read_smtlib},
    {"triple", "SMT-LIB in FILE.support, FILE.weights and FILE.query", looks_like_triple,
     read_triple},
    {"wmpy", "JSON, the domain a list", looks_like_wmpy, read_wmpy},
    {"pywmi", "JSON, the domain an object", looks_like_pywmi, read_pywmi},
    {"road", "JSON with support, weight and evidence", looks_like_road, read_road},
    {"kolb", "one line (* SUPPORT WEIGHT ...)", looks_like_kolb, read_kolb},
    {"sequential", "lines: support, weight, QUERY,probability,seconds", looks_like_sequential,
     read_sequential},
});

std::string choices() { return alternatives(table, &FormatEntry::name); }

}  // namespace

std::span<const FormatEntry> formats() { return table; }

Script read(const Source& source, std::string_view format) {
  const auto named = std::find_if(table.begin(), table.end(),
                                  [&](const FormatEntry& entry) { return entry.name == format; });
  if (!format.empty() && named == table.end())
    throw Error("no format named '" + std::string(format) + "'; choose " + choices());
  if (source.text.size() > caps::file)
    throw Error("the file is larger than " + std::to_string(caps::file >> 20) + " MiB");
  if (std::all_of(source.text.begin(), source.text.end(), is_space))
    throw Error("the file is empty", {1, 1});
  if (named != table.end()) return named->read(source);
  for (const FormatEntry& entry : table)
    if (entry.recognise(source)) return entry.read(source);
  if (beginning(source.text).starts_with('{')) Json{source.text};  // throws, with the location
  throw UnknownFormat(choices());
}

}  // namespace wmi::frontends
