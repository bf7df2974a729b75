// A parser without recursion: values are appended in preorder, and open arrays and objects are kept
// on a stack. A key is kept until its value is read.

#include "frontends/formats/json.h"

#include <set>
#include <utility>

#include "frontends/common/caps.h"
#include "frontends/common/text.h"
#include "frontends/common/utf8.h"
#include "frontends/formats/sexpr.h"

namespace wmi::frontends {

struct JsonParser {
  std::string_view text;
  std::vector<Json::Node>& nodes;
  std::size_t position = 0;
  Location where_now = {1, 1};

  bool done() const { return position == text.size(); }
  char peek() const { return done() ? '\0' : text[position]; }

  void advance(std::size_t count = 1) {
    position += count;
    where_now.column += count;
  }

  void skip_space() {
    for (; !done(); ++position) {
      if (peek() == '\n')
        where_now = {where_now.line + 1, 1};
      else if (peek() == ' ' || peek() == '\t' || peek() == '\r')
        ++where_now.column;
      else
        return;
    }
  }

  /// The next token, for a message.
  std::string found() const {
    if (done()) return "the end of the text";
    const std::size_t length = utf8_length(text.substr(position, 4));
    const auto byte = static_cast<unsigned char>(peek());
    if (length == 0 || byte < 0x20 || byte == 0x7f) return "a byte that is not text";
    std::size_t end = position;
    const auto in_word = [&](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '+' || c == '-' || c == '.';
    };
    while (end < text.size() && end < position + 20 && in_word(text[end])) ++end;
    return "'" + std::string(text.substr(position, end > position ? end - position : length)) + "'";
  }

  Error expected(const std::string& what) const {
    return Error("expected " + what + ", not " + found(), where_now);
  }

  bool take(char c) {
    if (done() || peek() != c) return false;
    advance();
    return true;
  }

