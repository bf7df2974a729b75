#include "solver/terms/function.h"

#include <array>
#include <string>

#include "solver/terms/error.h"

namespace wmi {
namespace {

constexpr auto table = std::to_array<FunctionEntry>({
    {Function::exp, "exp", "e^t"},
    {Function::log, "log", "the natural logarithm, for t > 0"},
    {Function::sqrt, "sqrt", "the square root, for t >= 0"},
    {Function::erf, "erf", "the error function"},
    {Function::sigmoid, "sigmoid", "1 / (1 + e^-t)"},
    {Function::tanh, "tanh", "the hyperbolic tangent"},
    {Function::normal, "normal", "the normal density of a mean and a deviation"},
    {Function::reciprocal, "/", "1/t, for t that is not 0"},
});

/// The root of a square of a rational.
std::optional<Rational> rational_root(const Rational& square) {
  if (mpz_perfect_square_p(square.get_num_mpz_t()) == 0 ||
      mpz_perfect_square_p(square.get_den_mpz_t()) == 0)
    return std::nullopt;
  return ratio(sqrt(square.get_num()), sqrt(square.get_den()));
}

[[noreturn]] void refuse(Function function, const Rational& at) {
  if (function == Function::reciprocal) throw Error("division by zero");
  throw Error("(" + std::string(name_of(function)) + " " + to_string(at) + ") has no value");
}

}  // namespace

std::span<const FunctionEntry> functions() { return table; }

std::string_view name_of(Function function) {
  for (const FunctionEntry& entry : table)
    if (entry.function == function) return entry.name;
  return "";
}

std::optional<Rational> rational_value(Function function, const Rational& at) {
  const bool zero = at == 0;
  switch (function) {
    case Function::none:
      return at;
    case Function::exp:
      return zero ? std::optional(Rational(1)) : std::nullopt;
    case Function::log:
      if (at <= 0) refuse(function, at);
      return at == 1 ? std::optional(Rational(0)) : std::nullopt;
    case Function::sqrt:
      if (at < 0) refuse(function, at);
      return rational_root(at);
    case Function::erf:
    case Function::tanh:
      return zero ? std::optional(Rational(0)) : std::nullopt;
    case Function::sigmoid:
      return zero ? std::optional(ratio(1, 2)) : std::nullopt;
    case Function::normal:
      return std::nullopt;
    case Function::reciprocal:
      if (zero) refuse(function, at);
      return Rational(1 / at);
  }
  return std::nullopt;
}

}  // namespace wmi
