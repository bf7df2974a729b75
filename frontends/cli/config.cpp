// TOML is read a line at a time: a table, or a name and its value. Values nest in no more than one
// list, so nothing here calls itself. What TOML allows and no option can have (dates, lists of
// lists, tables in lines) is refused by name, not misread.

#include "frontends/cli/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>
#include <utility>

#include "frontends/ciber/learning.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/json_writer.h"
#include "frontends/common/line.h"
#include "frontends/common/read_file.h"
#include "frontends/common/utf8.h"
#include "frontends/formats/json.h"

namespace wmi::frontends {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_bare(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
}

std::string utf8(std::uint32_t code) {
  std::string result;
  if (code < 0x80) return {static_cast<char>(code)};
  const std::size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (std::size_t i = 0; i + 1 < length; ++i, code >>= 6)
    result.insert(result.begin(), static_cast<char>(0x80u | (code & 0x3fu)));
  const unsigned mark = length == 2 ? 0xc0u : length == 3 ? 0xe0u : 0xf0u;
  result.insert(result.begin(), static_cast<char>(mark | code));
  return result;
}

/// The text of a number of TOML as C writes it, or nothing.
std::string plain_number(std::string text) {
  const auto refuse = [] { return std::string(); };
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '_' && (i == 0 || i + 1 == text.size() || !is_bare(text[i - 1]) ||
                           !is_bare(text[i + 1]) || text[i + 1] == '_' || text[i - 1] == '-'))
      return refuse();
  if (text.size() > 2 && text[0] == '0' && text[2] == '_' && !is_digit(text[1])) return refuse();
  std::erase(text, '_');
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'o' || text[1] == 'b')) {
    const int base = text[1] == 'x' ? 16 : text[1] == 'o' ? 8 : 2;
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + 2, end, number, base);
    return error == std::errc() && stop == end ? std::to_string(number) : refuse();
  }
  if (text.starts_with('+')) text.erase(0, 1);
  std::string_view rest = text;
  const auto digits = [&] {
    std::size_t count = 0;
    while (count < rest.size() && is_digit(rest[count])) ++count;
    rest.remove_prefix(count);
    return count;
  };
  if (rest.starts_with('-')) rest.remove_prefix(1);
  const bool zero = rest.starts_with('0');
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return refuse();
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    if (digits() == 0) return refuse();
  }
  if (rest.starts_with('e') || rest.starts_with('E')) {
    rest.remove_prefix(1);
    if (rest.starts_with('+') || rest.starts_with('-')) rest.remove_prefix(1);
    if (digits() == 0) return refuse();
  }
  return rest.empty() ? text : refuse();
}

class Toml {
 public:
  explicit Toml(std::string_view text) : text_(text) {}

  std::vector<ConfigEntry> read() {
    for (skip_lines(); !done(); skip_lines()) {
      if (peek() == '[')
        read_table();
      else
        read_setting();
      skip_blanks();
      if (!done() && peek() != '\n' && !at("\r\n") && peek() != '#')
        fail("expected the end of the line");
    }
    return std::move(entries_);
  }

 private:
  bool done() const { return position_ == text_.size(); }
  char peek() const { return done() ? '\0' : text_[position_]; }
  bool at(std::string_view word) const { return text_.substr(position_).starts_with(word); }

  Location here() const { return {line_, position_ - line_start_ + 1}; }
  [[noreturn]] void fail(const std::string& what) const { throw Error(what, here()); }

  void advance(std::size_t count = 1) {
    for (; count > 0; --count)
      if (text_[position_++] == '\n') {
        ++line_;
        line_start_ = position_;
      }
  }

