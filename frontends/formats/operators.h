#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "solver/terms/formula.h"

namespace wmi::frontends {

/// What a term means: a Boolean or a real.
using Value = std::variant<Formula, Polynomial>;
using Values = std::vector<Value>;

enum class Sort : std::uint8_t { boolean, real };

inline Sort sort_of(const Value& value) {
  return std::holds_alternative<Formula>(value) ? Sort::boolean : Sort::real;
}

/// What the arguments of an operator may be.
enum class Takes : std::uint8_t { reals, booleans, alike, choice };

inline constexpr std::size_t any_number = static_cast<std::size_t>(-1);

struct Operator {
  std::string_view name;
  Takes takes;
  std::size_t least, most;  // number of arguments
  Value (*apply)(Terms&, Values&&);
};

/// The operators of a language, and what it calls the sorts.
struct Operators {
  std::span<const Operator> table;
  std::string_view boolean, real;

  /// Null when there is none of this name.
  const Operator* find(std::string_view name) const;
  std::string_view name_of(Sort sort) const { return sort == Sort::boolean ? boolean : real; }
  /// Error when the arguments are not such as `op` takes.
  Value apply(const Operator& op, Terms& terms, Values&& values) const;
};

/// What operators may do; they count on arguments of the right number and sorts.
namespace operators {

Value sum(Terms&, Values&& values);
Value difference(Terms&, Values&& values);  // a - b - c; of one, its negation
Value product(Terms&, Values&& values);
Value quotient(Terms&, Values&& values);
Value power(Terms&, Values&& values);

// a < b < c says a < b and b < c.
Value less(Terms& terms, Values&& values);
Value less_equal(Terms& terms, Values&& values);
Value greater(Terms& terms, Values&& values);
Value greater_equal(Terms& terms, Values&& values);
Value equal(Terms& terms, Values&& values);
Value distinct(Terms& terms, Values&& values);

Value negation(Terms&, Values&& values);
Value conjunction(Terms& terms, Values&& values);
Value disjunction(Terms& terms, Values&& values);
Value implication(Terms& terms, Values&& values);  // a => b => c says a and b imply c
Value exclusive_or(Terms& terms, Values&& values);
Value choice(Terms& terms, Values&& values);

}  // namespace operators

}  // namespace wmi::frontends
