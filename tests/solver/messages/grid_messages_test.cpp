#include "solver/messages/grid_messages.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "solver/solve.h"
#include "solver/terms/error.h"
#include "tests/solver/random_problem.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

constexpr GridRules always{0};

std::optional<Rational> on_grid(const SmallProblem& small, const Goal& goal) {
  MessageCounts counts;
  const auto found = integrate_on_grid(small.problem, goal, {}, counts, always);
  return found ? std::optional((*found)[0]) : std::nullopt;
}

Rational searched(const SmallProblem& small, const Goal& goal) {
  Task task{small.problem, {wmi_of(goal.condition)}};
  if (!goal.summands[0].is_one())
    task.problem.weights.push_back({truth, power(goal.summands[0].term, goal.summands[0].order)});
  return solve(task, *make_exact_split(), *make_auto({})).answers[0].value->lower;
}

/// Two chains with rungs; neighbours are at most so many tenths apart.
struct Ladder : SmallProblem {
  explicit Ladder(int rungs) {
    for (int i = 0; i < 2 * rungs; ++i) x.push_back(unit_real(("x" + std::to_string(i)).c_str()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i % 2 == 0) relate(i, i + 1, int(i) % 3 + 2);
      if (i >= 2) relate(i - 2, i, int(i) % 4 + 3);
    }
  }
  void relate(std::size_t i, std::size_t j, int tenths) {
    require(terms.less_equal(x[i] - x[j], ratio(tenths, 10)));
    require(terms.less_equal(x[j] - x[i], ratio(tenths + 1, 10)));
  }

  std::vector<Polynomial> x;
};

/// A random graph of differences in which each real has at most two neighbours before it, and these
/// are neighbours.
struct RandomDifferences : SmallProblem {
  RandomDifferences(Random& random, int reals) {
    const int steps = random.integer(1, 3);
    const auto number = [&](int least, int most) {
      return ratio(random.integer(least, most), steps);
    };
    for (int i = 0; i < reals; ++i) {
      x.push_back(real(("x" + std::to_string(i)).c_str()));
      const Rational low = number(-2, 1);
      require(terms.less_equal(low, x.back()));
      require(terms.less_equal(x.back(), Rational(low + number(1, 4))));
    }
    const auto atom = [&](std::size_t i, std::size_t j) {
      const Formula formula = random.chance(20) ? terms.less(2 * x[i], number(-2, 4))
                                                : terms.less_equal(x[i] - x[j], number(-1, 3));
      return random.chance(50) ? formula : !formula;
    };
    for (std::size_t i = 1; i < x.size(); ++i)
      for (std::size_t j = i < 2 ? 0 : i - 2; j < i; ++j) {
        Formula formula = atom(i, j);
        if (random.chance(30)) formula = terms.either(formula, atom(j, i));
        if (random.chance(20)) formula = terms.choice(formula, atom(j, i), atom(i, j));
        if (random.chance(80)) require(formula);
        if (random.chance(30)) weight(atom(i, j), x[i] * x[j] + random.integer(-2, 2));
      }
    if (random.chance(50)) weight(truth, x[0] * x[0] - ratio(1, 3));
    const auto any = [&] { return x[std::size_t(random.integer(0, reals - 1))]; };
    goal.condition = random.chance(50) ? truth : atom(0, 1);
    if (random.chance(50))
      goal.summands = {{any() - any() + 1, 0, static_cast<unsigned>(random.integer(1, 2))}};
  }

  std::vector<Polynomial> x;
  Goal goal{truth, {{Polynomial(1), 0}}, {}};
};

TEST_CASE("x below y + 1/2 in the unit square") {
  SmallProblem p;
  const Polynomial x = p.unit_real("x"), y = p.unit_real("y");
  p.require(p.terms.less_equal(x - y, ratio(1, 2)));
  CHECK(on_grid(p, p.goals[0]) == ratio(7, 8));
  // Less the integral of x over the corner: its area 1/8 times the mean 5/6.
  p.weight(truth, x);
  CHECK(on_grid(p, p.goals[0]) == Rational(ratio(1, 2) - ratio(5, 48)));
}

