#pragma once

#include "solver/terms/nested_polynomial.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {

/// A few steps, each a sum of one to three products of coordinates and earlier steps; some cancel.
inline NestedPolynomial random_nested(Random& random, std::size_t coordinates, int steps) {
  NestedPolynomial result{coordinates, {}};
  for (int step = 0; step < steps; ++step) {
    Polynomial value;
    const int last = static_cast<int>(coordinates) + step - 1;
    for (int term = random.integer(1, 3); term > 0; --term) {
      Polynomial product(random.rational());
      for (int factor = random.integer(0, 2); factor > 0; --factor)
        product = product * power(Polynomial::variable(Variable(random.integer(0, last))),
                                  unsigned(random.integer(1, 2)));
      value += product;
    }
    if (step > 0 && random.chance(10))  // (a + b) - a
      value += Polynomial::variable(Variable(last)) - result.steps.back();
    result.steps.push_back(std::move(value));
  }
  return result;
}

}  // namespace wmi::tests
