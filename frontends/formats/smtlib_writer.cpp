// Prints terms as SMT-LIB. Terms are graphs, and as trees they can be exponentially larger. So
// every definition, and every formula that is used more than once or nested too deeply, gets a name
// (a macro in a script, a `let` in a query) and is written once. Names are defined in the order of
// the nodes, children first, so that reading the text back gives equal terms.

#include "frontends/formats/smtlib_writer.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <variant>
#include <vector>

#include "frontends/formats/format.h"
#include "frontends/formats/sexpr.h"

namespace wmi::frontends {
namespace {

/// Formulas nested deeper than this get a name; readers accept far more.
constexpr std::size_t max_depth = 200;
/// Atoms of more variables get a name.
constexpr std::size_t short_atom = 4;

std::string natural(const Integer& number) { return number.get_str(); }

/// `2`, `(/ 1 3)`, `(- 2)`, `(- (/ 1 3))`.
std::string literal(const Rational& number) {
  const Rational size = abs(number);
  const std::string text =
      size.get_den() == 1 ? natural(size.get_num())
                          : "(/ " + natural(size.get_num()) + " " + natural(size.get_den()) + ")";
  return number < 0 ? "(- " + text + ")" : text;
}

/// `(op a b)`; just `a` for one part.
std::string join(const char* op, const std::vector<std::string>& parts) {
  if (parts.size() == 1) return parts[0];
  std::string result = std::string("(") + op;
  for (const std::string& part : parts) result += ' ' + part;
  return result + ")";
}

/// Writes the terms below some roots, with names for shared subterms.
class Printer {
 public:
  struct Named {
    std::string name;
    std::string sort;
    std::string term;
  };

  Printer(const Terms& terms, std::span<const Formula> formulas,
          std::span<const Polynomial> polynomials,
          const std::map<Variable, UnitName>& given_names = {}, std::string formula_prefix = "f",
          std::string real_prefix = "r");

  /// The named nodes, each after those that it uses.
  const std::vector<Named>& named() const { return named_; }

  std::string print(Formula formula) const;
  std::string print(const Polynomial& polynomial) const;

  /// The name as a symbol, changed if it is taken.
  std::string free_name(std::string name) const;

 private:
  void choose_prefixes();
  void count_uses(std::span<const std::uint32_t> nodes, std::span<const Formula> roots);
  std::string print(Variable variable) const;
  std::string print_atom(const Atom& atom, bool negated) const;
  /// The formula of a node, written out even if it has a name.
  std::string print_content(Formula formula) const;