TEST_CASE("nine ordered reals that are within one half") {
  // The range of nine uniform reals is below 1/2 with probability 9/2^8 - 8/2^9 = 5/256.
  SmallProblem p;
  std::vector<Polynomial> x;
  for (int i = 0; i < 9; ++i) {
    x.push_back(p.unit_real(("x" + std::to_string(i)).c_str()));
    if (i > 0) p.require(p.terms.less(x[x.size() - 2], x.back()));
  }
  p.require(p.terms.less(x.back() - x[0], ratio(1, 2)));
  MessageCounts counts;
  const auto found = integrate_on_grid(p.problem, p.goals[0], {}, counts);
  REQUIRE(found);
  CHECK((*found)[0] == Rational(ratio(5, 256) / 362'880));
  CHECK(counts.messages == 9);
}

TEST_CASE("random differences have the integrals that a search finds") {
  Random random(95);
  CAPTURE(random.seed());
  const int rounds = std::getenv("WMI_LONG") != nullptr ? 5'000 : 150;
  int found = 0, positive = 0;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const RandomDifferences differences(random, random.integer(2, 5));
    const std::optional<Rational> integral = on_grid(differences, differences.goal);
    if (!integral) continue;
    ++found;
    const Rational expected = searched(differences, differences.goal);
    positive += expected != 0;
    CHECK(*integral == expected);
  }
  CHECK(found > rounds / 2);
  CHECK(positive > rounds / 4);
}

TEST_CASE("a ladder is answered rung by rung, as by a search where that can be") {
  Ladder small(3);
  CHECK(on_grid(small, small.goals[0]) == searched(small, small.goals[0]));
  const Ladder ladder(6);
  Task task{ladder.problem, {wmi_of(truth)}};
  const Formula above = task.problem.terms.less(ladder.x[4], ladder.x[5]);
  task.queries = {wmi_of(above), wmi_of(!above), wmi_of(truth)};
  const Solution solution = solve(task, *make_split(), *make_auto({}));
  CHECK(solution.messages.messages > 0);
  CHECK(solution.messages.most_pieces == 200);
  const auto value = [&](std::size_t i) { return solution.answers[i].value->lower; };
  CHECK(value(0) > 0);
  CHECK(value(1) > 0);
  CHECK(Rational(value(0) + value(1)) == value(2));
}

TEST_CASE("problems off a grid, and with more neighbours, are left alone") {
  const auto is_left = [](const SmallProblem& p) { return !on_grid(p, p.goals[0]); };
  struct Cube : SmallProblem {
    const Polynomial w = unit_real("w"), x = unit_real("x"), y = unit_real("y"), z = unit_real("z");
  };
  CHECK(!is_left(Cube()));
  Cube sum;
  sum.require(sum.terms.less(sum.x + sum.y, 1));
  CHECK(is_left(sum));
  Cube fine;
  fine.require(fine.terms.less(fine.x - fine.y, ratio(1, 1'000'003)));
  CHECK(is_left(fine));
  Cube boolean;
  boolean.require(boolean.terms.either(boolean.terms.declare_boolean("a"),
                                       boolean.terms.less(boolean.x, boolean.y)));
  CHECK(is_left(boolean));
  Cube defined;
  defined.weight(
      truth, defined.terms.choice(defined.terms.less(defined.x, defined.y), defined.x, defined.y));
  CHECK(is_left(defined));
  Cube related;
  for (const auto& [a, b] : {std::pair(related.w, related.x),
                             {related.w, related.y},
                             {related.w, related.z},
                             {related.x, related.y},
                             {related.x, related.z}})
    related.require(related.terms.less_equal(a - b, ratio(1, 2)));
  CHECK(!is_left(related));
  related.require(related.terms.less_equal(related.y - related.z, ratio(1, 2)));
  CHECK(is_left(related));
  SmallProblem unbounded;
  unbounded.require(unbounded.terms.less(0, unbounded.real("x")));
  CHECK(is_left(unbounded));
}

TEST_CASE("messages on a grid stop when they are told to") {
  const Ladder ladder(5);
  std::stop_source stop;
  stop.request_stop();
  MessageCounts counts;
  CHECK_THROWS_AS(integrate_on_grid(ladder.problem, ladder.goals[0], stop.get_token(), counts),
                  Stopped);
}

}  // namespace
}  // namespace wmi::tests
