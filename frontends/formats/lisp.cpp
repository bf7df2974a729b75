// The term language of pywmi and wmpy. Terms come in preorder, so one loop with a stack of open
// lists gives each its value once its last argument is read.

#include "frontends/formats/lisp.h"

#include <algorithm>
#include <array>
#include <utility>

#include "frontends/formats/smtlib_writer.h"
#include "solver/substitution.h"

namespace wmi::frontends {

void Vocabulary::declare(const std::string& name, Sort sort, Location where) {
  if (values_.contains(name)) throw Error("'" + name + "' is declared twice", where);
  const auto unwritable = [](char c) {
    return c == '|' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  };
  if (std::any_of(name.begin(), name.end(), unwritable))
    throw Error("a name cannot contain '|', '\\' or control characters", where);
  Terms scratch;
  TermReader(scratch).declare(name, truth, where);  // refuses words that SMT-LIB reserves
  if (sort == Sort::real) {
    reals_.push_back(terms_.declare_real(name));
    values_.emplace(name, Polynomial::variable(reals_.back()));
  } else {
    booleans_.push_back(static_cast<std::uint32_t>(terms_.boolean_count()));
    values_.emplace(name, terms_.declare_boolean(name));
  }
}

const Value& Vocabulary::value(const std::string& name, Location where) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw Undeclared(name, where);
  return found->second;
}

Variable Vocabulary::real(const std::string& name, Location where) const {
  const Value& found = value(name, where);
  if (sort_of(found) != Sort::real) throw Error("'" + name + "' is bool, not real", where);
  return std::get<Polynomial>(found).variables()[0];
}

Task Vocabulary::finish(Task task) const {
  task.problem.integrated.assign(reals_.size(), true);
  return extract(terms_, reals_, booleans_, task);
}

