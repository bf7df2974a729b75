#pragma once

#include <cstddef>
#include <vector>

#include "solver/terms/polynomial.h"

namespace wmi {

/// A polynomial that is not multiplied out: a straight-line program, whose steps are polynomials in
/// the coordinates and in the values of earlier steps. The value of the i-th step is the variable
/// coordinates + i; that of the last is the value of the whole. Products of many factors have few
/// steps, but hundreds of thousands of terms when they are expanded.
///
///     // (x + y)^2 (x + y + 1)^2, in two coordinates
///     const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
///     const Polynomial s = Polynomial::variable(2), t = Polynomial::variable(3);
///     const NestedPolynomial p{2, {x + y, s + 1, s * s * t * t}};
///     expanded(p).degree();  // 4
struct NestedPolynomial {
  std::size_t coordinates = 0;
  std::vector<Polynomial> steps;

  friend bool operator==(const NestedPolynomial&, const NestedPolynomial&) = default;
};

/// The same with every step in the coordinates alone. Throws Error if that is too large.
Polynomial expanded(const NestedPolynomial& polynomial);

/// The degrees in each coordinate, and in all of them: of the expanded polynomial, unless terms
/// cancel. At most `Degrees::most`.
struct Degrees {
  static constexpr unsigned most = 1'000'000;

  std::vector<unsigned> each;
  unsigned total = 0;
};
Degrees degrees(const NestedPolynomial& polynomial);

}  // namespace wmi
