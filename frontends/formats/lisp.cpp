// The term language of pywmi and wmpy. A tree is in preorder, so one loop with a stack of open
// lists evaluates each term after its last argument.

#include "frontends/formats/lisp.h"

#include <algorithm>
#include <array>
#include <utility>

#include "frontends/common/text.h"
#include "frontends/formats/smtlib_writer.h"
#include "solver/terms/substitution.h"

namespace wmi::frontends {

void Declarations::declare(const std::string& name, Sort sort, Location where) {
  if (values_.contains(name)) throw Error("'" + name + "' is declared twice", where);
  const auto unwritable = [](char c) {
    return c == '|' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  };
  if (std::any_of(name.begin(), name.end(), unwritable))
    throw Error("a name cannot contain '|', '\\' or control characters", where);
  if (reserved(name)) throw Error("'" + name + "' is a reserved word", where);
  if (sort == Sort::real) {
    reals_.push_back(terms_.declare_real(name));
    values_.emplace(name, Polynomial::variable(reals_.back()));
  } else {
    booleans_.push_back(static_cast<std::uint32_t>(terms_.boolean_count()));
    values_.emplace(name, terms_.declare_boolean(name));
  }
}

const Value& Declarations::value(const std::string& name, Location where) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw Undeclared(name, where);
  return found->second;
}

Variable Declarations::real(const std::string& name, Location where) const {
  const Value& found = value(name, where);
  if (sort_of(found) != Sort::real) throw Error("'" + name + "' is bool, not real", where);
  return std::get<Polynomial>(found).variables()[0];
}

Task Declarations::finish(Task task) const {
  task.problem.integrated.assign(reals_.size(), true);
  return extract(terms_, reals_, booleans_, task);
}

namespace {

Value exponential(Terms&, Values&&) {
  throw Error("'exp' is not polynomial; weights must be piecewise polynomial");
}

constexpr auto table = std::to_array<Operator>({
    {"&", Takes::booleans, 1, any_number, operators::conjunction},
    {"|", Takes::booleans, 1, any_number, operators::disjunction},
    {"~", Takes::booleans, 1, 1, operators::negation},
    {"->", Takes::booleans, 2, 2, operators::implication},
    {"=", Takes::alike, 2, 2, operators::equal},
    {"<=", Takes::reals, 2, 2, operators::less_equal},
    {"<", Takes::reals, 2, 2, operators::less},
    {">=", Takes::reals, 2, 2, operators::greater_equal},
    {">", Takes::reals, 2, 2, operators::greater},
    {"ite", Takes::choice, 3, 3, operators::choice},
    {"+", Takes::reals, 1, any_number, operators::sum},
    {"-", Takes::reals, 1, 2, operators::difference},
    {"*", Takes::reals, 1, any_number, operators::product},
    {"^", Takes::reals, 2, 2, operators::power},
    {"exp", Takes::reals, 1, 1, exponential},
});

constexpr Operators lisp = {table, "bool", "real"};

/// `0.5`, `-57.0`, `1e-3`, `1/3`.
Rational number(const Sexpr& item) {
  try {
    return parse_fraction(item.text);
  } catch (const Error& error) {
    throw Error(error.what(), item.where);
  }
}

/// The sort and the name or value of `(var sort name)` or `(const sort value)`.
std::pair<Sort, std::uint32_t> leaf(const Tree& tree, std::uint32_t node) {
  const std::vector<std::uint32_t> parts = children(tree, node);
  const bool variable = tree[parts[0]].text == "var";
  if (parts.size() != 3 || tree[parts[1]].kind != Sexpr::Kind::symbol ||
      tree[parts[2]].kind == Sexpr::Kind::list)
    throw Error(variable ? "expected (var real NAME) or (var bool NAME)"
                         : "expected (const real NUMBER) or (const bool True)",
                tree[node].where);
  return {lisp_sort(tree[parts[1]].text, tree[parts[1]].where), parts[2]};
}

Value constant(const Tree& tree, std::uint32_t node) {
  const auto [sort, part] = leaf(tree, node);
  if (sort == Sort::real) return Polynomial(number(tree[part]));
  const std::string& word = tree[part].text;
  if (word == "True" || word == "true") return truth;
  if (word == "False" || word == "false") return falsity;
  throw Error("'" + word + "' is not a Boolean; use True or False", tree[part].where);
}

Value variable(const Tree& tree, const Declarations& declarations, std::uint32_t node) {
  const auto [sort, part] = leaf(tree, node);
  const Value& found = declarations.value(tree[part].text, tree[part].where);
  if (sort_of(found) != sort)
    throw Error("'" + tree[part].text + "' is declared " +
                    std::string(lisp.name_of(sort_of(found))) + ", not " +
                    std::string(lisp.name_of(sort)),
                tree[part].where);
  return found;
}

/// The operator of a list; throws Error if it is not a term.
const std::string& head(const Tree& tree, std::uint32_t node) {
  const Sexpr& item = tree[node];
  if (item.kind != Sexpr::Kind::list)
    throw Error("expected a term in parentheses, not '" + shortened(item.text) + "'", item.where);
  if (item.end == node + 1) throw Error("expected a term, not ()", item.where);
  return read_symbol(tree, node + 1, "an operator");
}

Value evaluate(const Tree& tree, Declarations& declarations, std::uint32_t root) {
  struct Open {
    std::uint32_t node;
    const Operator* op;
    Values values;
  };
  std::vector<Open> open;
  std::uint32_t node = root;
  while (true) {
    const std::string& name = head(tree, node);
    if (name == "const" || name == "var") {
      Value result = name == "var" ? variable(tree, declarations, node) : constant(tree, node);
      node = tree[node].end;
      if (open.empty()) return result;
      open.back().values.push_back(std::move(result));
    } else {
      const Operator* op = lisp.find(name);
      if (op == nullptr)
        throw Error("unknown operator '" + shortened(name) + "'", tree[node + 1].where);
      open.push_back({node, op, {}});
      node += 2;
    }
    while (node == tree[open.back().node].end) {
      Open done = std::move(open.back());
      open.pop_back();
      Value result;
      try {
        result = lisp.apply(*done.op, declarations.terms(), std::move(done.values));
      } catch (const Error& error) {
        throw Error(error.what(), tree[done.node].where);
      }
      if (open.empty()) return result;
      open.back().values.push_back(std::move(result));
    }
  }
}

}  // namespace

