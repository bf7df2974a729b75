#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "solver/terms/rational.h"

namespace wmi {

/// A smooth function of one real, for weights that are no polynomials. `none` is no function.
enum class Function : std::uint8_t {
  none,
  exp,
  log,
  sqrt,
  erf,
  sigmoid,
  tanh,
  normal,      // the density of the standard normal law
  reciprocal,  // 1/t: a division by a polynomial
};

struct FunctionEntry {
  Function function;
  std::string_view name;         // in files; that of `reciprocal` is the operator of division
  std::string_view description;  // of its value at t
};

/// All functions, in the order of the enumeration.
std::span<const FunctionEntry> functions();

std::string_view name_of(Function function);

/// The value at a number where that is rational and known: exp(0) = 1, sqrt(4/9) = 2/3. Throws Error
/// where the function is not defined: log(0), sqrt(-1), 1/0.
std::optional<Rational> rational_value(Function function, const Rational& at);

}  // namespace wmi
