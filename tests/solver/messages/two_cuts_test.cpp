#include "solver/messages/two_cuts.h"

#include <doctest/doctest.h>

#include <string>
#include <tuple>

#include "solver/solve.h"
#include "tests/solver/random_problem.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

const Goal whole{truth, {{Polynomial(1), 0}}, {}};

/// Reals in random boxes and two forms of them.
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
    }
  }

  Polynomial first, second;
};

Rational exact(const SmallProblem& small) {
  const Task task{small.problem, {wmi_of(truth)}};
  return solve(task, *make_exact_split(), *make_auto({})).answers[0].value->lower;
}

TEST_CASE("a triangle that two lines cut off the unit square") {
  // x + 2 y <= 1 and 2 x + y <= 1 meet in (1/3, 1/3): two triangles of area 1/2 * 1/2 * 1/3.
  SmallProblem small;
  const Polynomial x = small.unit_real("x"), y = small.unit_real("y");
  small.require(small.terms.less_equal(x + 2 * y, 1));
  small.require(small.terms.less_equal(2 * x + y, 1));
  CHECK(integral_between_two_cuts(*cut_box(small.problem, whole)) == ratio(1, 6));
}

TEST_CASE("two cuts give what a search gives, for bounds on one side and on both") {
  Random random(71);
  CAPTURE(random.seed());
  int found = 0, positive = 0;
  for (int round = 0; round < 150; ++round) {
    CAPTURE(round);
    // Powers of long coefficients take several words.
    const int largest = round % 3 == 0 ? 1'000'000'000 : 9;
    RandomBox box(random, random.integer(2, 6), largest);
    for (const Polynomial& form : {box.first, box.second}) {
      const int bound = largest / 9 * random.integer(-12, 12);
      const Formula above = box.terms.less_equal(form, bound);
      box.require(random.chance(50) ? above : !above);
      if (random.chance(30))
        box.require(box.terms.less(form, bound + largest / 9 * random.integer(1, 9)));
    }
    box.weight(truth, ratio(random.integer(-3, 3), 2));
    const std::optional<CutBox> cut = cut_box(box.problem, whole);
    REQUIRE(cut);
    const std::optional<Rational> integral = integral_between_two_cuts(*cut);
    if (!integral) continue;
    ++found;
    const Rational expected = exact(box);
    positive += expected != 0;
    CHECK(*integral == expected);
  }
  CHECK(found > 60);
  CHECK(positive > 30);
}

TEST_CASE("both sides of the second cut add up to the first alone, in 14 dimensions") {
  Random random(72);
  CAPTURE(random.seed());
  RandomBox box(random, 14, 999);
  const Formula below = box.terms.less(box.second, 100);
  box.require(box.terms.less(box.first, 50));
  const Task task{box.problem, {wmi_of(below), wmi_of(!below), wmi_of(truth)}};
  const std::vector<Answer> answers = solve(task, *make_split(), *make_auto({})).answers;
  REQUIRE(answers[0].value->exact());
  CHECK(answers[0].value->lower > 0);
  CHECK(answers[1].value->lower > 0);
  CHECK(Rational(answers[0].value->lower + answers[1].value->lower) == answers[2].value->lower);
}

TEST_CASE("proportional coefficients and different reals are left to others") {
  struct Cube : SmallProblem {
    const Polynomial x = unit_real("x"), y = unit_real("y"), z = unit_real("z");
  };
  Cube proportional;
  const auto& [x, y, z] = std::tie(proportional.x, proportional.y, proportional.z);
  proportional.require(proportional.terms.less_equal(x + 2 * y + 2 * z, 2));
  proportional.require(proportional.terms.less_equal(3 * x + y + z, 2));
  CHECK(!integral_between_two_cuts(*cut_box(proportional.problem, whole)));
  Cube different;
  different.require(different.terms.less_equal(x + y, 1));
  CHECK(!integral_between_two_cuts(*cut_box(different.problem, whole)));
  different.require(different.terms.less_equal(y + z, 1));
  CHECK(!integral_between_two_cuts(*cut_box(different.problem, whole)));
}

}  // namespace
}  // namespace wmi::tests
