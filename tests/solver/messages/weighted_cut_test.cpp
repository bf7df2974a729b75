#include "solver/messages/weighted_cut.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "solver/solve.h"
#include "tests/solver/random_problem.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

const Goal whole{truth, {{Polynomial(1), 0}}, {}};

/// Reals in random boxes with weights of their own, and a form of some of them.
struct RandomBox : SmallProblem {
  RandomBox(Random& random, int reals, int largest) {
    for (int i = 0; i < reals; ++i) {
      const Polynomial x = real(("x" + std::to_string(i)).c_str());
      const Rational low = ratio(random.integer(-4, 4), 3);
      require(terms.less_equal(low, x));
      require(terms.less_equal(x, Rational(low + ratio(random.integer(1, 9), 4))));
      if (i < 2 || random.chance(80))
        form += Polynomial(Rational(random.integer(1, largest) * (random.chance(50) ? 1 : -1))) * x;
      for (int factors = random.integer(0, 2); factors > 0; --factors)
        weight(truth, ratio(random.integer(-3, 3), 2) * power(x, unsigned(random.integer(0, 3))) +
                          random.integer(-2, 5) * x + random.rational());
    }
  }

  Polynomial form;
};

TEST_CASE("the integral of 6 x y^2 below a diagonal of the unit square") {
  // Over y from 0 to 1 - x: 2 x (1 - x)^3, of which the integral is 2 B(2, 4) = 1/10.
  SmallProblem small;
  const Polynomial x = small.unit_real("x"), y = small.unit_real("y");
  small.require(small.terms.less_equal(x + y, 1));
  small.weight(truth, 6 * x);
  small.weight(truth, y * y);
  const std::optional<CutBox> box = cut_box(small.problem, whole);
  REQUIRE(box);
  CHECK(box->weighted());
  CHECK(integral_under_cut(*box) == ratio(1, 10));
}

TEST_CASE("a weighted cut gives what a search gives, for bounds on one side and on both") {
  Random random(73);
  CAPTURE(random.seed());
  int nonzero = 0;
  const int rounds = std::getenv("WMI_LONG") != nullptr ? 4'000 : 200;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    RandomBox box(random, random.integer(2, 4), random.chance(50) ? 2 : 9);
    const int bound = random.integer(-12, 12);
    const Formula above = box.terms.less_equal(box.form, bound);
    box.require(random.chance(50) ? above : !above);
    if (random.chance(30)) box.require(box.terms.less(box.form, bound + random.integer(1, 9)));
    if (random.chance(10)) box.require(box.terms.less(bound + 3, box.form));
    const std::optional<CutBox> cut = cut_box(box.problem, whole);
    REQUIRE(cut);
    if (cut->cuts.size() != 1) continue;
    const std::optional<Rational> integral = integral_under_cut(*cut);
    REQUIRE(integral);
    const Task task{box.problem, {wmi_of(truth)}};
    const Rational expected =
        solve(task, *make_exact_split(), *make_auto({})).answers[0].value->lower;
    CHECK(*integral == expected);
    nonzero += expected != 0;
  }
  CHECK(nonzero > rounds / 2);
}

TEST_CASE("both sides of a cut add up to the whole box, in 14 dimensions") {
  Random random(74);
  CAPTURE(random.seed());
  RandomBox box(random, 14, 999'999);
  const Formula below = box.terms.less(box.form, 100'000);
  const auto side = [&](Formula formula) {
    Problem problem = box.problem;
    problem.assertions.push_back(formula);
    return integral_under_cut(*cut_box(problem, whole)).value();
  };
  Rational product = 1;
  const CutBox all = *cut_box(box.problem, whole);
  for (Variable i = 0; i < 14; ++i) {
    Rational integral;
    for (const Polynomial::Term& term : all.weights[i].terms()) {
      const unsigned n = degree(term.monomial) + 1;
      integral +=
          term.coefficient * (power(all.sides[i].second, n) - power(all.sides[i].first, n)) / n;
    }
    product *= integral;
  }
  CHECK(side(below) + side(!below) == product * all.weight);
}

TEST_CASE("very long numbers and very high degrees are left to others") {
  SmallProblem small;
  const Polynomial x = small.unit_real("x"), y = small.unit_real("y");
  const Problem square = small.problem;
  small.require(small.terms.less_equal(x + ratio(1, Integer("1000000000000000000000")) * y, 1));
  CHECK_FALSE(integral_under_cut(*cut_box(small.problem, whole)));
  small.problem = square;
  small.require(small.terms.less_equal(x + y, 1));
  small.weight(truth, power(x, 200));
  small.weight(truth, power(y, 200));
  CHECK_FALSE(integral_under_cut(*cut_box(small.problem, whole)));
}

}  // namespace
}  // namespace wmi::tests
