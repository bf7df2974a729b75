#include "solver/messages/joint_coordinates.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "solver/messages/block_tree.h"
#include "solver/solve.h"
#include "tests/solver/random_problem.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

Rational total(const Problem& problem) {
  const Task task{problem, {wmi_of(truth)}};
  return solve(task, *make_exact_split(), *make_auto({})).answers[0].value->lower;
}

/// A chain of states, each a real and up to two Booleans. A step depends on all Booleans of both, a
/// weight on those of one or both; it may be negative. Rarely a real is derived from a state's.
struct RandomStates : SmallProblem {
  RandomStates(Random& random, int length) {
    for (int i = 0; i < length; ++i) {
      const std::string number = std::to_string(i);
      x.push_back(real(("x" + number).c_str()));
      const Rational low = ratio(random.integer(-2, 2), 2);
      require(terms.less_equal(low, x.back()));
      require(terms.less_equal(x.back(), Rational(low + random.integer(1, 2))));
      booleans.push_back({terms.declare_boolean("a" + number)});
      if (random.chance(20)) booleans.back().push_back(terms.declare_boolean("b" + number));
    }
    const bool derives = random.chance(10);
    const Polynomial z = derives ? real("z", false) : Polynomial();
    const auto link = [&](const Polynomial& s, const Polynomial& t) {
      return terms.less_equal(s - t, ratio(random.integer(0, 16), 10));
    };
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      Formula step = link(x[i], x[i + 1]);
      for (const std::size_t at : {i, i + 1})
        for (const Formula boolean : booleans[at])
          step = random.chance(80)
                     ? terms.choice(boolean, step,
                                    random.chance(50) ? link(x[i], x[i + 1]) : link(x[i + 1], x[i]))
                     : terms.either(boolean, step);
      require(step);
      if (random.chance(60)) weight(any(random, i), x[i] + x[i + 1] + random.integer(-1, 3));
      if (random.chance(60))
        weight(truth,
               terms.choice(any(random, i), x[i] * x[i] + 1, Polynomial(random.integer(1, 3))));
    }
    if (derives) {
      require(terms.equal(z, terms.choice(booleans[0][0], x[0], 1 - x[0])));
      weight(terms.less(z, ratio(1, 2)), 2);
    }
  }

  Formula any(Random& random, std::size_t i) const {
    const Formula boolean = booleans[i + std::size_t(random.integer(0, 1))][0];
    return random.chance(50) ? boolean : !boolean;
  }

  std::vector<Polynomial> x;
  std::vector<std::vector<Formula>> booleans;
};

TEST_CASE("a real and a Boolean are one real with two copies of the range") {
  // Three states in [0, 1] with a copy in [1, 2]; each step depends on both Booleans.
  SmallProblem p;
  std::vector<Polynomial> x;
  std::vector<Formula> b;
  for (const char* const name : {"0", "1", "2"}) {
    x.push_back(p.unit_real((std::string("x") + name).c_str()));
    b.push_back(p.terms.declare_boolean(std::string("b") + name));
  }
  for (const std::size_t i : {0, 1}) {
    const Formula rises = p.terms.less(x[i], x[i + 1]);
    p.require(p.terms.choice(p.terms.both(b[i], b[i + 1]), rises, !rises));
  }
  p.goals[0].condition = b[0];
  CHECK(!has_small_blocks(p.problem));
  const std::optional<JointCoordinates> joint = in_joint_coordinates(p.problem, p.goals);
  REQUIRE(joint);
  CHECK(joint->problem.terms.boolean_count() == 0);
  CHECK(has_small_blocks(joint->problem));
  const Terms& terms = joint->problem.terms;
  const Atom& copy = terms.atom(terms.node(joint->goals[0].condition.node()).index);
  CHECK(copy.form.coefficients.size() == 1);
  CHECK(copy.form.constant == (copy.form.coefficients[0].second > 0 ? -1 : 1));
  // Rising twice, falling twice, and two turns: 1/6 for each order of three numbers that has them.
  // b = 111: 1/6; 110, 011: 1/3 each; the other five: 1/6 each.
  CHECK(total(joint->problem) == ratio(5, 3));
  CHECK(total(p.problem) == ratio(5, 3));
}

