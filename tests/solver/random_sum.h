#pragma once

#include <random>
#include <vector>

#include "solver/laws/independent_sums/boxes.h"
#include "solver/laws/independent_sums/independent_sum.h"
#include "solver/terms/rational.h"

namespace wmi::tests {

/// How the half widths of a random sum relate to each other.
enum class Widths { alike, equal, uneven, orders, one_dominant, few_tiny };
constexpr Widths all_widths[] = {Widths::alike,  Widths::equal,        Widths::uneven,
                                 Widths::orders, Widths::one_dominant, Widths::few_tiny};

/// Uniforms on [-h, h], a Gaussian of this deviation, and a point to evaluate at.
struct Case {
  std::vector<Rational> halves;
  Rational sigma;
  Rational x;
};

/// Random sums of independent terms.
class RandomSum {
 public:
  explicit RandomSum(unsigned seed) : generator_(seed) {}

  int integer(int from, int to);
  double real(double from, double to);
  /// A few digits, or all of a double.
  Rational number(double from, double to);
  std::vector<Rational> halves(int count, Widths widths);
  /// The centre, the ends, beyond them, near them, or anywhere between.
  Rational point(const Rational& reach, const Rational& spread);
  /// Each kind of widths in turn, with noise of any size or none.
  Case question(int round, int most_terms);

 private:
  std::mt19937 generator_;
};

Rational ten_to(int exponent);

std::vector<SumTerm> terms_of(const std::vector<Rational>& halves);
Boxes boxes_of(std::vector<Rational> halves, const Rational& sigma = 0);
Rational sum_of(const std::vector<Rational>& values);
/// The standard deviation, to the digits of a double.
Rational rough_spread(const Boxes& law);

/// The number of random cases: twenty times as many in a long run.
int times(int usual);

}  // namespace wmi::tests
