#include "frontends/ciber/verify/verify_report.h"

#include <fmt/format.h>

#include "frontends/ciber/verify/property_formula.h"
#include "frontends/common/json_writer.h"
#include "frontends/common/line.h"
#include "solver/terms/decimal.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t most_numbers = 16;  // of a vector in text

Query query(std::string text) {
  Query result;
  result.kind = Query::Kind::probability;
  result.text = std::move(text);
  return result;
}

/// The line of a report without its end.
std::string line(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

/// `probability 1/81 = 0.0123`; `probability at least 0.1, at most 0.2 (stopped by --timeout)`
std::string probability_text(const Answer& answer, const Style& style,
                             const Circumstances& circumstances) {
  Style plain = style;
  plain.json = false;
  if (!answer.refused.empty()) return "no probability: " + one_line(answer.refused);
  if (answer.complete) return "probability " + line(report(query("probability"), answer, plain));
  std::string known;
  if (answer.lower) known = "at least " + decimal(*answer.lower, style.decimals, Rounding::down);
  if (answer.upper)
    known += fmt::format("{}at most {}", known.empty() ? "" : ", ",
                         decimal(*answer.upper, style.decimals, Rounding::up));
  return fmt::format("probability {} (stopped by {})",
                     known.empty() ? "without known bounds" : known, circumstances.stopped);
}

JsonText probability_json(const Answer& answer, const Style& style,
                          const Circumstances& circumstances, const std::string& name) {
  return JsonText::verbatim(line(report(query(name), answer, style, circumstances)));
}

/// As a decimal, if that is exact, else as a fraction.
std::string value_text(const Rational& value) {
  std::string text = decimal(value, 17);
  return parse_number(text) == value ? text : to_string(value);
}

/// As a decimal, rounded.
std::string value_text(const Interval& value) {
  if (value.exact()) return decimal(value.lower, 17);
  return fmt::format("[{}, {}]", decimal(value.lower, 17, Rounding::down),
                     decimal(value.upper, 17, Rounding::up));
}

template <class Values>
std::string vector_text(const Values& values) {
  std::string result;
  for (std::size_t i = 0; i < values.size() && i < most_numbers; ++i)
    result += (i > 0 ? ", " : "") + value_text(values[i]);
  if (values.size() > most_numbers)
    result += fmt::format(", and {} more", values.size() - most_numbers);
  return "(" + result + ")";
}

std::string witness_text(const Witness& witness) {
  std::string result = "witness: X = " + vector_text(witness.inputs);
  for (const auto& [name, value] : witness.weights)
    result += fmt::format(", {} = {}", one_line(name), value_text(value));
  return result + ", Y = " + vector_text(witness.outputs) + "\n";
}

JsonText witness_json(const Witness& witness) {
  JsonArray inputs, outputs;
  for (const Rational& input : witness.inputs) inputs.add(to_string(input));
  for (const Interval& output : witness.outputs)
    outputs.add(output.exact() ? JsonText(decimal(output.lower, 17))
                               : JsonText(JsonArray()
                                              .add(decimal(output.lower, 17, Rounding::down))
                                              .add(decimal(output.upper, 17, Rounding::up))));
  JsonObject result;
  result.add("inputs", inputs).add("outputs", outputs);
  if (witness.weights.empty()) return result;
  JsonObject weights;
  for (const auto& [name, value] : witness.weights) weights.add(name, to_string(value));
  return result.add("weights", weights);
}

/// What probability 0 leaves open.
std::string_view measure_zero_text(const VerificationProblem& problem, const Verification& found) {
  if (found.witness) return "a counterexample exists, of probability 0";
  if (!found.no_counterexample) return "counterexamples of measure 0 are not excluded";
  return problem.inputs.whole ? "no input of the region violates it"
                              : "no value of what is random violates it";
}

std::string json(const VerificationProblem& problem, const Verification& found, const Style& style,
                 const Circumstances& circumstances) {
  const Verdict verdict = found.verdict();
  JsonObject result;
  result.add("verdict", name_of(verdict))
      .add("probability", probability_json(found.probability, style, circumstances, "P(unsafe)"));
  if (verdict == Verdict::holds) result.add("noCounterexample", found.no_counterexample);
  JsonArray regions;
  for (std::size_t i = 0; i < found.regions.size(); ++i)
    regions.add(
        JsonObject()
            .add("region", JsonText::display(property_text(problem.regions[i])))
            .add("probability", probability_json(found.regions[i], style, circumstances,
                                                 fmt::format("P(unsafe region {})", i + 1))));
  result.add("regions", regions)
      .add("witness", found.witness ? witness_json(*found.witness) : JsonText(nullptr));
  JsonArray assumptions;
  for (const std::string& step : found.probability.assumptions)
    assumptions.add(JsonText::display(step));
  result.add("exactWithRespectTo", assumptions).add("cells", found.probability.cells);
  if (circumstances.measured) {
    const auto& [seconds, vertices, counts, messages] = *circumstances.measured;
    result.add("seconds", JsonText::verbatim(fmt::format("{:.3f}", seconds)))
        .add("vertices", vertices)
        .add("signsInDoubles", counts.signs_in_doubles)
        .add("exactSigns", counts.exact_signs)
        .add("earlyDecisions", counts.early_decisions);
  }
  return result.text() + "\n";
}

}  // namespace

std::string report(const VerificationProblem& problem, const Verification& found,
                   const Style& style, const Circumstances& circumstances) {
  if (style.json) return json(problem, found, style, circumstances);
  const Verdict verdict = found.verdict();
  std::string result = fmt::format("{}: {}", name_of(verdict),
                                   probability_text(found.probability, style, circumstances));
  if (verdict == Verdict::holds) result += fmt::format("; {}", measure_zero_text(problem, found));
  result += "\n";
  for (std::size_t i = 0; i < found.regions.size(); ++i)
    result += fmt::format("unsafe region {} ({}): {}\n", i + 1,
                          one_line(property_text(problem.regions[i])),
                          probability_text(found.regions[i], style, circumstances));
  if (found.witness)
    result += witness_text(*found.witness);
  else if (verdict == Verdict::violated && !found.no_witness.empty())
    result += fmt::format("no witness: {}\n", found.no_witness);
  return result;
}

std::string competition_report(const Verification& found, bool stopped) {
  if (found.witness) {
    std::string result = "sat\n(";
    const auto add = [&](char letter, std::size_t i, const Rational& value) {
      result += fmt::format("{}({}_{} {})", i == 0 && letter == 'X' ? "" : "\n ", letter, i,
                            decimal(value, 17));
    };
    for (std::size_t i = 0; i < found.witness->inputs.size(); ++i)
      add('X', i, found.witness->inputs[i]);
    for (std::size_t i = 0; i < found.witness->outputs.size(); ++i)
      add('Y', i, found.witness->outputs[i].midpoint());
    return result + ")\n";
  }
  if (found.no_counterexample) return "unsat\n";
  return stopped ? "timeout\n" : "unknown\n";
}

}  // namespace wmi::frontends
