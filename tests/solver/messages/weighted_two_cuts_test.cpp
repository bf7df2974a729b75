#include "solver/messages/weighted_two_cuts.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "solver/messages/weighted_cut.h"
#include "solver/solve.h"
#include "solver/terms/error.h"
#include "tests/solver/random_problem.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

const Goal whole{truth, {{Polynomial(1), 0}}, {}};

/// Reals in random boxes with weights of their own, and two forms of them.
struct RandomBox : SmallProblem {
  RandomBox(Random& random, int reals, int largest) {
    for (int i = 0; i < reals; ++i) {
      const Polynomial x = real(("x" + std::to_string(i)).c_str());
      const Rational low = ratio(random.integer(-4, 4), 3);
      require(terms.less_equal(low, x));
      require(terms.less_equal(x, Rational(low + ratio(random.integer(1, 9), 4))));
      for (Polynomial* const form : {&first, &second})
        *form +=
            Polynomial(Rational(random.integer(1, largest) * (random.chance(50) ? 1 : -1))) * x;
      for (int factors = random.integer(0, 2); factors > 0; --factors)
        weight(truth, ratio(random.integer(-3, 3), 2) * power(x, unsigned(random.integer(0, 3))) +
                          random.integer(-2, 5) * x + random.rational());
    }
  }

  Polynomial first, second;
};

TEST_CASE("the integral of 6 x y below two lines through the unit square") {
  // For y > x, y ends at (1 - x)/2, and over y the integral is 3 x ((1 - x)^2/4 - x^2). From 0 to 1/3,
  // and twice by symmetry, that is 2 (1/24 - 1/54 - 1/144) = 7/216.
  SmallProblem small;
  const Polynomial x = small.unit_real("x"), y = small.unit_real("y");
  small.require(small.terms.less_equal(x + 2 * y, 1));
  small.require(small.terms.less_equal(2 * x + y, 1));
  small.weight(truth, 6 * x);
  small.weight(truth, y);
  CHECK(integral_between_weighted_cuts(*cut_box(small.problem, whole)) == ratio(7, 216));
}

TEST_CASE("two weighted cuts give what a search gives, for bounds on one side and on both") {
  Random random(75);
  CAPTURE(random.seed());
  int found = 0, nonzero = 0;
  const int rounds = std::getenv("WMI_LONG") != nullptr ? 2'000 : 150;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const int largest = round % 5 == 0 ? 99'999 : 9;
    RandomBox box(random, random.integer(2, 4), largest);
    for (const Polynomial& form : {box.first, box.second}) {
      const int bound = largest / 9 * random.integer(-12, 12);
      const Formula above = box.terms.less_equal(form, bound);
      box.require(random.chance(50) ? above : !above);
      if (random.chance(30))
        box.require(box.terms.less(form, bound + largest / 9 * random.integer(1, 9)));
    }
    const std::optional<CutBox> cut = cut_box(box.problem, whole);
    REQUIRE(cut);
    const std::optional<Rational> integral = integral_between_weighted_cuts(*cut);
    if (!integral) continue;
    ++found;
    const Task task{box.problem, {wmi_of(truth)}};
    const Rational expected =
        solve(task, *make_exact_split(), *make_auto({})).answers[0].value->lower;
    nonzero += expected != 0;
    CHECK(*integral == expected);
  }
  CHECK(found > rounds / 3);
  CHECK(nonzero > rounds / 5);
}

TEST_CASE("both sides of a second cut add up to the first alone, in 11 dimensions") {
  Random random(76);
  CAPTURE(random.seed());
  RandomBox box(random, 11, 999);
  box.require(box.terms.less(box.first, 50));
  const Rational all = integral_under_cut(*cut_box(box.problem, whole)).value();
  const Formula below = box.terms.less(box.second, 100);
  const auto side = [&](Formula formula) {
    Problem problem = box.problem;
    problem.assertions.push_back(formula);
    return integral_between_weighted_cuts(*cut_box(problem, whole)).value();
  };
  CHECK(all != 0);
  CHECK(side(below) + side(!below) == all);
}

TEST_CASE("what is long, proportional or stopped is not answered") {
  SmallProblem small;
  const Polynomial x = small.unit_real("x"), y = small.unit_real("y");
  small.weight(truth, x);
  small.require(small.terms.less_equal(x + y, 1));
  const Problem triangle = small.problem;
  small.require(small.terms.less_equal(2 * x + ratio(1, Integer("10000000000000000000")) * y, 1));
  CHECK_FALSE(integral_between_weighted_cuts(*cut_box(small.problem, whole)));
  small.problem = triangle;
  small.require(small.terms.less_equal(2 * x + y, 1));
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(integral_between_weighted_cuts(*cut_box(small.problem, whole), stop.get_token()),
                  Stopped);
  SmallProblem cube;
  const Polynomial a = cube.unit_real("a"), b = cube.unit_real("b"), c = cube.unit_real("c");
  cube.weight(truth, a);
  cube.require(cube.terms.less_equal(a + 2 * b + 2 * c, 2));
  cube.require(cube.terms.less_equal(3 * a + b + c, 2));
  CHECK_FALSE(integral_between_weighted_cuts(*cut_box(cube.problem, whole)));
}

}  // namespace
}  // namespace wmi::tests
