#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

// The JSON writer of all programs. Not a library's: numbers stay the text that they are given
// (exact decimals, shortest doubles), and files keep their line breaks.

namespace wmi::frontends {

/// `text` as a JSON string, with its quotes. Throws Error if it is not UTF-8 or has a NUL.
std::string json_string(std::string_view text);

class JsonArray;
class JsonObject;

/// A JSON value as text.
class JsonText {
 public:
  JsonText(std::nullptr_t) : text_("null") {}
  JsonText(std::same_as<bool> auto value) : text_(value ? "true" : "false") {}
  template <std::integral Number>
  requires(!std::same_as<Number, bool>) JsonText(Number value) : text_(std::to_string(value)) {}
  JsonText(double value);  // the shortest text that reads back as it; null if it is not finite
  JsonText(std::string_view text) : text_(json_string(text)) {}
  JsonText(const std::string& text) : JsonText(std::string_view(text)) {}
  JsonText(const char* text) : JsonText(std::string_view(text)) {}
  JsonText(const JsonArray& array);
  JsonText(const JsonObject& object);

  /// What is JSON already: a number, or an object that was written before.
  static JsonText verbatim(std::string json) { return JsonText(Verbatim{std::move(json)}); }
  /// A string that may be any bytes: malformed UTF-8 becomes U+FFFD, and control characters have
  /// their short escapes, such as `\n`.
  static JsonText display(std::string_view bytes);

  const std::string& text() const { return text_; }

 private:
  struct Verbatim {
    std::string json;
  };
  explicit JsonText(Verbatim value) : text_(std::move(value.json)) {}

  std::string text_;
};

/// `{"a":1,"b":2}` or `{"a": 1, "b": 2}`
enum class JsonSpacing { none, blanks };

/// What arrays and objects share: separators and line breaks.
class JsonSequence {
 public:
  bool empty() const { return !any_; }

 protected:
  explicit JsonSequence(JsonSpacing spacing) : spacing_(spacing) {}

  void break_line(std::size_t indent) { indent_ = indent; }
  void append(std::string_view element);
  std::string enclosed(char open, char close) const;
  std::string_view blank() const { return spacing_ == JsonSpacing::blanks ? " " : ""; }

 private:
  std::string line_break() const;

  JsonSpacing spacing_;
  bool any_ = false;
  std::optional<std::size_t> indent_;  // of the line that begins next
  std::string text_;
};

/// A JSON array in the making.
///
///     JsonArray array;
///     array.add(1).add("two").add(nullptr);
///     array.text();  // [1,"two",null]
class JsonArray : public JsonSequence {
 public:
  explicit JsonArray(JsonSpacing spacing = JsonSpacing::none) : JsonSequence(spacing) {}
  /// Of all these values.
  template <class Range>
  static JsonArray of(const Range& values, JsonSpacing spacing = JsonSpacing::none) {
    JsonArray result(spacing);
    for (const auto& value : values) result.add(value);
    return result;
  }

  /// The next element, or the closing bracket, starts a line with so many blanks.
  JsonArray& line(std::size_t indent) {
    break_line(indent);
    return *this;
  }
  JsonArray& add(const JsonText& value) {
    append(value.text());
    return *this;
  }
  std::string text() const { return enclosed('[', ']'); }
};

/// A JSON object in the making; its members keep their order.
///
///     JsonObject object(JsonSpacing::blanks);
///     object.add("x", JsonText::verbatim("0.10")).line(1).add("name", "a");
///     object.text();  // {"x": 0.10,\n "name": "a"}
class JsonObject : public JsonSequence {
 public:
  explicit JsonObject(JsonSpacing spacing = JsonSpacing::none) : JsonSequence(spacing) {}

  /// The next member, or the closing brace, starts a line with so many blanks.
  JsonObject& line(std::size_t indent) {
    break_line(indent);
    return *this;
  }
  JsonObject& add(std::string_view name, const JsonText& value) {
    append(json_string(name) + ":" + std::string(blank()) + value.text());
    return *this;
  }
  std::string text() const { return enclosed('{', '}'); }
};

}  // namespace wmi::frontends
