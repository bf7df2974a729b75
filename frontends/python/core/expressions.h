#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontends/formats/operators.h"

namespace wmi::python {

namespace py = pybind11;

/// A variable of an expression.
struct Symbol {
  std::string name;
  frontends::Sort sort;
};

/// The variables of a problem, by their names.
using Names = std::unordered_map<std::string, frontends::Value>;

/// Expressions of Python (`ciber.terms.Expression`), translated into terms of a problem.
///
/// Expressions are graphs: what is shared is translated once, and nothing recurses on their depth.
/// A chain of sums, as Python's `sum` makes it, is added up at once, and so are chains of
/// conjunctions and of disjunctions.
///
/// The added objects themselves must be alive until the last one is added.
class Expressions {
 public:
  Expressions();

  /// Adds an expression, an int or a Fraction; returns its number. Throws Error if it is malformed.
  std::uint32_t add(py::handle expression);

  /// The variables, in the order in which they were first met.
  const std::vector<Symbol>& symbols() const { return symbols_; }

  /// The values of all added expressions, by their numbers (other values are unspecified). Throws
  /// Error for a variable that has no name there, and as Terms does.
  std::vector<frontends::Value> values(Terms& terms, const Names& names) const;

 private:
  enum class Kind : std::uint8_t { operation, number, symbol };

  struct Node {
    Kind kind;
    const frontends::Operator* op;  // of an operation
    std::uint32_t index;            // the first operand, the number or the symbol
    std::uint32_t size;             // operands
    std::uint32_t uses;             // as an operand or as an added expression
  };

  struct Open {  // an operation whose operands are being added
    PyObject* object;
    PyObject* operands;  // a tuple, kept
    const frontends::Operator* op;
    Py_ssize_t next;
    std::size_t first;  // of its operands in `done_`
  };

  std::uint32_t append(const Node& node);
  /// Adds a leaf, finds a known expression, or opens an operation.
  void enter(PyObject* object);
  void close();
  void enter_symbol(PyObject* object, PyObject* operands, frontends::Sort sort);
  std::vector<bool> inlined() const;
  frontends::Value value(const Node& node, Terms& terms, const std::vector<bool>& inlined,
                         std::vector<frontends::Value>& values,
                         std::vector<std::uint32_t>& uses) const;

  py::str operator_name_, operands_name_;
  std::vector<Node> nodes_;  // operands before operations
  std::vector<std::uint32_t> operands_;
  std::vector<Rational> numbers_;
  std::vector<Symbol> symbols_;
  std::unordered_map<PyObject*, std::uint32_t> known_;
  std::unordered_map<std::string, std::uint32_t> symbol_numbers_;  // by name and sort
  std::vector<py::object> kept_;  // operands, so that the objects in `known_` are alive
  std::vector<Open> open_;
  std::vector<std::uint32_t> done_;  // the operands added so far, of all open operations
};

}  // namespace wmi::python