  /// The next character, whole; a control character or a stray byte is refused.
  std::string take_character() {
    const std::size_t length = utf8_length(text_.substr(position_, 4));
    const auto byte = static_cast<unsigned char>(peek());
    if (length == 0 || (byte < 0x20 && byte != '\t') || byte == 0x7f)
      fail("a byte that is not text");
    const std::string result(text_.substr(position_, length));
    advance(length);
    return result;
  }

  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') advance();
  }

  void skip_comment() {
    if (peek() != '#') return;
    while (!done() && peek() != '\n' && !at("\r\n")) take_character();
  }

  /// Blanks, comments and ends of lines.
  void skip_lines() {
    for (;;) {
      skip_blanks();
      skip_comment();
      if (peek() == '\n')
        advance();
      else if (at("\r\n"))
        advance(2);
      else
        return;
    }
  }

  /// A name, bare or quoted, with dots between its parts.
  std::vector<std::string> read_name() {
    std::vector<std::string> parts;
    for (;;) {
      skip_blanks();
      if (peek() == '"' || peek() == '\'') {
        if (at("\"\"\"") || at("'''")) fail("a name has one line");
        parts.push_back(read_string());
      } else {
        std::string part;
        while (is_bare(peek())) {
          part += peek();
          advance();
        }
        if (part.empty()) fail("expected the name of a setting");
        parts.push_back(std::move(part));
      }
      skip_blanks();
      if (peek() != '.') return parts;
      advance();
    }
  }

  void read_table() {
    const Location where = here();
    advance();
    if (peek() == '[') throw Error("a list of tables is no setting", where);
    const std::vector<std::string> name = read_name();
    if (peek() != ']') fail("expected ']'");
    advance();
    if (name.size() != 1) throw Error("a table in a table: name the command alone", where);
    if (!tables_.insert(name[0]).second)
      throw Error(fmt::format("the table '{}' is there twice", one_line(name[0])), where);
    section_ = name[0];
  }

  void read_setting() {
    ConfigEntry entry;
    entry.where = here();
    std::vector<std::string> name = read_name();
    if (name.size() > 2 || (name.size() == 2 && !section_.empty()))
      throw Error("a table in a table: COMMAND.SETTING is as deep as it goes", entry.where);
    entry.section = name.size() == 2 ? name[0] : section_;
    entry.name = name.back();
    if (peek() != '=') fail("expected '='");
    advance();
    skip_blanks();
    if (peek() == '[') {
      advance();
      for (skip_lines(); peek() != ']'; skip_lines()) {
        if (peek() == '[') fail("a list in a list is no value of a setting");
        entry.values.push_back(read_value(entry.boolean));
        skip_lines();
        if (peek() == ']') break;
        if (peek() != ',') fail("expected ',' or ']'");
        advance();
      }
      advance();
      entry.boolean = false;
    } else {
      entry.values.push_back(read_value(entry.boolean));
    }
    entries_.push_back(std::move(entry));
  }

  std::string read_value(bool& boolean) {
    boolean = false;
    if (peek() == '"' || peek() == '\'') return read_string();
    if (peek() == '{') fail("a table in a line: write [COMMAND] above its settings instead");
    const Location where = here();
    std::string word;
    while (is_bare(peek()) || peek() == '+' || peek() == '.' || peek() == ':') {
      word += peek();
      advance();
    }
    if (word.empty()) fail("expected a value: a number, true, false, or a word in quotes");
    boolean = word == "true" || word == "false";
    if (boolean) return word;
    std::string number = plain_number(word);
    if (number.empty())
      throw Error(fmt::format("'{}' is no number, and words stand in quotes", word), where);
    return number;
  }

  std::string read_string() {
    const char quote = peek();
    const bool literal = quote == '\'';
    const std::string three(3, quote);
    const bool lines = at(three);
    advance(lines ? 3 : 1);
    if (lines) advance(at("\r\n") ? 2 : peek() == '\n' ? 1 : 0);
    std::string result;
    for (;;) {
      if (done()) fail("a quote is never closed");
      if (lines && at(three)) {
        advance(3);
        for (int i = 0; i < 2 && peek() == quote; ++i) {  // up to two quotes end the text itself
          result += quote;
          advance();
        }
        return result;
      }
      if (!lines && peek() == quote) {
        advance();
        return result;
      }
      if (peek() == '\n' || at("\r\n")) {
        if (!lines) fail("a quote is never closed");
        result += '\n';
        advance(peek() == '\n' ? 1 : 2);
      } else if (!literal && peek() == '\\') {
        result += read_escape(lines);
      } else {
        result += take_character();
      }
    }
  }

  std::string read_escape(bool lines) {
    const Location where = here();
    advance();
    const char letter = peek();
    constexpr std::string_view letters = "btnfr\"\\", meant = "\b\t\n\f\r\"\\";
    if (const std::size_t found = letters.find(letter);
        !done() && found != std::string_view::npos) {
      advance();
      return {meant[found]};
    }
    if (letter == 'u' || letter == 'U') {
      advance();
      const std::size_t size = letter == 'u' ? 4 : 8;
      const std::string_view digits = text_.substr(position_, size);
      std::uint32_t code = 0;
      const auto [stop, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
      if (digits.size() != size || error != std::errc() || stop != digits.data() + size ||
          code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        throw Error("this is no character: \\u and four digits, or \\U and eight", where);
      advance(size);
      return utf8(code);
    }
    if (lines) {  // a backslash at the end of a line: the text goes on at the next word
      std::size_t end = position_;
      while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t')) ++end;
      if (end < text_.size() && (text_[end] == '\n' || text_.substr(end).starts_with("\r\n"))) {
        while (!done() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r'))
          advance();
        return "";
      }
    }
    throw Error(
        "a backslash stands before b, t, n, f, r, u, U, a quote or a backslash; in '...' "
        "it means itself",
        where);
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
  std::string section_;
  std::set<std::string> tables_;
  std::vector<ConfigEntry> entries_;
};

std::vector<ConfigEntry> read_json(std::string_view text) {
  const Json json(text);
  const Json::Value root = json.root();
  root.expect(Json::Kind::object, "an object of settings");
  std::vector<ConfigEntry> result;
  const auto scalar = [](const Json::Value& value) {
    if (value.kind() == Json::Kind::object || value.kind() == Json::Kind::array ||
        value.kind() == Json::Kind::null)
      throw Error("expected a number, a word, true or false", value.where());
    return value.text();
  };
  const auto add = [&](const std::string& section, const Json::Value& member) {
    ConfigEntry entry{
        section, member.key(), {}, member.kind() == Json::Kind::boolean, member.key_where()};
    if (member.kind() == Json::Kind::array)
      for (const Json::Value& item : member.items()) entry.values.push_back(scalar(item));
    else
      entry.values.push_back(scalar(member));
    result.push_back(std::move(entry));
  };
  for (const Json::Value& member : root.items()) {
    if (member.kind() != Json::Kind::object)
      add("", member);
    else
      for (const Json::Value& inner : member.items()) add(member.key(), inner);
  }
  return result;
}

bool is_command(std::string_view name) {
  return name == "query" || name == "encode" ||
         std::ranges::find(learning_commands, name, &LearningCommand::name) !=
             learning_commands.end();
}

}  // namespace

std::vector<ConfigEntry> parse_config(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  std::vector<ConfigEntry> result =
      first != std::string_view::npos && text[first] == '{' ? read_json(text) : Toml(text).read();
  std::set<std::pair<std::string, std::string>> seen;
  for (const ConfigEntry& entry : result)
    if (!seen.emplace(entry.section, entry.name).second)
      throw Error(fmt::format("'{}' is given twice", one_line(entry.name)), entry.where);
  return result;
}

std::vector<ConfigEntry> read_config(const std::string& file, std::string_view command) {
  try {
    std::vector<ConfigEntry> own, general;
    for (ConfigEntry& entry : parse_config(read_file(file))) {
      if (entry.section.empty())
        general.push_back(std::move(entry));
      else if (!is_command(entry.section))
        throw Error(fmt::format("there is no command '{}'", one_line(entry.section)), entry.where);
      else if (entry.section == command)
        own.push_back(std::move(entry));
    }
    for (ConfigEntry& entry : general)  // what is said of the command itself wins
      if (std::ranges::find(own, entry.name, &ConfigEntry::name) == own.end())
        own.push_back(std::move(entry));
    return own;
  } catch (const Error& error) {
    const Location where = error.where();
    throw UsageError(where.line == 0 ? fmt::format("{}: {}", one_line(file), error.what())
                                     : fmt::format("{}:{}:{}: {}", one_line(file), where.line,
                                                   where.column, error.what()));
  }
}

namespace {

/// A command line taken apart: options with their values, in order, and other words.
struct Line {
  std::vector<std::pair<std::string, std::string>> options;  // a switch has no value
  std::vector<std::string> words;
  std::string config;
};

const ManualOption* find(std::span<const ManualOption> known, const std::string& name) {
  const auto found = std::ranges::find(known, "--" + name, &ManualOption::name);
  return found == known.end() ? nullptr : &*found;
}

Line take_apart(const std::vector<std::string>& words, std::span<const ManualOption> known) {
  Line line;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      line.words.insert(line.words.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                        words.end());
      break;
    }
    if (!word.starts_with("--")) {
      line.words.push_back(word);
      continue;
    }
    const std::size_t sign = word.find('=');
    const std::string name = word.substr(2, sign == std::string::npos ? sign : sign - 2);
    const ManualOption* const option = find(known, name);
    std::string value;
    if (sign != std::string::npos)
      value = word.substr(sign + 1);
    else if (option && !option->argument.empty() && i + 1 < words.size())
      value = words[++i];
    if (name != "config")
      line.options.emplace_back(name, value);
    else if (value.empty() || !line.config.empty())
      throw UsageError(value.empty() ? "--config: needs a value" : "--config: given twice");
    else
      line.config = value;
  }
  return line;
}

}  // namespace

