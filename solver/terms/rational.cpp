#include "solver/terms/rational.h"

#include <algorithm>
#include <cctype>

#include "solver/terms/caps.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

/// A literal shortened for an error message.
std::string shown(std::string_view literal) {
  constexpr std::size_t width = 40;
  return literal.size() <= width ? std::string(literal)
                                 : std::string(literal.substr(0, width)) + "...";
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

Rational parse_number(std::string_view literal) {
  const auto malformed = [&] { return Error("'" + shown(literal) + "' is not a number"); };
  std::string digits;
  long scale = 0;  // digits after the point
  std::size_t at = 0;
  const bool negative = !literal.empty() && literal[0] == '-';
  if (negative || (!literal.empty() && literal[0] == '+')) ++at;

  bool point = false;
  for (; at < literal.size() && (digit(literal[at]) || (literal[at] == '.' && !point)); ++at) {
    if (literal[at] == '.') {
      point = true;
      continue;
    }
    digits += literal[at];
    if (point) ++scale;
    if (digits.size() > caps::digits)
      throw Error("a numeral of more than " + std::to_string(caps::digits) + " digits");
  }
  if (digits.empty() || (point && scale == 0)) throw malformed();

  long exponent = 0;
  if (at < literal.size() && (literal[at] == 'e' || literal[at] == 'E')) {
    ++at;
    const bool below = at < literal.size() && literal[at] == '-';
    if (at < literal.size() && (literal[at] == '-' || literal[at] == '+')) ++at;
    if (at == literal.size()) throw malformed();
    for (; at < literal.size() && digit(literal[at]); ++at) {
      exponent = exponent * 10 + (literal[at] - '0');
      if (exponent > static_cast<long>(caps::digits.value()))
        throw Error("the exponent of '" + shown(literal) + "' is beyond " +
                    std::to_string(caps::digits));
    }
    if (below) exponent = -exponent;
  }
  if (at != literal.size()) throw malformed();

  Integer mantissa(digits, 10), ten_power;
  const long shift = exponent - scale;
  mpz_ui_pow_ui(ten_power.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(shift)));
  if (negative) mantissa = -mantissa;
  return shift >= 0 ? Rational(mantissa * ten_power) : ratio(mantissa, ten_power);
}

Rational parse_fraction(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return parse_number(trimmed(text));
  const Rational denominator = parse_number(trimmed(text.substr(slash + 1)));
  if (denominator == 0) throw Error("'" + shown(trimmed(text)) + "' divides by 0");
  return parse_number(trimmed(text.substr(0, slash))) / denominator;
}

Rational power(const Rational& base, unsigned exponent) {
  Rational result;
  mpz_pow_ui(result.get_num_mpz_t(), base.get_num_mpz_t(), exponent);
  mpz_pow_ui(result.get_den_mpz_t(), base.get_den_mpz_t(), exponent);
  return result;
}

}  // namespace wmi
