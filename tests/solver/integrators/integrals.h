#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "solver/geometry/polytope.h"
#include "solver/terms/polynomial.h"
#include "tests/solver/geometry/shapes.h"

namespace wmi::tests {

inline const Polynomial x = Polynomial::variable(0);
inline const Polynomial y = Polynomial::variable(1);
inline const Polynomial z = Polynomial::variable(2);

Rational factorial(unsigned n);
Polynomial monomial(const std::vector<unsigned>& exponents);
/// The affine form  constant + sum of coefficient[j] * x_j.
Polynomial affine(const std::vector<Rational>& coefficients, const Rational& constant);

/// The integral by the reference.
Rational exact(const Polynomial& integrand, const Polytope& region);
/// Checks that the reference finds `expected`, and that every other integrator encloses it.
void check_integral(const Polynomial& integrand, const Polytope& region, const Rational& expected);
/// Checks that every integrator agrees with the reference: exactly, except mpfr.
void check_agreement(const std::vector<Polynomial>& integrands, const Polytope& region);

/// Iterated integration: for each pair of a lower and an upper bound of the last variable,
/// integrates from one to the other where these two are the tightest. Bounds that are the same
/// function are used once, so the pieces do not overlap. Exponential, and independent of the code
/// under test.
Rational iterated(const Polynomial& integrand, std::size_t dimension,
                  const std::vector<Halfspace>& halfspaces);

class RandomRegion {
 public:
  explicit RandomRegion(unsigned seed) : engine_(seed) {}

  /// From -size to size.
  int number(int size) { return static_cast<int>(engine_() % (2 * size + 1)) - size; }

  std::vector<Rational> numbers(std::size_t count, int size) {
    std::vector<Rational> result(count);
    for (Rational& entry : result) entry = ratio(number(size), 1 + engine_() % 3);
    return result;
  }

  Halfspace halfspace(std::size_t dimension) {
    return {numbers(dimension, 3), ratio(number(4), 2)};
  }

  /// A box with some corners cut off; may be flat.
  std::vector<Halfspace> region(std::size_t dimension, int cuts) {
    std::vector<Halfspace> result = cube(dimension, -1, ratio(3, 2));
    for (int i = 0; i < cuts; ++i) {
      result.push_back(halfspace(dimension));
      result.back().bound = abs(result.back().bound) + ratio(1, 2);
    }
    return result;
  }

  /// A cell of an arrangement in the cube [-1, 1]^n: that of a random point. Many hyperplanes go
  /// through the origin or through vertices of the cube, and some are parallel.
  std::vector<Halfspace> cell(std::size_t dimension, int hyperplanes, int size) {
    std::vector<Halfspace> result = cube(dimension, -1, 1);
    Point point(dimension);
    for (Rational& entry : point) entry = ratio(number(997), 1000);
    std::vector<Rational> normal(dimension);
    for (int i = 0; i < hyperplanes; ++i) {
      if (i % 3 != 2)  // otherwise parallel to the last
        for (Rational& entry : normal) entry = number(size);
      Halfspace cut{normal, ratio(number(2) * number(size), 2)};
      Rational value;
      for (std::size_t j = 0; j < dimension; ++j) value += normal[j] * point[j];
      if (value > cut.bound) {
        for (Rational& entry : cut.normal) entry = -entry;
        cut.bound = -cut.bound;
      }
      result.push_back(cut);
    }
    return result;
  }

  /// A number of so many digits, perhaps negative.
  Rational long_number(unsigned digits) {
    Integer result;
    for (unsigned i = 0; i < digits; ++i) result = result * 10 + engine_() % 10;
    return engine_() % 2 == 0 ? result : -result;
  }

  /// All monomials up to a degree.
  Polynomial dense(std::size_t dimension, unsigned degree) {
    Polynomial sum = 1;
    for (Variable j = 0; j < dimension; ++j) sum += Polynomial::variable(j);
    std::vector<Polynomial::Term> terms = power(sum, degree).terms();
    for (Polynomial::Term& term : terms) term.coefficient = numbers(1, 9)[0] + ratio(1, 5);
    return Polynomial(terms);
  }

  Polynomial polynomial(std::size_t dimension, unsigned degree, int terms);

 private:
  std::mt19937 engine_;
};

}  // namespace wmi::tests
