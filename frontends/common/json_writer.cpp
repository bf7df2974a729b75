#include "frontends/common/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "frontends/common/utf8.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// `\u001f`
std::string numbered_escape(unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  return std::string("\\u00") + digits[byte >> 4] + digits[byte & 15];
}

/// The number of malformed bytes at the start of a text that one U+FFFD replaces: the longest
/// prefix of a character, or one byte (Unicode 15, section 3.9).
std::size_t malformed_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0xc2 || lead > 0xf4) return 1;
  const unsigned least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (text.size() < 2 || byte(1) < least || byte(1) > most) return 1;
  std::size_t length = 2;
  while (length < text.size() && (byte(length) & 0xc0u) == 0x80u) ++length;
  return length;
}

bool needs_backslash(char c) { return c == '"' || c == '\\'; }

}  // namespace

std::string json_string(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0 || text[0] == '\0') throw Error("a name or word is not text");
    const auto byte = static_cast<unsigned char>(text[0]);
    if (byte < 0x20)
      result += numbered_escape(byte);
    else
      (result += needs_backslash(text[0]) ? "\\" : "") += text.substr(0, length);
    text.remove_prefix(length);
  }
  return result + "\"";
}

JsonText JsonText::display(std::string_view text) {
  constexpr std::string_view controls = "\b\t\n\f\r", letters = "btnfr";
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    const std::size_t named = controls.find(text[0]);
    if (length == 0)
      result += "\ufffd";
    else if (named != std::string_view::npos)
      (result += "\\") += letters[named];
    else if (byte < 0x20)
      result += numbered_escape(byte);
    else
      (result += needs_backslash(text[0]) ? "\\" : "") += text.substr(0, length);
    text.remove_prefix(length == 0 ? malformed_length(text) : length);
  }
  return verbatim(result + "\"");
}

JsonText::JsonText(double value) : text_("null") {
  if (!std::isfinite(value)) return;
  const double size = std::abs(value);
  const bool fixed = value == 0 || (size >= 1e-4 && size < 1e16);
  std::array<char, 32> room{};
  const auto [end, error] =
      std::to_chars(room.data(), room.data() + room.size(), value,
                    fixed ? std::chars_format::fixed : std::chars_format::scientific);
  text_.assign(room.data(), end);
}

JsonText::JsonText(const JsonArray& array) : text_(array.text()) {}
JsonText::JsonText(const JsonObject& object) : text_(object.text()) {}

std::string JsonSequence::line_break() const {
  return indent_ ? "\n" + std::string(*indent_, ' ') : "";
}

void JsonSequence::append(std::string_view element) {
  if (any_) text_ += ",";
  if (indent_)
    text_ += line_break();
  else if (any_)
    text_ += blank();
  text_ += element;
  any_ = true;
  indent_.reset();
}

std::string JsonSequence::enclosed(char open, char close) const {
  return open + text_ + line_break() + close;
}

}  // namespace wmi::frontends