  std::uint32_t hexadecimal() {
    std::uint32_t code = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = peek();
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) throw expected("four hexadecimal digits after \\u");
      code = 16 * code + static_cast<std::uint32_t>(digit);
      advance();
    }
    return code;
  }

  static void append_utf8(std::string& result, std::uint32_t code) {
    const auto byte = [&](std::uint32_t value) { result += static_cast<char>(value); };
    const auto continuation = [&](unsigned shift) { byte(0x80 | ((code >> shift) & 0x3f)); };
    if (code < 0x80) {
      byte(code);
    } else if (code < 0x800) {
      byte(0xc0 | (code >> 6));
      continuation(0);
    } else if (code < 0x10000) {
      byte(0xe0 | (code >> 12));
      continuation(6), continuation(0);
    } else {
      byte(0xf0 | (code >> 18));
      continuation(12), continuation(6), continuation(0);
    }
  }

  void escape(std::string& result) {
    const Location start = where_now;
    advance();  // the backslash
    constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t i = letters.find(peek()); !done() && i != std::string_view::npos) {
      result += meanings[i];
      advance();
      return;
    }
    if (!take('u')) throw Error("no such escape in a string", start);
    std::uint32_t code = hexadecimal();
    if (code >= 0xd800 && code < 0xdc00) {
      if (!take('\\') || !take('u')) throw Error("half of a surrogate pair", start);
      const std::uint32_t low = hexadecimal();
      if (low < 0xdc00 || low > 0xdfff) throw Error("half of a surrogate pair", start);
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code <= 0xdfff) {
      throw Error("half of a surrogate pair", start);
    }
    if (code == 0) throw Error("the character \\u0000 is not text", start);
    append_utf8(result, code);
  }

  /// The characters of a string, and whether any was escaped.
  std::pair<std::string, bool> string() {
    const Location start = where_now;
    std::pair<std::string, bool> result;
    advance();  // the quote
    while (!take('"')) {
      if (done()) throw Error("this string is never closed", start);
      if (peek() == '\\') {
        result.second = true;
        escape(result.first);
        continue;
      }
      const std::size_t length = utf8_length(text.substr(position, 4));
      if (peek() == '\n' || peek() == '\r')
        throw Error("this string is not closed at the end of its line", start);
      if (length == 0 || static_cast<unsigned char>(peek()) < 0x20)
        throw Error("a byte that is not text in a string", where_now);
      result.first += text.substr(position, length);
      advance(length);
    }
    return result;
  }

  std::string number() {
    const std::size_t start = position;
    const Location here = where_now;
    const auto digits = [&] {
      const std::size_t before = position;
      while (!done() && peek() >= '0' && peek() <= '9') advance();
      return position > before;
    };
    bool good = true;
    take('-');
    const bool zero = peek() == '0';
    const std::size_t leading = position;
    good = digits() && !(zero && position > leading + 1);
    if (good && take('.')) good = digits();
    if (good && (take('e') || take('E'))) {
      if (!take('+')) take('-');
      good = digits();
    }
    const char next = peek();
    const bool more = (next >= '0' && next <= '9') || (next >= 'a' && next <= 'z') ||
                      (next >= 'A' && next <= 'Z') || next == '.' || next == '-' || next == '+';
    if (!good || more) {
      position = start;
      where_now = here;
      throw expected("a number");
    }
    return std::string(text.substr(start, position - start));
  }

  /// A scalar: null, a boolean, a number or a string.
  Json::Node scalar() {
    const Location here = where_now;
    const auto node = [&](Json::Kind kind, std::string content, bool escaped = false) {
      return Json::Node{kind, escaped, std::move(content), "", here, {}, 0};
    };
    if (peek() == '"') {
      auto [content, escaped] = string();
      return node(Json::Kind::string, std::move(content), escaped);
    }
    for (const std::string_view word : {"null", "true", "false"}) {
      if (!text.substr(position).starts_with(word)) continue;
      advance(word.size());
      return node(word == "null" ? Json::Kind::null : Json::Kind::boolean, std::string(word));
    }
    if ((peek() >= '0' && peek() <= '9') || peek() == '-')
      return node(Json::Kind::number, number());
    throw expected("a value");
  }

  void parse() {
    struct Open {
      std::uint32_t node;
      std::set<std::string> keys;
    };
    std::vector<Open> open;
    std::string key;
    Location key_where;
    // Each iteration reads one value, and closes the arrays and objects that end after it.
    while (true) {
      skip_space();
      const auto here = static_cast<std::uint32_t>(nodes.size());
      bool complete = true;
      if (peek() == '[' || peek() == '{') {
        if (open.size() == caps::nesting)
          throw Error("brackets nested deeper than " + std::to_string(caps::nesting), where_now);
        const bool object = peek() == '{';
        nodes.push_back(
            {object ? Json::Kind::object : Json::Kind::array, false, "", "", where_now, {}, 0});
        open.push_back({here, {}});
        advance();
        skip_space();
        complete = peek() == (object ? '}' : ']');
      } else {
        nodes.push_back(scalar());
        nodes.back().end = here + 1;
      }
      nodes[here].key = std::exchange(key, {});
      nodes[here].key_where = std::exchange(key_where, {});

      bool fresh = !complete;  // just opened: no comma before the first value
      while (!open.empty() && !fresh) {
        skip_space();
        const bool object = nodes[open.back().node].kind == Json::Kind::object;
        if (take(object ? '}' : ']')) {
          nodes[open.back().node].end = static_cast<std::uint32_t>(nodes.size());
          open.pop_back();
        } else if (take(',')) {
          fresh = true;
        } else if (done()) {
          throw Error(std::string("this '") + (object ? '{' : '[') + "' is never closed",
                      nodes[open.back().node].where);
        } else {
          throw expected(object ? "',' or '}'" : "',' or ']'");
        }
      }
      if (open.empty()) break;
      if (nodes[open.back().node].kind == Json::Kind::object) {
        skip_space();
        if (peek() != '"') throw expected("a name in quotes");
        key_where = where_now;
        key = string().first;
        if (!open.back().keys.insert(key).second)
          throw Error("the name '" + key + "' stands twice in this object", key_where);
        skip_space();
        if (!take(':')) throw expected("':'");
      }
    }
    skip_space();
    if (!done()) throw expected("the end of the text");
  }
};

Json::Json(std::string_view text) {
  JsonParser parser{text, nodes_};
  if (text.starts_with(byte_order_mark)) parser.advance(byte_order_mark.size());
  parser.parse();
}

Location Json::Value::inside() const {
  if (node().escaped) return {};
  return {node().where.line, node().where.column + 1};
}

std::vector<Json::Value> Json::Value::items() const {
  std::vector<Value> result;
  for (std::uint32_t item = index_ + 1; item < node().end; item = json_->nodes_[item].end)
    result.push_back(Value(*json_, item));
  return result;
}

std::optional<Json::Value> Json::Value::find(std::string_view key) const {
  if (kind() != Kind::object) return std::nullopt;
  for (std::uint32_t item = index_ + 1; item < node().end; item = json_->nodes_[item].end)
    if (json_->nodes_[item].key == key) return Value(*json_, item);
  return std::nullopt;
}

Json::Value Json::Value::at(std::string_view key) const {
  if (const std::optional<Value> found = find(key)) return *found;
  throw Error("'" + std::string(key) + "' is missing", where());
}

const Json::Value& Json::Value::expect(Kind wanted, const std::string& what) const {
  if (kind() != wanted)
    throw Error(what + " must be " + to_string(wanted) + ", not " + to_string(kind()), where());
  return *this;
}

std::string to_string(Json::Kind kind) {
  switch (kind) {
    case Json::Kind::null:
      return "null";
    case Json::Kind::boolean:
      return "true or false";
    case Json::Kind::number:
      return "a number";
    case Json::Kind::string:
      return "a string";
    case Json::Kind::array:
      return "a list";
    case Json::Kind::object:
      return "an object";
  }
  return "";
}

}  // namespace wmi::frontends
