#pragma once

#include <random>
#include <string>

#include "solver/terms/query.h"

namespace wmi::tests {

/// A source of random numbers with a printed seed: set WMI_SEED to repeat a run.
class Random {
 public:
  explicit Random(unsigned offset = 0);

  unsigned seed() const { return seed_; }
  /// Uniform in low ... high.
  int integer(int low, int high);
  bool chance(int percent) { return integer(1, 100) <= percent; }
  /// A small fraction; rarely a huge or a tiny number.
  Rational rational();

 private:
  unsigned seed_;
  std::mt19937 engine_;
};

struct Shape {
  int reals = 2;
  int booleans = 1;
  int atoms = 4;
  int definitions = 1;
  bool weights = true;
};

/// A problem over a small box: random atoms (many of them degenerate on purpose: parallel,
/// repeated, through corners), random Boolean structure, piecewise linear terms, polynomial
/// weights.
Problem random_problem(Random& random, const Shape& shape);

Formula random_formula(Random& random, Problem& problem, int depth);
Polynomial random_affine(Random& random, const Problem& problem);
Polynomial random_polynomial(Random& random, const Problem& problem, int degree);

Query wmi_of(Formula event);

}  // namespace wmi::tests
