#include "frontends/common/line.h"

#include "frontends/common/utf8.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t longest = 600;    // bytes of a line
constexpr std::size_t beginning = 400;  // bytes kept at the start of a longer line
constexpr std::size_t ending = 150;     // bytes kept at its end, where messages suggest a remedy

bool control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7f;
  return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
}

std::string escaped(std::string_view bytes) {
  if (bytes == "\n") return "\\n";
  if (bytes == "\t") return "\\t";
  if (bytes == "\r") return "\\r";
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (const char letter : bytes) {
    const auto byte = static_cast<unsigned char>(letter);
    (result += "\\x") += {digits[byte / 16], digits[byte % 16]};
  }
  return result;
}

bool inside_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0u) == 0x80u; }

}  // namespace

std::string printable(std::string_view text, std::string_view kept) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    text.remove_prefix(character.size());
    const bool plain = length != 0 && !control(character);
    if (plain || kept.find(character) != std::string_view::npos)
      result += character;
    else
      result += escaped(character);
  }
  return result;
}

std::string one_line(std::string_view text) {
  std::string line = printable(text);
  if (line.size() <= longest) return line;
  std::size_t head = beginning;
  std::size_t tail = line.size() - ending;
  while (head > 0 && inside_character(line[head])) --head;
  while (tail < line.size() && inside_character(line[tail])) ++tail;
  return line.substr(0, head) + " ... " + line.substr(tail);
}

std::string message(std::string_view file, Location where, std::string_view what) {
  std::string place = printable(file);
  if (where.line > 0)
    place += ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
  return place + ": " + one_line(what);
}

}  // namespace wmi::frontends