TEST_CASE("random states have the same integrals in joint coordinates") {
  Random random(91);
  CAPTURE(random.seed());
  const int rounds = std::getenv("WMI_LONG") != nullptr ? 2'000 : 100;
  int changes = 0;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    RandomStates states(random, random.integer(3, 4));
    states.goals[0].condition = random.chance(50) ? states.booleans[1][0] : truth;
    const auto joint = in_joint_coordinates(states.problem, states.goals);
    if (!joint) continue;
    ++changes;
    Problem before = states.problem, after = joint->problem;
    before.assertions.push_back(states.goals[0].condition);
    after.assertions.push_back(joint->goals[0].condition);
    CHECK(total(after) == total(before));
  }
  CHECK(changes > rounds / 2);
}

TEST_CASE("chains of states are answered by messages, as by a search") {
  Random random(92);
  CAPTURE(random.seed());
  const int rounds = std::getenv("WMI_LONG") != nullptr ? 400 : 12;
  int by_messages = 0;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const RandomStates states(random, 5);
    Task task{states.problem, {wmi_of(truth), wmi_of(states.booleans[2][0])}};
    for (const auto kind : {Query::Kind::expectation, Query::Kind::distribution}) {
      Query& query = task.queries.emplace_back();
      query.kind = kind;
      query.term = states.x[random.chance(50) ? 1 : 4];
      query.given = random.chance(50) ? truth : states.booleans[3][0];
    }
    const Solution found = solve(task, *make_split(), *make_auto({}));
    const Solution expected = solve(task, *make_exact_split(), *make_auto({}));
    by_messages += found.messages.messages > 0;
    for (std::size_t i = 0; i < task.queries.size(); ++i) {
      CAPTURE(i);
      CHECK(found.answers[i].value == expected.answers[i].value);
      CHECK(found.answers[i].law == expected.answers[i].law);
      CHECK(found.answers[i].refused == expected.answers[i].refused);
      CHECK(found.answers[i].undefined == expected.answers[i].undefined);
    }
  }
  CHECK(by_messages > rounds / 2);
}

TEST_CASE("several Booleans that separate parts of a problem are joined to one real") {
  // Two Booleans at a time choose between neighbours' orders, so that no real separates alone.
  SmallProblem p;
  std::vector<Polynomial> x;
  std::vector<Formula> a, b;
  for (int i = 0; i < 6; ++i) {
    x.push_back(p.unit_real(("x" + std::to_string(i)).c_str()));
    a.push_back(p.terms.declare_boolean("a" + std::to_string(i)));
    b.push_back(p.terms.declare_boolean("b" + std::to_string(i)));
  }
  for (std::size_t i = 0; i < 5; ++i) {
    const Formula now = p.terms.both(a[i], b[i]), next = p.terms.either(a[i + 1], b[i + 1]);
    p.require(p.terms.choice(p.terms.both(now, next), p.terms.less(x[i], x[i + 1]),
                             p.terms.less(x[i + 1], x[i] + ratio(1, 2))));
  }
  const Task task{p.problem, {wmi_of(truth), wmi_of(a[3])}};
  const Solution found = solve(task, *make_split(), *make_auto({}));
  const Solution expected = solve(task, *make_exact_split(), *make_auto({}));
  CHECK(found.messages.messages > 0);
  for (const std::size_t i : {0, 1}) CHECK(found.answers[i].value == expected.answers[i].value);
}

TEST_CASE(
    "problems are left alone without large blocks, without bounds, and where blocks stay large") {
  SmallProblem pairs;
  const Polynomial x = pairs.unit_real("x"), y = pairs.unit_real("y");
  pairs.require(pairs.terms.either(pairs.terms.declare_boolean("a"), pairs.terms.less(x, y)));
  CHECK(!in_joint_coordinates(pairs.problem, pairs.goals));

  for (const bool bounded : {false, true}) {
    SmallProblem all;
    std::vector<Polynomial> reals;
    for (const char* const name : {"x", "y", "z"})
      reals.push_back(bounded ? all.unit_real(name) : all.real(name));
    const Formula a = all.terms.declare_boolean("a");
    for (const std::size_t i : {0, 1})
      all.require(all.terms.choice(a, all.terms.less(reals[i], reals[i + 1]),
                                   all.terms.less(reals[i + 1], reals[i])));
    CHECK(!has_small_blocks(all.problem));
    // The Boolean joins the real in the middle, which leaves two pairs.
    CHECK(in_joint_coordinates(all.problem, all.goals).has_value() == bounded);
    all.require(all.terms.less(reals[0] + reals[1] + reals[2], 2));
    CHECK(!in_joint_coordinates(all.problem, all.goals));
  }
}

}  // namespace
}  // namespace wmi::tests
