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
class Vocabulary {
 public:
  /// Error when the name is taken, or one that SMT-LIB could not write.
  void declare(const std::string& name, Sort sort, Location where);
  bool contains(const std::string& name) const { return values_.contains(name); }
  /// Error when there is no such name.
  const Value& value(const std::string& name, Location where) const;
  Variable real(const std::string& name, Location where) const;

  Terms& terms() { return terms_; }
  /// The task as a value of its own, all its reals integrated.
  Task finish(Task task) const;

 private:
  Terms terms_;
  std::unordered_map<std::string, Value> values_;
  std::vector<Variable> reals_;
  std::vector<std::uint32_t> booleans_;
};

/// The one term that `text` holds, in the prefix language of the Lisp formats:
///
///     (& (var bool A) (<= (* (const real 2.0) (var real x)) (const real 0.5)))
///
/// with the operators `ite ^ ~ & | * + - <= < >= > -> =`. `start` is the place of its first
/// character.
Tree read_lisp(std::string_view text, Location start);

/// `real` or `bool`; Error for any other.
Sort lisp_sort(const std::string& name, Location where);

/// Declares every `(var sort name)` of a term that is not known yet, in order.
void declare_variables(const Tree& tree, Vocabulary& vocabulary, std::uint32_t node = 0);

/// What a term means. Errors have the place of the offending subterm.
Formula lisp_formula(const Tree& tree, Vocabulary& vocabulary, std::uint32_t node = 0);
Polynomial lisp_real(const Tree& tree, Vocabulary& vocabulary, std::uint32_t node = 0);

/// The terms that a term multiplies: `(* a (* b c))` are a, b and c. Of a product each factor
/// becomes a weight of its own, so that it need not be multiplied out.
std::vector<std::uint32_t> factors(const Tree& tree, std::uint32_t node = 0);

/// The factor as a weight, appended to `weights`: `(ite c t 1)` is the weight t of c; 1 is none.
void add_weight(const Terms& terms, const Polynomial& factor, std::vector<Weight>& weights);

/// A term as weights, one for each of its factors.
void add_weights(const Tree& tree, Vocabulary& vocabulary, std::vector<Weight>& weights,
                 std::uint32_t node = 0);

/// `(get-wmi)`, with which every file without commands begins.
Query wmi_query();
/// `(get-probability EVENT :given GIVEN)`.
Query probability_query(const Terms& terms, Formula event, Formula given, Location where);

}  // namespace wmi::frontends
