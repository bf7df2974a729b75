#include "frontends/cli/numbers.h"

#include <charconv>
#include <cstdint>

namespace wmi::frontends {
namespace {

/// All of the text as a number from `least` to `most`.
template <class Value>
std::optional<Value> parse(std::string_view text, Value least, Value most) {
  Value value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  // Written so that NaN is refused.
  if (error != std::errc() || stop != end || !(value >= least) || !(value <= most))
    return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> parse_number(std::string_view text, double least, double most) {
  return parse(text, least, most);
}

std::optional<std::size_t> parse_count(std::string_view text, std::size_t least, std::size_t most) {
  return parse(text, least, most);
}

std::optional<std::vector<std::size_t>> parse_counts(std::string_view text) {
  std::vector<std::size_t> result;
  for (;;) {
    const std::size_t comma = text.find(',');
    const auto count = parse_count(text.substr(0, comma), 1, SIZE_MAX);
    if (!count) return std::nullopt;
    result.push_back(*count);
    if (comma == std::string_view::npos) return result;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace wmi::frontends
