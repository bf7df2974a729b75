#pragma once

#include <random>
#include <vector>

#include "solver/laws/law.h"
#include "solver/terms/interval.h"

namespace wmi::tests {

/// The expected softmax from its definition, by nested sums over all points: to 200 digits.
std::vector<Rational> softmax_reference(const std::vector<Law>& logits);

/// E[1/(1 + e^-d)] for the law of d = z_1 - z_2, by adaptive quadrature.
Rational sigmoid_of_difference(const Law& first, const Law& second);

/// Checks that the intervals are probabilities, and that a choice of them adds up to 1.
void check_sums(const std::vector<Interval>& found);
/// Checks that the width is at most 10^-digits of the value.
void check_digits(const Interval& p, unsigned digits);
/// Checks the certified softmax at several accuracies, and the estimate, against the reference.
void check_against_reference(const std::vector<Law>& logits,
                             const std::vector<unsigned>& all_digits = {1, 12, 40});

inline const Rational tiny = ratio(1, Integer("1000000000000000000000000000000"));  // 1e-30

/// Random laws of logits.
struct RandomLogits {
  std::mt19937_64 engine;
  int below(int bound) { return static_cast<int>(engine() % static_cast<unsigned>(bound)); }
  /// A multiple of 1/16 from 0 to `most`.
  Rational number(int most) { return ratio(below(16 * most + 1), 16); }

  Law law() {
    const Rational at = number(6) - 3;
    switch (below(5)) {
      case 0:
        return Law::point(at);
      case 1:
        return Law::triangular(at, number(1) + ratio(1, 16));
      case 2:  // an atom, and a density that falls to 0
        return Law({{at, number(1)}},
                   {{at, at + 1, Univariate(std::vector<Rational>{at + 1, -1})}});
      default:
        return Law::uniform(at, at + number(2) + ratio(1, 64));
    }
  }
  std::vector<Law> laws(std::size_t count) {
    std::vector<Law> result;
    while (result.size() < count) result.push_back(law());
    return result;
  }
};

}  // namespace wmi::tests
