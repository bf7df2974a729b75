#include "frontends/wmi/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "frontends/common/line.h"
#include "solver/terms/decimal.h"

namespace wmi::frontends {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_fraction = 200;  // characters

bool short_enough(const std::string& fraction, const Style& style) {
  return style.exact || fraction.size() <= longest_fraction;
}

// Text

std::string value_text(const Interval& value, const Style& style) {
  if (!value.exact()) {
    if (style.exact) return fmt::format("[{}, {}]", to_string(value.lower), to_string(value.upper));
    return fmt::format("[{}, {}]", decimal(value.lower, style.decimals, Rounding::down),
                       decimal(value.upper, style.decimals, Rounding::up));
  }
  const std::string fraction = to_string(value.lower);
  const std::string rounded = decimal(value.lower, style.decimals);
  if (short_enough(fraction, style)) return fraction + " = " + rounded;
  const auto digits = std::ranges::count_if(fraction, [](char c) { return c >= '0' && c <= '9'; });
  return fmt::format("{} (a fraction of {} digits; --exact prints it)", rounded, digits);
}

/// `1/2 - s + 3*s^2`
std::string polynomial_text(const Univariate& polynomial) {
  std::string result;
  for (std::size_t power = 0; power < polynomial.coefficients().size(); ++power) {
    const Rational& coefficient = polynomial.coefficients()[power];
    if (coefficient == 0) continue;
    const Rational size = abs(coefficient);
    result += result.empty() ? (coefficient < 0 ? "-" : "") : (coefficient < 0 ? " - " : " + ");
    if (power == 0 || size != 1) result += to_string(size) + (power > 0 ? "*" : "");
    if (power > 0) result += power == 1 ? "s" : fmt::format("s^{}", power);
  }
  return result;
}

/// `; mass 1/2 at 0; density 1/6 from 0 to 3`, s being the value
std::string law_text(const Law& law, const Style& style) {
  constexpr std::size_t most = 12;  // parts that are listed
  const auto number = [&](const Rational& value) {
    const std::string fraction = to_string(value);
    return short_enough(fraction, style) ? fraction : decimal(value, style.decimals);
  };
  std::string result;
  std::size_t listed = 0;
  for (const PointMass& atom : law.atoms())
    if (style.exact || listed++ < most)
      result += fmt::format("; mass {} at {}", number(atom.mass), number(atom.at));
  for (const Piece& piece : law.pieces())
    if (style.exact || listed++ < most) {
      std::string density = polynomial_text(piece.density);
      if (!short_enough(density, style))
        density = fmt::format("of degree {}", piece.density.degree());
      result +=
          fmt::format("; density {} from {} to {}", density, number(piece.from), number(piece.to));
    }
  if (listed > most) result += fmt::format("; and {} more, see --exact or --json", listed - most);
  return result;
}

std::string bound_text(const Rational& bound, Rounding outwards, const Style& style) {
  const std::string fraction = to_string(bound);
  const std::string rounded = decimal(bound, style.decimals, outwards);
  return short_enough(fraction, style) ? fraction + " = " + rounded : rounded;
}

std::string known_text(const Query& query, const Answer& answer, const Style& style) {
  if (query.kind == Query::Kind::satisfiable) return "unknown";
  std::string known;
  if (answer.lower) known = "at least " + bound_text(*answer.lower, Rounding::down, style);
  if (answer.upper)
    known += (known.empty() ? "at most " : ", at most ") +
             bound_text(*answer.upper, Rounding::up, style);
  if (!known.empty()) return known;
  return "no bound known" + (answer.undefined.empty() ? "" : ": " + one_line(answer.undefined));
}

std::string text(const Query& query, const Answer& answer, const Style& style,
                 std::string_view stopped) {
  if (!answer.complete)
    return fmt::format("{}: stopped by {}; {}", one_line(query.text), stopped,
                       known_text(query, answer, style));
  if (answer.law) return value_text(*answer.value, style) + law_text(*answer.law, style);
  if (answer.value) return value_text(*answer.value, style);
  if (!answer.undefined.empty()) return "undefined: " + one_line(answer.undefined);
  return printable(answer.text);
}

bool disjoint(const Interval& a, const Interval& b) {
  return a.upper < b.lower || b.upper < a.lower;
}

// JSON

std::string line(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json optional_decimal(const std::optional<Rational>& value, const Style& style, Rounding rounding) {
  return value ? Json(decimal(*value, style.decimals, rounding)) : Json();
}

Json exact_or_null(const Interval& value) {
  return value.exact() ? Json(to_string(value.lower)) : Json();
}

void add_law(Json& object, const Law& law) {
  object["atoms"] = Json::array();
  for (const PointMass& atom : law.atoms())
    object["atoms"].push_back({{"at", to_string(atom.at)}, {"mass", to_string(atom.mass)}});
  object["pieces"] = Json::array();
  for (const Piece& piece : law.pieces()) {
    Json coefficients = Json::array();
    for (const Rational& coefficient : piece.density.coefficients())
      coefficients.push_back(to_string(coefficient));
    object["pieces"].push_back({{"from", to_string(piece.from)},
                                {"to", to_string(piece.to)},
                                {"coefficients", std::move(coefficients)}});
  }
}

void add_value(Json& object, const Answer& answer, const Style& style) {
  const Interval& value = *answer.value;
  object["exact"] = exact_or_null(value);
  object["decimal"] = decimal(value.midpoint(), style.decimals);
  if (answer.law) return add_law(object, *answer.law);
  object["lower"] = decimal(value.lower, style.decimals, Rounding::down);
  object["upper"] = decimal(value.upper, style.decimals, Rounding::up);
  if (!answer.left) return;
  object["left"] = exact_or_null(*answer.left);
  object["right"] = exact_or_null(value);
  if (answer.left->exact()) return;
  object["leftLower"] = decimal(answer.left->lower, style.decimals, Rounding::down);
  object["leftUpper"] = decimal(answer.left->upper, style.decimals, Rounding::up);
}

/// The name in JSON of what the command line calls `--timeout`.
std::string_view plain_name(std::string_view stopped) {
  stopped.remove_prefix(std::min(stopped.find_first_not_of('-'), stopped.size()));
  return stopped;
}

void add_answer(Json& object, const Query& query, const Answer& answer, const Style& style,
                std::string_view stopped) {
  if (query.kind == Query::Kind::satisfiable) {
    object["answer"] = answer.complete ? answer.text : "unknown";
    if (!answer.complete) object["stopped"] = plain_name(stopped);
    return;
  }
  if (!answer.refused.empty()) {
    object["exact"] = nullptr;
    object["decimal"] = nullptr;
    object["error"] = answer.refused;
  } else if (!answer.complete) {
    object["exact"] = nullptr;
    object["decimal"] = nullptr;
    object["lower"] = optional_decimal(answer.lower, style, Rounding::down);
    object["upper"] = optional_decimal(answer.upper, style, Rounding::up);
    object["stopped"] = plain_name(stopped);
  } else if (answer.value) {
    add_value(object, answer, style);
    if (answer.within_gap) object["stopped"] = "gap";
  } else {
    object["exact"] = nullptr;
    object["decimal"] = nullptr;
    object["undefined"] = answer.undefined;
  }
  object["cells"] = answer.cells;
  object["exactWithRespectTo"] = answer.assumptions;
}

std::string json(const Query& query, const Answer& answer, const Style& style,
                 const Circumstances& circumstances) {
  Json object;
  if (!circumstances.file.empty()) object["file"] = circumstances.file;
  object["query"] = query.text;
  add_answer(object, query, answer, style, circumstances.stopped);
  if (circumstances.measured) {
    object["seconds"] = std::round(circumstances.measured->seconds * 1e6) / 1e6;
    object["vertices"] = circumstances.measured->vertices;
  }
  return line(object);
}

}  // namespace

std::string report(const Query& query, const Answer& answer, const Style& style,
                   const Circumstances& circumstances) {
  if (!answer.refused.empty() && !style.json) return "";
  return (style.json ? json(query, answer, style, circumstances)
                     : text(query, answer, style, circumstances.stopped)) +
         "\n";
}

std::string report(const Echo& echo, const Style& style, std::string_view file) {
  if (!style.json) return printable(echo.text, "\n\t") + "\n";
  Json object;
  if (!file.empty()) object["file"] = file;
  object["echo"] = echo.text;
  return line(object) + "\n";
}

std::string report(const Explanation& explanation, const std::vector<std::string>& names,
                   const Style& style, std::string_view file) {
  constexpr std::size_t most = 20;  // lines
  Interval total;
  for (const Pattern& pattern : explanation.patterns) total = total + pattern.mass;
  const auto bits = [](const Pattern& pattern) {
    std::string result;
    for (const bool holds : pattern.holds) result += holds ? '1' : '0';
    return result;
  };
  const auto share = [&](const Pattern& pattern) {
    return total.contains(0) ? Interval() : pattern.mass / total;  // weights that cancel
  };
  if (style.json) {
    Json object;
    if (!file.empty()) object["file"] = file;
    object["explain"] = names;
    object["patterns"] = Json::array();
    for (const Pattern& pattern : explanation.patterns)
      object["patterns"].push_back({{"holds", bits(pattern)},
                                    {"share", exact_or_null(share(pattern))},
                                    {"decimal", decimal(share(pattern).midpoint(), style.decimals)},
                                    {"cells", pattern.cells}});
    return line(object) + "\n";
  }
  if (names.empty()) return "no choice is open: one pattern has all the mass\n";
  std::string result = fmt::format("{} pattern{} of", explanation.patterns.size(),
                                   explanation.patterns.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < names.size(); ++i)
    result += (i == 0 ? " " : ", ") + one_line(names[i]);
  result += "\n";
  for (std::size_t i = 0; i < std::min(most, explanation.patterns.size()); ++i) {
    const Pattern& pattern = explanation.patterns[i];
    result += fmt::format("  {}  {}\n", bits(pattern), value_text(share(pattern), style));
  }
  if (explanation.patterns.size() > most)
    result += fmt::format("  and {} more, see --json\n", explanation.patterns.size() - most);
  return result;
}

std::vector<std::string> remarks(const Query& query, const Answer& answer) {
  std::vector<std::string> result;
  const std::string asked = one_line(query.text);
  if (answer.value && answer.left && disjoint(*answer.left, *answer.value))
    result.push_back(fmt::format("{}: the limit from the right; from the left it is {}", asked,
                                 value_text(*answer.left, {})));
  for (const std::string& step : answer.assumptions)
    result.push_back(fmt::format("{}: exact with respect to {}", asked, one_line(step)));
  return result;
}

}  // namespace wmi::frontends