namespace {

using Values = std::vector<Value>;

std::string sort_name(Sort sort) { return sort == Sort::real ? "real" : "bool"; }

const Polynomial& real(const Value& value) { return std::get<Polynomial>(value); }

std::vector<Formula> formulas(const Values& values) {
  std::vector<Formula> result;
  for (const Value& value : values) result.push_back(std::get<Formula>(value));
  return result;
}

Value sum(Terms&, const Values& values) {
  std::vector<Polynomial::Term> terms;
  for (const Value& value : values)
    terms.insert(terms.end(), real(value).terms().begin(), real(value).terms().end());
  return Polynomial(std::move(terms));
}

Value difference(Terms&, const Values& values) {
  if (values.size() == 1) return -real(values[0]);
  return real(values[0]) - real(values[1]);
}

Value product(Terms&, const Values& values) {
  Polynomial result(1);
  for (const Value& value : values) result = result * real(value);
  return result;
}

Value to_power(Terms&, const Values& values) {
  if (!real(values[1]).constant()) throw Error("an exponent must be a number");
  const Rational exponent = real(values[1]).constant_term();
  if (exponent < 0 || exponent.get_den() != 1)
    throw Error("the exponent " + exponent.get_str().substr(0, 20) + " is not a natural number");
  if (exponent > max_degree)
    throw Error("the exponent " + exponent.get_str().substr(0, 20) + " is beyond " +
                std::to_string(max_degree));
  return power(real(values[0]), static_cast<unsigned>(exponent.get_num().get_ui()));
}

Value exponential(Terms&, const Values&) {
  throw Error("'exp' is not polynomial; weights must be piecewise polynomial");
}

Value equality(Terms& terms, const Values& values) {
  if (sort_of(values[0]) == Sort::real) return terms.equal(real(values[0]), real(values[1]));
  const Formula a = std::get<Formula>(values[0]), b = std::get<Formula>(values[1]);
  return terms.choice(a, b, !b);
}

Value choice(Terms& terms, const Values& values) {
  const Formula condition = std::get<Formula>(values[0]);
  if (sort_of(values[1]) == Sort::real)
    return terms.choice(condition, real(values[1]), real(values[2]));
  return terms.choice(condition, std::get<Formula>(values[1]), std::get<Formula>(values[2]));
}

enum class Takes : std::uint8_t { reals, booleans, alike, choice };

struct Operator {
  std::string_view name;
  Takes takes;
  std::size_t least, most;  // number of arguments
  Value (*apply)(Terms&, const Values&);
};

constexpr std::size_t any_number = static_cast<std::size_t>(-1);

constexpr auto operators = std::to_array<Operator>({
    {"&", Takes::booleans, 1, any_number,
     [](Terms& terms, const Values& values) -> Value { return terms.all(formulas(values)); }},
    {"|", Takes::booleans, 1, any_number,
     [](Terms& terms, const Values& values) -> Value { return terms.any(formulas(values)); }},
    {"~", Takes::booleans, 1, 1,
     [](Terms&, const Values& values) -> Value { return !std::get<Formula>(values[0]); }},
    {"->", Takes::booleans, 2, 2,
     [](Terms& terms, const Values& values) -> Value {
       return terms.either(!std::get<Formula>(values[0]), std::get<Formula>(values[1]));
     }},
    {"=", Takes::alike, 2, 2, equality},
    {"<=", Takes::reals, 2, 2,
     [](Terms& terms, const Values& values) -> Value {
       return terms.less_equal(real(values[0]), real(values[1]));
     }},
    {"<", Takes::reals, 2, 2,
     [](Terms& terms, const Values& values) -> Value {
       return terms.less(real(values[0]), real(values[1]));
     }},
    {">=", Takes::reals, 2, 2,
     [](Terms& terms, const Values& values) -> Value {
       return terms.less_equal(real(values[1]), real(values[0]));
     }},
    {">", Takes::reals, 2, 2,
     [](Terms& terms, const Values& values) -> Value {
       return terms.less(real(values[1]), real(values[0]));
     }},
    {"ite", Takes::choice, 3, 3, choice},
    {"+", Takes::reals, 1, any_number, sum},
    {"-", Takes::reals, 1, 2, difference},
    {"*", Takes::reals, 1, any_number, product},
    {"^", Takes::reals, 2, 2, to_power},
    {"exp", Takes::reals, 1, 1, exponential},
});

void check(const Operator& op, const Values& values) {
  if (values.size() < op.least || values.size() > op.most)
    throw Error(
        "'" + std::string(op.name) + "' has " + std::to_string(values.size()) +
        (values.size() == 1 ? " argument" : " arguments") + "; it takes " +
        (op.most == any_number ? "at least " : "") + std::to_string(op.least) +
        (op.most == op.least || op.most == any_number ? "" : " or " + std::to_string(op.most)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Sort wanted = op.takes == Takes::reals      ? Sort::real
                        : op.takes == Takes::booleans ? Sort::boolean
                        : op.takes == Takes::alike    ? sort_of(values[0])
                        : i == 0                      ? Sort::boolean
                                                      : sort_of(values[1]);
    if (sort_of(values[i]) != wanted)
      throw Error("argument " + std::to_string(i + 1) + " of '" + std::string(op.name) + "' is " +
                  sort_name(sort_of(values[i])) + ", not " + sort_name(wanted));
  }
}

/// `0.5`, `-57.0`, `1e-3`, `1/3`.
Rational number(const Sexpr& item) {
  try {
    const std::size_t slash = item.text.find('/');
    if (slash == std::string::npos) return parse_number(item.text);
    const Rational denominator = parse_number(std::string_view(item.text).substr(slash + 1));
    if (denominator == 0) throw Error("division by zero");
    return parse_number(std::string_view(item.text).substr(0, slash)) / denominator;
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

Value variable(const Tree& tree, const Vocabulary& vocabulary, std::uint32_t node) {
  const auto [sort, part] = leaf(tree, node);
  const Value& found = vocabulary.value(tree[part].text, tree[part].where);
  if (sort_of(found) != sort)
    throw Error("'" + tree[part].text + "' is declared " + sort_name(sort_of(found)) + ", not " +
                    sort_name(sort),
                tree[part].where);
  return found;
}

/// The head of a list; Error for what is not a term at all.
const std::string& head(const Tree& tree, std::uint32_t node) {
  const Sexpr& item = tree[node];
  if (item.kind != Sexpr::Kind::list)
    throw Error("expected a term in parentheses, not '" + item.text.substr(0, 40) + "'",
                item.where);
  if (item.end == node + 1) throw Error("expected a term, not ()", item.where);
  return read_symbol(tree, node + 1, "an operator");
}

Value evaluate(const Tree& tree, Vocabulary& vocabulary, std::uint32_t root) {
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
      Value result = name == "var" ? variable(tree, vocabulary, node) : constant(tree, node);
      node = tree[node].end;
      if (open.empty()) return result;
      open.back().values.push_back(std::move(result));
    } else {
      const auto op = std::find_if(operators.begin(), operators.end(),
                                   [&](const Operator& entry) { return entry.name == name; });
      if (op == operators.end())
        throw Error("unknown operator '" + name.substr(0, 40) + "'", tree[node + 1].where);
      open.push_back({node, &*op, {}});
      node += 2;
    }
    while (node == tree[open.back().node].end) {
      Open done = std::move(open.back());
      open.pop_back();
      Value result;
      try {
        check(*done.op, done.values);
        result = done.op->apply(vocabulary.terms(), done.values);
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
  throw Error("type '" + name.substr(0, 40) + "' is not supported; use real or bool", where);
}

void declare_variables(const Tree& tree, Vocabulary& vocabulary, std::uint32_t node) {
  for (std::uint32_t i = node; i < tree[node].end; ++i) {
    if (tree[i].kind != Sexpr::Kind::list || tree[i].end == i + 1) continue;
    if (tree[i + 1].kind != Sexpr::Kind::symbol || tree[i + 1].text != "var") continue;
    const auto [sort, part] = leaf(tree, i);
    if (!vocabulary.contains(tree[part].text))
      vocabulary.declare(tree[part].text, sort, tree[part].where);
  }
}

Formula lisp_formula(const Tree& tree, Vocabulary& vocabulary, std::uint32_t node) {
  const Value result = evaluate(tree, vocabulary, node);
  if (sort_of(result) != Sort::boolean)
    throw Error("expected a formula, not a real term", tree[node].where);
  return std::get<Formula>(result);
}

Polynomial lisp_real(const Tree& tree, Vocabulary& vocabulary, std::uint32_t node) {
  Value result = evaluate(tree, vocabulary, node);
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

void add_weights(const Tree& tree, Vocabulary& vocabulary, std::vector<Weight>& weights,
                 std::uint32_t node) {
  for (const std::uint32_t factor : factors(tree, node))
    add_weight(vocabulary.terms(), lisp_real(tree, vocabulary, factor), weights);
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
