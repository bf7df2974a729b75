#include "frontends/formats/smtlib_writer.h"

#include <algorithm>
#include <set>
#include <vector>

#include "frontends/formats/format.h"
#include "frontends/formats/sexpr.h"
#include "frontends/formats/smtlib_printer.h"

namespace wmi::frontends {
namespace {

/// A string literal: quotes are doubled.
std::string quoted_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

/// A text for a comment, on one line.
std::string plain(std::string text) {
  for (char& c : text)
    if (c < ' ' || c == 127) c = '?';
  return text;
}

/// The command of a query, its parts written by `print`.
template <typename Print>
std::string command(const Query& query, const Print& print) {
  const std::string given = query.given == truth ? "" : " :given " + print(query.given);
  switch (query.kind) {
    case Query::Kind::satisfiable:
      return "(check-sat)";
    case Query::Kind::wmi:
      return query.event == truth ? "(get-wmi)" : "(get-wmi " + print(query.event) + ")";
    case Query::Kind::probability:
      return "(get-probability " + print(query.event) + given + ")";
    case Query::Kind::expectation:
      return "(get-expectation " + print(query.term) + given + ")";
    case Query::Kind::variance:
      return "(get-variance " + print(query.term) + given + ")";
    case Query::Kind::moment:
      return "(get-moment " + print(query.term) + " " + std::to_string(query.order) + given + ")";
    case Query::Kind::density:
      return "(get-density " + print(query.term) + " :at " + literal(query.at) + given + ")";
    case Query::Kind::distribution:
      return "(get-distribution " + print(query.term) + given + ")";
    case Query::Kind::cdf:
      return "(get-cdf " + print(query.term) + " :at " + literal(query.at) + given + ")";
    case Query::Kind::quantile:
      return "(get-quantile " + print(query.term) + " " + literal(query.at) + given + ")";
  }
  return "";
}

/// A term by itself, with its shared subterms bound by `let`.
template <typename Term>
std::string closed(const TermPrinter& printer, const Term& term) {
  std::string result, ends;
  for (const TermPrinter::Named& named : printer.named()) {
    result += "(let ((" + named.name + " " + named.term + ")) ";
    ends += ')';
  }
  return result + printer.print(term) + ends;
}

struct ClosedPrint {
  const Terms& terms;

