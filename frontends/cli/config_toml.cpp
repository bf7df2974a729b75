// toml++ reads TOML. Its tables forget the order of their keys and its floats are doubles; the
// source regions of its nodes give both back: entries are sorted by the location of their names,
// and a float is the text between its ends. Its tables are destroyed recursively, so that a key of
// a hundred thousand parts would exhaust the stack: such keys are refused before it reads them.

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "frontends/cli/config_formats.h"
#include "frontends/common/line.h"

namespace wmi::frontends {
namespace {

Location location(const toml::source_region& region) {
  return {region.begin.line, region.begin.column};
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') line_starts_.push_back(i + 1);
  }

  std::vector<ConfigEntry> read(const toml::table& root) {
    for (const auto& [key, node] : root) {
      const toml::table* const table = node.as_table();
      if (node.is_array_of_tables()) {
        throw Error("a list of tables is no setting", location(node.source()));
      } else if (table == nullptr) {
        add("", key, node);
      } else if (table->is_inline()) {
        throw Error("a table in a line: write [COMMAND] above its settings instead",
                    location(node.source()));
      } else {
        for (const auto& [inner_key, inner] : *table) add(std::string(key.str()), inner_key, inner);
      }
    }
    std::ranges::sort(entries_, [](const ConfigEntry& a, const ConfigEntry& b) {
      return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
    });
    return std::move(entries_);
  }

 private:
  void add(std::string section, const toml::key& key, const toml::node& node) {
    ConfigEntry entry{
        std::move(section), std::string(key.str()), {}, node.is_boolean(), location(key.source())};
    if (const toml::array* const list = node.as_array()) {
      for (const toml::node& item : *list) entry.values.push_back(value(item));
    } else {
      entry.values.push_back(value(node));
    }
    entries_.push_back(std::move(entry));
  }

  std::string value(const toml::node& node) {
    if (const auto* text = node.as_string()) {
      if (text->get().find('\0') != std::string::npos)
        throw Error("the character \\u0000 is not text", location(node.source()));
      return text->get();
    }
    if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* number = node.as_floating_point(); number && std::isfinite(number->get()))
      return float_text(node.source());
    const Location where = location(node.source());
    if (node.is_array()) throw Error("a list in a list is no value of a setting", where);
    if (node.is_table()) throw Error("a table in a table: name the command alone", where);
    throw Error("expected a number, true, false, or a word in quotes", where);
  }

  /// As C writes it: without a plus sign and underscores.
  std::string float_text(const toml::source_region& region) {
    const std::size_t begin = offset(region.begin);
    std::string result(text_.substr(begin, offset(region.end) - begin));
    std::erase(result, '_');
    if (result.starts_with('+')) result.erase(0, 1);
    return result;
  }

  /// Columns count characters, not bytes. Starts at the position asked for last, if that is before
  /// this one in its line, so that long lines take linear time.
  std::size_t offset(const toml::source_position& position) {
    if (position.line != last_.line || position.column < last_.column) {
      last_ = {position.line, 1};
      last_offset_ = line_starts_.at(position.line - 1);
    }
    const auto continues = [&] {
      return last_offset_ < text_.size() &&
             (static_cast<unsigned char>(text_[last_offset_]) & 0xc0u) == 0x80u;
    };
    for (; last_.column < position.column && last_offset_ < text_.size(); ++last_.column) {
      ++last_offset_;
      while (continues()) ++last_offset_;
    }
    return last_offset_;
  }

  std::string_view text_;
  std::vector<std::size_t> line_starts_;
  toml::source_position last_{1, 1};
  std::size_t last_offset_ = 0;
  std::vector<ConfigEntry> entries_;
};

/// The position after a string that begins at `start`; the end of the text if it is not closed.
std::size_t end_of_string(std::string_view text, std::size_t start) {
  const std::string_view one = text.substr(start, 1), three = text.substr(start, 3);
  const bool lines = three.size() == 3 && three[1] == one[0] && three[2] == one[0];
  const std::string_view quote = lines ? three : one;
  for (std::size_t i = start + quote.size(); i < text.size(); ++i) {
    if (text[i] == '\\' && one[0] == '"')
      ++i;
    else if (text.substr(i).starts_with(quote))
      return i + quote.size();
  }
  return text.size();
}

/// Throws Error if a key has more than `most` parts. Keys end at other punctuation; numbers have
/// one dot.
void check_key_lengths(std::string_view text) {
  constexpr std::size_t most = 100;
  std::size_t dots = 0, line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = end_of_string(text, i);
      line += static_cast<std::size_t>(std::ranges::count(text.substr(i, end - i), '\n'));
      i = end;
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == '\n') ++line;
    if (c == '.' && ++dots > most) throw Error("a key has too many parts", {line, 1});
    if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) dots = 0;
    ++i;
  }
}

}  // namespace

std::vector<ConfigEntry> parse_config_toml(std::string_view text) {
  check_key_lengths(text);
  try {
    return Reader(text).read(toml::parse(text));
  } catch (const toml::parse_error& error) {
    std::string_view what = error.description();  // Error while parsing string: ...
    constexpr std::string_view start = "Error ";
    if (what.starts_with(start)) what.remove_prefix(start.size());
    throw Error(one_line(what), location(error.source()));
  }
}

}  // namespace wmi::frontends
