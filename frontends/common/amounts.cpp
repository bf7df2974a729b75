#include "frontends/common/amounts.h"

#include <string_view>

#include "solver/terms/error.h"
#include "solver/terms/rational.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t most_memory = std::size_t{1} << 50;

}  // namespace

std::optional<double> parse_seconds(const std::string& text) {
  try {
    const Rational value = parse_number(text);
    if (sgn(value) > 0 && value <= most_seconds) return value.get_d();
  } catch (const Error&) {
  }
  return std::nullopt;
}

std::optional<std::size_t> parse_bytes(const std::string& text) {
  try {
    std::string number = text;
    unsigned shift = 20;
    if (!number.empty()) {
      const std::size_t unit = std::string_view("KMG").find(number.back());
      if (unit != std::string_view::npos) {
        shift = 10 * (static_cast<unsigned>(unit) + 1);
        number.pop_back();
      }
    }
    const Rational value = parse_number(number) * Rational(Integer(1) << shift);
    if (value >= 1 && value <= most_memory)
      return static_cast<std::size_t>(Integer(value).get_ui());
  } catch (const Error&) {
  }
  return std::nullopt;
}

}  // namespace wmi::frontends
