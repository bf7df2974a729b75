#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontends/formats/sexpr.h"
#include "frontends/formats/smtlib_terms.h"
#include "solver/terms/query.h"

namespace wmi::frontends {

/// The variables of a problem by name, in the order of their declaration.
class Declarations {
 public:
  /// Throws Error if the name is taken, or cannot be written in SMT-LIB.
  void declare(const std::string& name, Sort sort, Location where);
  bool contains(const std::string& name) const { return values_.contains(name); }
  /// Throws Error if there is no such name.
  const Value& value(const std::string& name, Location where) const;
  Variable real(const std::string& name, Location where) const;

  Terms& terms() { return terms_; }
  /// The task with a copy of the terms, integrating over all reals.
  Task finish(Task task) const;

 private:
  Terms terms_;
  std::unordered_map<std::string, Value> values_;
  std::vector<Variable> reals_;
  std::vector<std::uint32_t> booleans_;
};

/// Parses one term in the prefix language of the Lisp formats:
///
///     (& (var bool A) (<= (* (const real 2.0) (var real x)) (const real 0.5)))
///
/// with the operators `ite ^ ~ & | * + - <= < >= > -> =`. `start` is the location of its first
/// character.
Tree read_lisp(std::string_view text, Location start);

/// The sort `real` or `bool`; throws Error for any other name.
Sort lisp_sort(const std::string& name, Location where);

/// Declares every new `(var sort name)` of a term, in order.
void declare_variables(const Tree& tree, Declarations& declarations, std::uint32_t node = 0);

/// The value of a term. Errors have the location of the offending subterm.
Formula lisp_formula(const Tree& tree, Declarations& declarations, std::uint32_t node = 0);
Polynomial lisp_real(const Tree& tree, Declarations& declarations, std::uint32_t node = 0);

/// The factors of a term: of `(* a (* b c))`, a, b and c. Each becomes a weight of its own, so that
/// the product is not expanded.
std::vector<std::uint32_t> factors(const Tree& tree, std::uint32_t node = 0);

/// Appends a factor as a weight: `(ite c t 1)` is the weight t under c, and 1 is left out.
void add_weight(const Terms& terms, const Polynomial& factor, std::vector<Weight>& weights);

/// Appends the factors of a term as weights.
void add_weights(const Tree& tree, Declarations& declarations, std::vector<Weight>& weights,
                 std::uint32_t node = 0);

/// `(get-wmi)`, the first query of every file of a format without commands.
Query wmi_query();
/// `(get-probability EVENT :given GIVEN)`.
Query probability_query(const Terms& terms, Formula event, Formula given, Location where);

}  // namespace wmi::frontends