std::vector<std::string> with_config(const std::vector<std::string>& words,
                                     std::string_view command,
                                     std::span<const ManualOption> known) {
  const Line line = take_apart(words, known);
  if (line.config.empty()) return words;
  std::vector<std::string> result;
  std::vector<std::string> files = line.words;
  const auto said = [&](const std::string& name) {
    return std::ranges::any_of(line.options,
                               [&](const auto& option) { return option.first == name; });
  };
  for (const ConfigEntry& entry : read_config(line.config, command)) {
    const auto refuse = [&](const std::string& what) {
      throw UsageError(fmt::format("{}:{}:{}: {}", one_line(line.config), entry.where.line,
                                   entry.where.column, what));
    };
    if (entry.name == words_name) {
      if (line.words.empty()) files = entry.values;
      continue;
    }
    const ManualOption* const option = find(known, entry.name);
    if (!option || entry.name == "config")
      refuse(fmt::format("no setting '{}'; see --help", one_line(entry.name)));
    if (option->argument.empty() != entry.boolean)
      refuse(
          fmt::format("'{}' {}", entry.name, entry.boolean ? "needs a value" : "is true or false"));
    if (said(entry.name)) continue;
    if (entry.boolean) {
      if (entry.values[0] == "true") result.push_back("--" + entry.name);
    } else if (entry.name == "input") {
      result.push_back(fmt::format("--input={}", fmt::join(entry.values, ",")));
    } else {
      for (const std::string& value : entry.values)
        result.push_back(fmt::format("--{}={}", entry.name, value));
    }
  }
  for (const auto& [name, value] : line.options) {
    const ManualOption* const option = find(known, name);
    result.push_back("--" + name);
    if (!value.empty() || (option && !option->argument.empty())) result.back() += "=" + value;
  }
  result.emplace_back("--");
  result.insert(result.end(), files.begin(), files.end());
  return result;
}

