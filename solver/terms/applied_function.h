#pragma once

#include "solver/terms/function.h"
#include "solver/terms/polynomial.h"

namespace wmi {

/// The value of a smooth function, under the number of a variable, in polynomials over a cell. Its
/// argument is a polynomial in the coordinates and in variables of functions before it.
struct AppliedFunction {
  Variable variable;
  Function function;
  Polynomial argument;

  friend bool operator==(const AppliedFunction&, const AppliedFunction&) = default;
};

}  // namespace wmi
