#include "frontends/wmi/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frontends/common/json_writer.h"
#include "frontends/common/line.h"
#include "solver/terms/decimal.h"

namespace wmi::frontends {
namespace {

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

JsonText exact_or_null(const Interval& value) {
  return value.exact() ? JsonText(to_string(value.lower)) : JsonText(nullptr);
}

void add_decimal(JsonObject& object, std::string_view name, const Rational& value,
                 const Style& style, Rounding rounding) {
  object.add(name, decimal(value, style.decimals, rounding));
}

void add_bound(JsonObject& object, std::string_view name, const std::optional<Rational>& value,
               const Style& style, Rounding rounding) {
  if (value)
    add_decimal(object, name, *value, style, rounding);
  else
    object.add(name, nullptr);
}

JsonArray displayed(const std::vector<std::string>& texts) {
  JsonArray result;
  for (const std::string& text : texts) result.add(JsonText::display(text));
  return result;
}

void add_law(JsonObject& object, const Law& law) {
  JsonArray atoms, pieces;
  for (const PointMass& atom : law.atoms())
    atoms.add(JsonObject().add("at", to_string(atom.at)).add("mass", to_string(atom.mass)));
  for (const Piece& piece : law.pieces()) {
    JsonArray coefficients;
    for (const Rational& coefficient : piece.density.coefficients())
      coefficients.add(to_string(coefficient));
    pieces.add(JsonObject()
                   .add("from", to_string(piece.from))
                   .add("to", to_string(piece.to))
                   .add("coefficients", coefficients));
  }
  object.add("atoms", atoms).add("pieces", pieces);
}

void add_value(JsonObject& object, const Answer& answer, const Style& style) {
  const Interval& value = *answer.value;
  object.add("exact", exact_or_null(value));
  object.add("decimal", decimal(value.midpoint(), style.decimals));
  if (answer.law) return add_law(object, *answer.law);
  add_decimal(object, "lower", value.lower, style, Rounding::down);
  add_decimal(object, "upper", value.upper, style, Rounding::up);
  if (!answer.left) return;
  object.add("left", exact_or_null(*answer.left)).add("right", exact_or_null(value));
  if (answer.left->exact()) return;
  add_decimal(object, "leftLower", answer.left->lower, style, Rounding::down);
  add_decimal(object, "leftUpper", answer.left->upper, style, Rounding::up);
}

/// Rounded to microseconds, always with a point.
JsonText seconds(double value) {
  std::string text = JsonText(std::round(value * 1e6) / 1e6).text();
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return JsonText::verbatim(std::move(text));
}

/// The name in JSON of what the command line calls `--timeout`.
std::string_view plain_name(std::string_view stopped) {
  stopped.remove_prefix(std::min(stopped.find_first_not_of('-'), stopped.size()));
  return stopped;
}

void add_answer(JsonObject& object, const Query& query, const Answer& answer, const Style& style,
                std::string_view stopped) {
  if (query.kind == Query::Kind::satisfiable) {
    object.add("answer", answer.complete ? JsonText::display(answer.text) : JsonText("unknown"));
    if (!answer.complete) object.add("stopped", plain_name(stopped));
    return;
  }
  if (!answer.refused.empty()) {
    object.add("exact", nullptr).add("decimal", nullptr);
    object.add("error", JsonText::display(answer.refused));
  } else if (!answer.complete) {
    object.add("exact", nullptr).add("decimal", nullptr);
    add_bound(object, "lower", answer.lower, style, Rounding::down);
    add_bound(object, "upper", answer.upper, style, Rounding::up);
    object.add("stopped", plain_name(stopped));
  } else if (answer.value) {
    add_value(object, answer, style);
    if (answer.within_gap) object.add("stopped", "gap");
  } else {
    object.add("exact", nullptr).add("decimal", nullptr);
    object.add("undefined", JsonText::display(answer.undefined));
  }
  object.add("cells", answer.cells);
  object.add("exactWithRespectTo", displayed(answer.assumptions));
}

/// An object that begins with the name of the file, if there are several.
JsonObject object_of(std::string_view file) {
  JsonObject result;
  if (!file.empty()) result.add("file", JsonText::display(file));
  return result;
}

std::string json(const Query& query, const Answer& answer, const Style& style,
                 const Circumstances& circumstances) {
  JsonObject object = object_of(circumstances.file);
  object.add("query", JsonText::display(query.text));
  add_answer(object, query, answer, style, circumstances.stopped);
  if (circumstances.measured) {
    const auto& [time, vertices, counts, messages] = *circumstances.measured;
    object.add("seconds", seconds(time)).add("vertices", vertices);
    if (counts.signs_in_doubles > 0)
      object.add("signsInDoubles", counts.signs_in_doubles)
          .add("exactSigns", counts.exact_signs)
          .add("earlyDecisions", counts.early_decisions);
    if (messages.messages > 0)
      object.add("blocks", messages.blocks)
          .add("messages", messages.messages)
          .add("mostPieces", messages.most_pieces);
    if (messages.cut_boxes > 0) object.add("cutBoxes", messages.cut_boxes);
    if (messages.discrete_sums > 0) object.add("discreteSums", messages.discrete_sums);
    if (messages.cases > 0) object.add("cases", messages.cases);
  }
  return object.text();
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
  return object_of(file).add("echo", JsonText::display(echo.text)).text() + "\n";
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
    JsonArray patterns;
    for (const Pattern& pattern : explanation.patterns)
      patterns.add(JsonObject()
                       .add("holds", bits(pattern))
                       .add("share", exact_or_null(share(pattern)))
                       .add("decimal", decimal(share(pattern).midpoint(), style.decimals))
                       .add("cells", pattern.cells));
    JsonObject object = object_of(file);
    object.add("explain", displayed(names)).add("patterns", patterns);
    return object.text() + "\n";
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