std::string config_json(const std::vector<std::string>& words,
                        std::span<const ManualOption> known) {
  const Line line = take_apart(words, known);
  std::string result = "{";
  const auto add = [&](const std::string& name, const std::vector<std::string>& values) {
    result += fmt::format("{}\n  {}: ", result.size() > 1 ? "," : "", json_string(name));
    result += values.size() == 1 && name != words_name
                  ? values[0]
                  : fmt::format("[{}]", fmt::join(values, ", "));
  };
  std::vector<std::string> files;
  for (const std::string& word : line.words) files.push_back(json_string(word));
  if (!files.empty()) add(std::string(words_name), files);
  for (std::size_t i = 0; i < line.options.size(); ++i) {
    const std::string& name = line.options[i].first;
    const auto same = [&](const auto& option) { return option.first == name; };
    const auto here = line.options.begin() + static_cast<std::ptrdiff_t>(i);
    if (name == "print-config" || std::find_if(line.options.begin(), here, same) != here) continue;
    const ManualOption* const option = find(known, name);
    std::vector<std::string> values;
    for (const auto& [other, value] : line.options)
      if (other == name)
        values.push_back(option && option->argument.empty() ? "true" : config_value(value));
    add(name, values);
  }
  return result + "\n}\n";
}

std::string config_value(const std::string& text) {
  const bool number = !text.empty() && plain_number(text) == text;
  return number ? text : json_string(text);
}

}  // namespace wmi::frontends
