#include "frontends/python/core/expressions.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "frontends/python/core/numbers.h"
#include "solver/terms/error.h"

namespace wmi::python {

using frontends::Operator;
using frontends::Sort;
using frontends::sort_of;
using frontends::Takes;
using frontends::Value;
using frontends::Values;

namespace {

Value extreme(Terms& terms, Values&& values, bool largest) {
  Polynomial result = std::get<Polynomial>(values[0]);
  for (std::size_t i = 1; i < values.size(); ++i) {
    const Polynomial& other = std::get<Polynomial>(values[i]);
    const Formula less = terms.less(result, other);
    result = terms.choice(largest ? less : !less, other, result);
  }
  return result;
}

Value maximum(Terms& terms, Values&& values) { return extreme(terms, std::move(values), true); }
Value minimum(Terms& terms, Values&& values) { return extreme(terms, std::move(values), false); }

Value absolute(Terms& terms, Values&& values) {
  const Polynomial& value = std::get<Polynomial>(values[0]);
  return terms.choice(terms.less(value, 0), -value, value);
}

Value constant_true(Terms&, Values&&) { return truth; }
Value constant_false(Terms&, Values&&) { return falsity; }

constexpr auto table = std::to_array<Operator>({
    {"+", Takes::reals, 1, frontends::any_number, frontends::operators::sum},
    {"-", Takes::reals, 1, 2, frontends::operators::difference},
    {"*", Takes::reals, 1, frontends::any_number, frontends::operators::product},
    {"/", Takes::reals, 2, 2, frontends::operators::quotient},
    {"^", Takes::reals, 2, 2, frontends::operators::power},
    {"max", Takes::reals, 1, frontends::any_number, maximum},
    {"min", Takes::reals, 1, frontends::any_number, minimum},
    {"abs", Takes::reals, 1, 1, absolute},
    {"<", Takes::reals, 2, 2, frontends::operators::less},
    {"<=", Takes::reals, 2, 2, frontends::operators::less_equal},
    {">", Takes::reals, 2, 2, frontends::operators::greater},
    {">=", Takes::reals, 2, 2, frontends::operators::greater_equal},
    {"=", Takes::alike, 2, 2, frontends::operators::equal},
    {"distinct", Takes::alike, 2, 2, frontends::operators::distinct},
    {"true", Takes::booleans, 0, 0, constant_true},
    {"false", Takes::booleans, 0, 0, constant_false},
    {"not", Takes::booleans, 1, 1, frontends::operators::negation},
    {"and", Takes::booleans, 0, frontends::any_number, frontends::operators::conjunction},
    {"or", Takes::booleans, 0, frontends::any_number, frontends::operators::disjunction},
    {"xor", Takes::booleans, 2, 2, frontends::operators::exclusive_or},
    {"=>", Takes::booleans, 2, 2, frontends::operators::implication},
    {"ite", Takes::choice, 3, 3, frontends::operators::choice},
});

constexpr frontends::Operators language{table, "a formula", "a term"};

/// Null if there is none of this name.
const Operator* find_operator(std::string_view name) {
  if (const Operator* const op = language.find(name)) return op;
  const std::span<const Operator> smooth = frontends::smooth_functions();
  const auto found = std::ranges::find(smooth, name, &Operator::name);
  return found == smooth.end() ? nullptr : &*found;
}

bool is_sum(const Operator* op) { return op == &table[0] || op == &table[1]; }

/// Does the value of `outer` not change if the operands of its operand `inner` are its own?
bool chains(const Operator* outer, const Operator* inner) {
  if (outer == nullptr || inner == nullptr) return false;
  if (is_sum(outer)) return is_sum(inner);
  return outer == inner && (outer->name == "and" || outer->name == "or");
}

std::string_view text(PyObject* object) {
  Py_ssize_t size = 0;
  const char* const characters =
      PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, &size) : nullptr;
  if (characters == nullptr) {
    PyErr_Clear();
    throw Error("an expression is malformed: its operator or name is no text");
  }
  return {characters, static_cast<std::size_t>(size)};
}

/// Null if there is no such attribute.
py::object attribute(PyObject* object, const py::str& name) {
  auto result = py::reinterpret_steal<py::object>(PyObject_GetAttr(object, name.ptr()));
  if (!result) PyErr_Clear();
  return result;
}

/// Saves asking an int or a Fraction for operands. Other numbers are asked.
bool looks_like_number(PyObject* object) {
  return PyLong_Check(object) || std::string_view(Py_TYPE(object)->tp_name) == "Fraction";
}

}  // namespace

Expressions::Expressions() : operator_name_("operator"), operands_name_("operands") {}