Tree read_lisp(std::string_view text, Location start) {
  SexprReader reader(text, start, Lexicon::lisp);
  std::optional<Tree> tree = reader.next();
  if (!tree) throw Error("expected a term", start);
  if (const std::optional<Tree> more = reader.next())
    throw Error("expected nothing after the term", more->front().where);
  return std::move(*tree);
}

Sort lisp_sort(const std::string& name, Location where) {
  if (name == "real") return Sort::real;
  if (name == "bool") return Sort::boolean;
  throw Error("type '" + shortened(name) + "' is not supported; use real or bool", where);
}

void declare_variables(const Tree& tree, Declarations& declarations, std::uint32_t node) {
  for (std::uint32_t i = node; i < tree[node].end; ++i) {
    if (tree[i].kind != Sexpr::Kind::list || tree[i].end == i + 1) continue;
    if (tree[i + 1].kind != Sexpr::Kind::symbol || tree[i + 1].text != "var") continue;
    const auto [sort, part] = leaf(tree, i);
    if (!declarations.contains(tree[part].text))
      declarations.declare(tree[part].text, sort, tree[part].where);
  }
}

Formula lisp_formula(const Tree& tree, Declarations& declarations, std::uint32_t node) {
  const Value result = evaluate(tree, declarations, node);
  if (sort_of(result) != Sort::boolean)
    throw Error("expected a formula, not a real term", tree[node].where);
  return std::get<Formula>(result);
}

Polynomial lisp_real(const Tree& tree, Declarations& declarations, std::uint32_t node) {
  Value result = evaluate(tree, declarations, node);
  if (sort_of(result) != Sort::real)
    throw Error("expected a real term, not a formula", tree[node].where);
  return std::get<Polynomial>(std::move(result));
}

std::vector<std::uint32_t> factors(const Tree& tree, std::uint32_t node) {
  std::vector<std::uint32_t> result, waiting = {node};
  while (!waiting.empty()) {
    const std::uint32_t here = waiting.back();
    waiting.pop_back();
    const std::vector<std::uint32_t> parts = children(tree, here);
    if (parts.size() < 2 || tree[parts[0]].kind != Sexpr::Kind::symbol ||
        tree[parts[0]].text != "*")
      result.push_back(here);
    else
      waiting.insert(waiting.end(), parts.rbegin(), parts.rend() - 1);
  }
  return result;
}

void add_weight(const Terms& terms, const Polynomial& factor, std::vector<Weight>& weights) {
  const Polynomial one(1);
  if (factor == one) return;
  const std::vector<Variable> variables = factor.variables();
  if (variables.size() == 1 && factor == Polynomial::variable(variables[0]) &&
      terms.defining_node(variables[0]) != 0) {
    const Definition& definition =
        terms.definition(terms.node(terms.defining_node(variables[0])).index);
    if (definition.otherwise == one) {
      weights.push_back({definition.condition, definition.then});
      return;
    }
    if (definition.then == one) {
      weights.push_back({!definition.condition, definition.otherwise});
      return;
    }
  }
  weights.push_back({truth, factor});
}

void add_weights(const Tree& tree, Declarations& declarations, std::vector<Weight>& weights,
                 std::uint32_t node) {
  for (const std::uint32_t factor : factors(tree, node))
    add_weight(declarations.terms(), lisp_real(tree, declarations, factor), weights);
}

Query wmi_query() {
  Query query;
  query.kind = Query::Kind::wmi;
  query.text = "(get-wmi)";
  query.where = {1, 1};
  return query;
}

Query probability_query(const Terms& terms, Formula event, Formula given, Location where) {
  Query query;
  query.kind = Query::Kind::probability;
  query.event = event;
  query.given = given;
  query.where = where;
  query.text = query_text(terms, query);
  return query;
}

}  // namespace wmi::frontends