  const Terms& terms_;
  std::string formula_prefix_, real_prefix_;
  // By node; only those that are printed, since a query is a small part of all terms.
  std::unordered_map<std::uint32_t, std::size_t> uses_;
  std::unordered_map<std::uint32_t, std::string> names_;
  std::vector<Named> named_;
};

Printer::Printer(const Terms& terms, std::span<const Formula> formulas,
                 std::span<const Polynomial> polynomials,
                 const std::map<Variable, UnitName>& given_names, std::string formula_prefix,
                 std::string real_prefix)
    : terms_(terms),
      formula_prefix_(std::move(formula_prefix)),
      real_prefix_(std::move(real_prefix)) {
  const std::vector<std::uint32_t> walk = terms.below(formulas, polynomials);
  std::vector<std::uint32_t> nodes(walk.begin(), walk.end());
  std::sort(nodes.begin(), nodes.end());  // children first, definitions in their order
  choose_prefixes();
  count_uses(nodes, formulas);

  std::unordered_map<std::uint32_t, std::size_t> depth;
  std::size_t formula_count = 0, real_count = 0;
  for (const std::uint32_t number : nodes) {
    const Node& node = terms.node(number);
    if (node.kind == Kind::definition) {
      const Definition& definition = terms.definition(node.index);
      std::string term = "(ite " + print(definition.condition) + " " + print(definition.then) +
                         " " + print(definition.otherwise) + ")";
      const auto given = given_names.find(definition.variable);
      names_[number] = given != given_names.end() ? quoted_symbol(given->second.text)
                                                  : real_prefix_ + std::to_string(++real_count);
      named_.push_back({names_[number], "Real", std::move(term)});
      continue;
    }
    for (const Formula child : node.children)
      depth[number] = std::max(depth[number], depth[child.node()] + 1);
    const bool large =
        node.kind == Kind::conjunction || node.kind == Kind::choice ||
        (node.kind == Kind::atom && terms.atom(node.index).form.coefficients.size() > short_atom);
    if (!large || (uses_[number] <= 1 && depth[number] < max_depth)) continue;
    std::string term = print_content({number, false});
    names_[number] = formula_prefix_ + std::to_string(++formula_count);
    named_.push_back({names_[number], "Bool", std::move(term)});
    depth[number] = 0;
  }
}

/// A prefix such that no declared name is the prefix followed by a number.
void Printer::choose_prefixes() {
  const auto clashes = [](const std::string& name, const std::string& prefix) {
    return name.starts_with(prefix) &&
           std::all_of(name.begin() + static_cast<std::ptrdiff_t>(prefix.size()), name.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  const auto taken = [&](const std::string& prefix) {
    for (Variable real = 0; real < terms_.real_count(); ++real)
      if (terms_.defining_node(real) == 0 && clashes(terms_.real_name(real), prefix)) return true;
    for (std::uint32_t boolean = 0; boolean < terms_.boolean_count(); ++boolean)
      if (clashes(terms_.boolean_name(boolean), prefix)) return true;
    return false;
  };
  while (taken(formula_prefix_)) formula_prefix_ += '_';
  while (taken(real_prefix_)) real_prefix_ += '_';
}

void Printer::count_uses(std::span<const std::uint32_t> nodes, std::span<const Formula> roots) {
  for (const Formula root : roots) ++uses_[root.node()];
  for (const std::uint32_t number : nodes) {
    const Node& node = terms_.node(number);
    for (const Formula child : node.children) ++uses_[child.node()];
    if (node.kind == Kind::definition) ++uses_[terms_.definition(node.index).condition.node()];
  }
}

std::string Printer::free_name(std::string name) const {
  const auto taken = [&] {
    for (Variable real = 0; real < terms_.real_count(); ++real)
      if (terms_.defining_node(real) == 0 && terms_.real_name(real) == name) return true;
    for (std::uint32_t boolean = 0; boolean < terms_.boolean_count(); ++boolean)
      if (terms_.boolean_name(boolean) == name) return true;
    return std::ranges::any_of(
        named_, [&](const Named& named) { return named.name == quoted_symbol(name); });
  };
  while (taken()) name += '_';
  return quoted_symbol(name);
}

std::string Printer::print(Variable variable) const {
  const std::uint32_t node = terms_.defining_node(variable);
  return node == 0 ? quoted_symbol(terms_.real_name(variable)) : names_.at(node);
}

std::string Printer::print(const Polynomial& polynomial) const {
  std::vector<std::string> sum;
  for (const Polynomial::Term& term : polynomial.terms()) {
    std::vector<std::string> product;
    if (term.coefficient != 1 || term.monomial.empty())
      product.push_back(literal(term.coefficient));
    for (const Power& power : term.monomial)
      product.insert(product.end(), power.exponent, print(power.variable));
    sum.push_back(join("*", product));
  }
  return sum.empty() ? "0" : join("+", sum);
}

/// Negative terms go to the other side; a comparison of one variable has it alone on one side.
std::string Printer::print_atom(const Atom& atom, bool negated) const {
  const LinearForm& form = atom.form;
  std::vector<std::string> left, right;
  if (form.coefficients.size() == 1) {
    left.push_back(print(form.coefficients[0].first));
    right.push_back(literal(-form.constant / form.coefficients[0].second));
  } else {
    for (const auto& [variable, coefficient] : form.coefficients) {
      const Rational size = abs(coefficient);
      std::string term = print(variable);
      if (size != 1) term = "(* " + literal(size) + " " + term + ")";
      (coefficient > 0 ? left : right).push_back(std::move(term));
    }
    if (form.constant != 0 || right.empty()) right.push_back(literal(-form.constant));
  }
  const char* sign = "=";
  if (atom.comparison == Comparison::less_equal) sign = negated ? ">" : "<=";
  if (atom.comparison == Comparison::less) sign = negated ? ">=" : "<";
  const std::string text = join(sign, {join("+", left), join("+", right)});
  return atom.comparison == Comparison::equal && negated ? "(not " + text + ")" : text;
}

std::string Printer::print(Formula formula) const {
  const auto name = names_.find(formula.node());
  if (name == names_.end()) return print_content(formula);
  return formula.negated() ? "(not " + name->second + ")" : name->second;
}

std::string Printer::print_content(Formula formula) const {
  std::string result;
  std::vector<std::variant<const char*, Formula>> waiting;  // the rest of the output, last first
  const auto write = [&](const char* before, std::span<const Formula> parts, bool negated,
                         const char* after) {
    result += before;
    waiting.emplace_back(after);
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      waiting.emplace_back(negated ? !*part : *part);
      waiting.emplace_back(" ");
    }
  };
  const auto content = [&](Formula here) {
    const Node& node = terms_.node(here.node());
    switch (node.kind) {
      case Kind::constant:
        result += here.negated() ? "false" : "true";
        break;
      case Kind::boolean: {
        const std::string name = quoted_symbol(terms_.boolean_name(node.index));
        result += here.negated() ? "(not " + name + ")" : name;
        break;
      }
      case Kind::atom:
        result += print_atom(terms_.atom(node.index), here.negated());
        break;
      case Kind::conjunction:
        write(here.negated() ? "(or" : "(and", node.children, here.negated(), ")");
        break;
      case Kind::choice:
        write(here.negated() ? "(not (ite" : "(ite", node.children, false,
              here.negated() ? "))" : ")");
        break;
      case Kind::definition:
        break;  // not a formula
    }
  };
  content(formula);
  while (!waiting.empty()) {
    const auto next = waiting.back();
    waiting.pop_back();
    if (const auto* text = std::get_if<const char*>(&next)) {
      result += *text;
      continue;
    }
    const Formula part = std::get<Formula>(next);
    if (names_.contains(part.node()))
      result += print(part);
    else
      content(part);
  }
  return result;
}

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
std::string closed(const Printer& printer, const Term& term) {
  std::string result, ends;
  for (const Printer::Named& named : printer.named()) {
    result += "(let ((" + named.name + " " + named.term + ")) ";
    ends += ')';
  }
  return result + printer.print(term) + ends;
}

struct ClosedPrint {
  const Terms& terms;

  std::string operator()(Formula formula) const {
    return closed(Printer(terms, std::span(&formula, 1), {}), formula);
  }
  std::string operator()(const Polynomial& polynomial) const {
    return closed(Printer(terms, {}, std::span(&polynomial, 1)), polynomial);
  }
};

void write_macros(const Printer& printer, std::string& out) {
  for (const Printer::Named& named : printer.named())
    out += "(define-fun " + named.name + " () " + named.sort + " " + named.term + ")\n";
}

/// Weights, evidence and queries.
void write_questions(const Task& task, const Printer& printer, std::string& out) {
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

void write_task(const Task& task, bool pure, std::string& out) {
  const Problem& problem = task.problem;
  const Terms& terms = problem.terms;
  Roots printed = pure ? Roots{problem.assertions, {}} : roots(task);
  for (const NamedTerm& output : task.outputs) printed.polynomials.push_back(output.term);
  const Printer printer(terms, printed.formulas, printed.polynomials, task.names);
  const auto print = [&](const auto& term) { return printer.print(term); };
  const auto line = [&](const std::string& text) { out += text + '\n'; };

  for (Variable real = 0; real < problem.integrated.size(); ++real)
    line("(declare-const " + quoted_symbol(terms.real_name(real)) + " Real)");
  for (std::uint32_t boolean = 0; boolean < terms.boolean_count(); ++boolean)
    line("(declare-const " + quoted_symbol(terms.boolean_name(boolean)) + " Bool)");
  write_macros(printer, out);
  for (const NamedTerm& output : task.outputs)
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
  const Printer printer(terms, {}, polynomials);
  std::string out;
  write_macros(printer, out);
  for (const NamedTerm& entry : named)
    out += "(define-fun " + quoted_symbol(entry.name) + " () Real " + printer.print(entry.term) +
           ")\n";
  return out;
}

std::string statement_text(const Task& task) {
  const Roots printed = roots(task);
  const Printer printer(task.problem.terms, printed.formulas, printed.polynomials, {}, "g", "s");
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
      linear = linear && task.problem.terms.degree(output.term) <= 1;
  if (pure) out += linear ? "(set-logic QF_LRA)\n" : "(set-logic QF_NRA)\n";
  for (const Task& task : script) {
    if (script.size() > 1) out += "(push 1)\n";
    write_task(task, pure, out);
    if (script.size() > 1) out += "(pop 1)\n";
  }
  return out;
}

}  // namespace wmi::frontends
