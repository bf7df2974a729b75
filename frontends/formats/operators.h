#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "solver/terms/formula.h"

namespace wmi::frontends {

/// The value of a term: a Boolean or a real.
using Value = std::variant<Formula, Polynomial>;
using Values = std::vector<Value>;

enum class Sort : std::uint8_t { boolean, real };

inline Sort sort_of(const Value& value) {
  return std::holds_alternative<Formula>(value) ? Sort::boolean : Sort::real;
}

/// The sorts of the arguments of an operator: `alike` is any one sort, `choice` that of `ite`.
enum class Takes : std::uint8_t { reals, booleans, alike, choice };

inline constexpr std::size_t any_number = static_cast<std::size_t>(-1);

struct Operator {
  std::string_view name;
  Takes takes;
  std::size_t least, most;  // number of arguments
  Value (*apply)(Terms&, Values&&);
};

/// The operators of a language, and its names of the sorts.
struct Operators {
  std::span<const Operator> table;
  std::string_view boolean, real;

  /// Null if there is no operator of this name.
  const Operator* find(std::string_view name) const;
  std::string_view name_of(Sort sort) const { return sort == Sort::boolean ? boolean : real; }
  /// Throws Error if `op` does not take these arguments.
  Value apply(const Operator& op, Terms& terms, Values&& values) const;
};

/// The smooth functions, in the order of `functions()`, division excepted. Their names are not
/// reserved.
std::span<const Operator> smooth_functions();

/// Implementations of operators. Arguments have the right number and sorts.
namespace operators {

Value sum(Terms&, Values&& values);
Value difference(Terms&, Values&& values);  // a - b - c; -a for one argument
Value product(Terms&, Values&& values);
Value quotient(Terms& terms, Values&& values);
Value power(Terms&, Values&& values);

/// A smooth function; the normal density takes a mean and a deviation, too.
template <Function function>
Value smooth(Terms& terms, Values&& values) {
  return terms.apply(function, std::get<Polynomial>(std::move(values[0])));
}
Value normal_density(Terms& terms, Values&& values);

// a < b < c means a < b and b < c.
Value less(Terms& terms, Values&& values);
Value less_equal(Terms& terms, Values&& values);
Value greater(Terms& terms, Values&& values);
Value greater_equal(Terms& terms, Values&& values);
Value equal(Terms& terms, Values&& values);
Value distinct(Terms& terms, Values&& values);

Value negation(Terms&, Values&& values);
Value conjunction(Terms& terms, Values&& values);
Value disjunction(Terms& terms, Values&& values);
Value implication(Terms& terms, Values&& values);  // a => b => c means a => (b => c)
Value exclusive_or(Terms& terms, Values&& values);
Value choice(Terms& terms, Values&& values);

}  // namespace operators

}  // namespace wmi::frontends
