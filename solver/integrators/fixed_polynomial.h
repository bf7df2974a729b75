#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "solver/integrators/fixed_point.h"
#include "solver/integrators/monomial_rows.h"
#include "solver/terms/nested_polynomial.h"

namespace wmi {

/// A polynomial with rounded coefficients: numbers times 2^exponent, whose absolute values add up to
/// less than 2^(64 width - 2). The absolute errors of all of them add up to at most `error`, in
/// units of the last bit. So where all variables are in [-1, 1], the value is wrong by no more.
template <std::size_t width>
struct FixedPolynomial {
  MonomialRows monomials;
  std::vector<fixed_point::Number<width>> numbers;
  long exponent = 0;
  double error = 0;

  /// The sum of the absolute values of the coefficients, as a share of 2^(64 width): an upper bound.
  double size() const {
    double sum = 0;
    for (const fixed_point::Number<width>& number : numbers)
      if (!fixed_point::zero(number))
        sum += static_cast<double>(fixed_point::magnitude(number)[width - 1]) + 1;
    return sum * 0x1p-64 * (1 + 1e-9);
  }
};

template <std::size_t width>
FixedPolynomial<width> fixed(const Polynomial& polynomial, std::size_t variables);

template <std::size_t width>
FixedPolynomial<width> operator*(const FixedPolynomial<width>& a, const FixedPolynomial<width>& b);

/// Multiplies out a polynomial whose i-th coordinate is divided by 2^scales[i].
template <std::size_t width>
FixedPolynomial<width> fixed(const NestedPolynomial& polynomial, std::span<const long> scales);

}  // namespace wmi