std::uint32_t Expressions::append(const Node& node) {
  nodes_.push_back(node);
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void Expressions::enter_symbol(PyObject* object, PyObject* operands, Sort sort) {
  if (PyTuple_GET_SIZE(operands) != 1) throw Error("an expression is malformed: a name is missing");
  const std::string name(text(PyTuple_GET_ITEM(operands, 0)));
  const auto [place, is_new] = symbol_numbers_.try_emplace(
      (sort == Sort::real ? 'r' : 'b') + name, static_cast<std::uint32_t>(symbols_.size()));
  if (is_new) symbols_.push_back({name, sort});
  done_.push_back(append({Kind::symbol, nullptr, place->second, 0, 0}));
  known_.emplace(object, done_.back());
}

void Expressions::enter(PyObject* object) {
  if (const auto known = known_.find(object); known != known_.end()) {
    done_.push_back(known->second);
    return;
  }
  py::object operands;
  if (!looks_like_number(object)) operands = attribute(object, operands_name_);
  if (!operands) {
    numbers_.push_back(to_rational(object));
    done_.push_back(
        append({Kind::number, nullptr, static_cast<std::uint32_t>(numbers_.size() - 1), 0, 0}));
    return;
  }
  const py::object op_name = attribute(object, operator_name_);
  if (!PyTuple_Check(operands.ptr()) || !op_name)
    throw Error("an expression is malformed: it has no operator or no operands");
  kept_.push_back(operands);
  const std::string_view name = text(op_name.ptr());
  if (name == "real" || name == "bool")
    return enter_symbol(object, operands.ptr(), name == "real" ? Sort::real : Sort::boolean);
  const Operator* const op = find_operator(name);
  if (op == nullptr)
    throw Error("an expression is malformed: no operator is called '" + std::string(name) + "'");
  open_.push_back({object, operands.ptr(), op, 0, done_.size()});
}

void Expressions::close() {
  const Open& open = open_.back();
  const std::uint32_t first = static_cast<std::uint32_t>(operands_.size());
  for (std::size_t i = open.first; i < done_.size(); ++i) {
    operands_.push_back(done_[i]);
    ++nodes_[done_[i]].uses;
  }
  const std::uint32_t node = append(
      {Kind::operation, open.op, first, static_cast<std::uint32_t>(operands_.size()) - first, 0});
  known_.emplace(open.object, node);
  done_.resize(open.first);
  done_.push_back(node);
  open_.pop_back();
}

std::uint32_t Expressions::add(py::handle expression) {
  open_.clear();
  done_.clear();
  enter(expression.ptr());
  while (!open_.empty()) {
    Open& open = open_.back();
    if (open.next == PyTuple_GET_SIZE(open.operands))
      close();
    else
      enter(PyTuple_GET_ITEM(open.operands, open.next++));
  }
  ++nodes_[done_[0]].uses;
  return done_[0];
}

/// The operations whose operands become those of the one operation that uses them.
std::vector<bool> Expressions::inlined() const {
  std::vector<bool> result(nodes_.size());
  for (const Node& node : nodes_)
    for (std::uint32_t i = node.index; i < node.index + node.size; ++i) {
      const Node& operand = nodes_[operands_[i]];
      if (operand.uses == 1 && chains(node.op, operand.op)) result[operands_[i]] = true;
    }
  return result;
}

Value Expressions::value(const Node& node, Terms& terms, const std::vector<bool>& inlined,
                         std::vector<Value>& values, std::vector<std::uint32_t>& uses) const {
  Values arguments;
  const auto take = [&](std::uint32_t number) {
    if (--uses[number] == 0) return std::exchange(values[number], Value());
    return values[number];
  };
  struct Place {
    std::uint32_t number;
    bool negated;
  };
  std::vector<Place> left;
  const auto push = [&](const Node& of, bool negated) {  // the first operand on top
    for (std::uint32_t i = of.size; i-- > 0;) {
      const bool subtracted = of.op == &table[1] && (i > 0 || of.size == 1);
      left.push_back({operands_[of.index + i], negated != subtracted});
    }
  };
  push(node, false);
  std::vector<Polynomial::Term> sum;
  while (!left.empty()) {
    const Place place = left.back();
    left.pop_back();
    if (inlined[place.number]) {
      push(nodes_[place.number], place.negated);
    } else if (is_sum(node.op)) {
      Value& operand = values[place.number];
      if (sort_of(operand) != Sort::real) throw Error("a formula is no number; use ite");
      for (const Polynomial::Term& term : std::get<Polynomial>(operand).terms()) {
        sum.push_back(term);
        if (place.negated) sum.back().coefficient = -term.coefficient;
      }
      if (--uses[place.number] == 0) operand = Value();
    } else {
      arguments.push_back(take(place.number));
    }
  }
  if (is_sum(node.op)) return Polynomial(std::move(sum));
  return language.apply(*node.op, terms, std::move(arguments));
}

std::vector<Value> Expressions::values(Terms& terms, const Names& names) const {
  const std::vector<bool> skip = inlined();
  std::vector<Value> result(nodes_.size());
  std::vector<std::uint32_t> uses(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) uses[i] = nodes_[i].uses;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (skip[i]) continue;
    if (node.kind == Kind::operation) {
      result[i] = value(node, terms, skip, result, uses);
    } else if (node.kind == Kind::number) {
      result[i] = Polynomial(numbers_[node.index]);
    } else {
      const Symbol& symbol = symbols_[node.index];
      const auto found = names.find(symbol.name);
      if (found == names.end() || sort_of(found->second) != symbol.sort)
        throw Error("'" + symbol.name +
                    (found == names.end()        ? "' is no variable of the problem; declare it"
                     : symbol.sort == Sort::real ? "' is a Boolean of the problem, not a real"
                                                 : "' is a real of the problem, not a Boolean"));
      result[i] = found->second;
    }
  }
  return result;
}

}  // namespace wmi::python
