#include "frontends/formats/smtlib_printer.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <variant>

#include "frontends/formats/sexpr.h"

namespace wmi::frontends {
namespace {

/// Formulas nested deeper than this get a name; readers accept far more.
constexpr std::size_t max_depth = 200;
/// Atoms of more variables get a name.
constexpr std::size_t short_atom = 4;

/// `(op a b)`; just `a` for one part.
std::string join(const char* op, const std::vector<std::string>& parts) {
  if (parts.size() == 1) return parts[0];
  std::string result = std::string("(") + op;
  for (const std::string& part : parts) result += ' ' + part;
  return result + ")";
}

}  // namespace

std::string literal(const Rational& number) {
  const Rational size = abs(number);
  const std::string text =
      size.get_den() == 1 ? size.get_num().get_str()
                          : "(/ " + size.get_num().get_str() + " " + size.get_den().get_str() + ")";
  return number < 0 ? "(- " + text + ")" : text;
}

TermPrinter::TermPrinter(const Terms& terms, std::span<const Formula> formulas,
                         std::span<const Polynomial> polynomials,
                         const std::map<Variable, UnitName>& given_names,
                         std::string formula_prefix, std::string real_prefix)
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
      std::string term = print(definition);
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
void TermPrinter::choose_prefixes() {
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

void TermPrinter::count_uses(std::span<const std::uint32_t> nodes, std::span<const Formula> roots) {
  for (const Formula root : roots) ++uses_[root.node()];
  for (const std::uint32_t number : nodes) {
    const Node& node = terms_.node(number);
    for (const Formula child : node.children) ++uses_[child.node()];
    if (node.kind == Kind::definition) ++uses_[terms_.definition(node.index).condition.node()];
  }
}

std::string TermPrinter::free_name(std::string name) const {
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

std::string TermPrinter::print(const Definition& definition) const {
  const std::string then = print(definition.then);
  const std::string name(name_of(definition.function));
  switch (definition.function) {
    case Function::none:
      return "(ite " + print(definition.condition) + " " + then + " " +
             print(definition.otherwise) + ")";
    case Function::normal:
      return "(normal " + then + " 0 1)";
    case Function::reciprocal:
      return "(/ 1 " + then + ")";
    default:
      return "(" + name + " " + then + ")";
  }
}

std::string TermPrinter::print(Variable variable) const {
  const std::uint32_t node = terms_.defining_node(variable);
  return node == 0 ? quoted_symbol(terms_.real_name(variable)) : names_.at(node);
}

std::string TermPrinter::print(const Polynomial& polynomial) const {
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
std::string TermPrinter::print_atom(const Atom& atom, bool negated) const {
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

std::string TermPrinter::print(Formula formula) const {
  const auto name = names_.find(formula.node());
  if (name == names_.end()) return print_content(formula);
  return formula.negated() ? "(not " + name->second + ")" : name->second;
}

std::string TermPrinter::print_content(Formula formula) const {
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

}  // namespace wmi::frontends