  std::string operator()(Formula formula) const {
    return closed(TermPrinter(terms, std::span(&formula, 1), {}), formula);
  }
  std::string operator()(const Polynomial& polynomial) const {
    return closed(TermPrinter(terms, {}, std::span(&polynomial, 1)), polynomial);
  }
};

void write_macros(const TermPrinter& printer, std::string& out) {
  for (const TermPrinter::Named& named : printer.named())
    out += "(define-fun " + named.name + " () " + named.sort + " " + named.term + ")\n";
}

/// Weights, evidence and queries.
void write_questions(const Task& task, const TermPrinter& printer, std::string& out) {
  const auto print = [&](const auto& term) { return printer.print(term); };
  const auto line = [&](const std::string& text) { out += text + '\n'; };
  for (const Weight& weight : task.problem.weights)
    line("(weight " + print(weight.condition) + " " + print(weight.value) + ")");
  for (const Observation& observation : task.problem.observations)
    line("(observe " + quoted_symbol(task.problem.terms.real_name(observation.variable)) + " " +
         literal(observation.value) + ")");
  const bool bounded = std::any_of(task.queries.begin(), task.queries.end(),
                                   [](const Query& query) { return query.bounded.has_value(); });
  in_order(
      task.queries.size(), task.echoes,
      [&](const Echo& echo) { line("(echo " + quoted_string(echo.text) + ")"); },
      [&](std::size_t i) {
        const Query& query = task.queries[i];
        if (bounded) line("; " + plain(query.text));
        line(command(query, print));
      });
}

/// `exp and normal`
std::string function_names(const Terms& terms) {
  std::set<Function> used;
  for (std::uint32_t node = 0; node < terms.size(); ++node)
    if (terms.node(node).kind == Kind::definition)
      used.insert(terms.definition(terms.node(node).index).function);
  used.erase(Function::none);
  std::string result;
  for (const Function function : used) {
    if (!result.empty()) result += function == *used.rbegin() ? " and " : ", ";
    result += name_of(function);
  }
  return result;
}

void write_task(const Task& task, bool pure, std::string& out) {
  const Problem& problem = task.problem;
  const Terms& terms = problem.terms;
  Roots printed = pure ? Roots{problem.assertions, {}} : roots(task);
  std::vector<NamedTerm> outputs = task.outputs;
  if (pure && terms.smooth()) {
    std::erase_if(outputs, [&](const NamedTerm& output) {
      return terms.function_in(output.term) != Function::none;
    });
    out += "; left out: weights and terms with " + function_names(terms) +
           ", which are not in linear real arithmetic\n";
  }
  for (const NamedTerm& output : outputs) printed.polynomials.push_back(output.term);
  const TermPrinter printer(terms, printed.formulas, printed.polynomials, task.names);
  const auto print = [&](const auto& term) { return printer.print(term); };
  const auto line = [&](const std::string& text) { out += text + '\n'; };

  for (Variable real = 0; real < problem.integrated.size(); ++real)
    line("(declare-const " + quoted_symbol(terms.real_name(real)) + " Real)");
  for (std::uint32_t boolean = 0; boolean < terms.boolean_count(); ++boolean)
    line("(declare-const " + quoted_symbol(terms.boolean_name(boolean)) + " Bool)");
  write_macros(printer, out);
  for (const NamedTerm& output : outputs)
    line("(define-fun " + printer.free_name(output.name) + " () Real " + print(output.term) + ")");
  if (!pure && std::find(problem.integrated.begin(), problem.integrated.end(), false) !=
                   problem.integrated.end()) {
    std::string names;
    for (Variable real = 0; real < problem.integrated.size(); ++real)
      if (problem.integrated[real]) names += ' ' + quoted_symbol(terms.real_name(real));
    line("(integrate" + names + ")");
  }
  for (const Formula assertion : problem.assertions) line("(assert " + print(assertion) + ")");
  if (pure)
    line("(check-sat)");
  else
    write_questions(task, printer, out);
}

}  // namespace

std::string query_text(const Terms& terms, const Query& query) {
  return command(query, ClosedPrint{terms});
}

std::string formula_text(const Terms& terms, Formula formula) {
  return ClosedPrint{terms}(formula);
}

std::string number_text(const Rational& number) { return literal(number); }

std::string definitions_text(const Terms& terms, std::span<const NamedTerm> named) {
  std::vector<Polynomial> polynomials;
  for (const NamedTerm& entry : named) polynomials.push_back(entry.term);
  const TermPrinter printer(terms, {}, polynomials);
  std::string out;
  write_macros(printer, out);
  for (const NamedTerm& entry : named)
    out += "(define-fun " + quoted_symbol(entry.name) + " () Real " + printer.print(entry.term) +
           ")\n";
  return out;
}

std::string statement_text(const Task& task) {
  const Roots printed = roots(task);
  const TermPrinter printer(task.problem.terms, printed.formulas, printed.polynomials, {}, "g",
                            "s");
  std::string out;
  write_macros(printer, out);
  for (const Formula assertion : task.problem.assertions)
    out += "(assert " + printer.print(assertion) + ")\n";
  write_questions(task, printer, out);
  return out;
}

std::string write_smtlib(const Script& script, bool pure) {
  std::string out;
  bool linear = true;  // except for outputs that are not compared
  for (const Task& task : script)
    for (const NamedTerm& output : task.outputs)
      linear = linear && (task.problem.terms.degree(output.term) <= 1 ||
                          task.problem.terms.function_in(output.term) != Function::none);
  if (pure) out += linear ? "(set-logic QF_LRA)\n" : "(set-logic QF_NRA)\n";
  for (const Task& task : script) {
    if (!pure) refuse_unanswerable(task);
    if (script.size() > 1) out += "(push 1)\n";
    write_task(task, pure, out);
    if (script.size() > 1) out += "(pop 1)\n";
  }
  return out;
}

}  // namespace wmi::frontends
