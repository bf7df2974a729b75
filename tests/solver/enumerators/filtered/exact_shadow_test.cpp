#include "solver/enumerators/filtered/exact_shadow.h"

#include <doctest/doctest.h>

#include "tests/solver/enumerators/filtered/random_network.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

std::shared_ptr<const Defined> defined(const Problem& problem, std::span<const Goal> goals) {
  return std::make_shared<const Defined>(*define(problem, goals));
}

/// z = relu(x - 1/2), w = relu(z - 1/4), and w < 1/8.
struct TwoLayers : SmallProblem {
  const Polynomial x = unit_real("x");
  const Formula first = terms.less(ratio(1, 2), x);
  const Polynomial z = terms.choice(first, x - ratio(1, 2), 0);
  const Formula second = terms.less(ratio(1, 4), z);
  const Polynomial w = terms.choice(second, z - ratio(1, 4), 0);
  const Formula small = terms.less(w, ratio(1, 8));

  TwoLayers() { goals = {{small, {{Polynomial(1), 0}}, {}}}; }

  static PathDecision decision(Formula formula, bool holds) {
    return {formula.node(), holds != formula.negated()};
  }
};

TEST_CASE_FIXTURE(TwoLayers, "forms are those of the path, as it is when they are asked for") {
  ExactShadow shadow(defined(problem, goals));
  std::vector<PathDecision> path;
  shadow.follow(path);
  CHECK(&shadow.followed() == &path);
  const auto value = [&](Formula atom) {
    const std::vector<Rational> point{ratio(3, 4)};
    const Rational at = shadow.exact(atom.node()).at(point);
    return atom.negated() ? Rational(-at) : at;
  };
  CHECK(value(first) < 0);
  path.push_back(decision(first, true));
  CHECK(shadow.exact(second.node()).coefficients.size() == 1);
  CHECK(value(second) == 0);  // 3/4 is where z is 1/4
  path.push_back(decision(second, true));
  CHECK(value(small) < 0);
  // Another path in the same place: shared decisions stay.
  path = {decision(first, true), decision(second, false)};
  CHECK(shadow.branch().truth(small) == Truth::yes);  // w = 0
  path = {};
  CHECK(shadow.branch().truth(small) == Truth::unknown);
  CHECK(shadow.branch().decisions().empty());
}

TEST_CASE_FIXTURE(TwoLayers, "what exact numbers have concluded is not decided again") {
  ExactShadow shadow(defined(problem, goals));
  // Where z is 0, the second unit is off: doubles may have had to decide it.
  const std::vector<PathDecision> path{decision(first, false), decision(second, false)};
  shadow.follow(path);
  CHECK(shadow.branch().decisions().size() == 1);
  CHECK(shadow.branch().truth(second) == Truth::no);
  const std::vector<PathDecision> other{decision(first, true), decision(second, false)};
  shadow.follow(other);
  CHECK(shadow.branch().decisions().size() == 2);
  shadow.follow(path);
  CHECK(shadow.branch().decisions().size() == 1);
}

TEST_CASE("a shadow that jumps between random paths is the branch of each") {
  Random random(220);
  MESSAGE("seed " << random.seed());
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const RandomNetwork network = random_network(random, random_shape(random, 3, 3, 4));
    const std::vector<Goal> goals{{truth, {{network.outputs[0], 0}}, {}}};
    const auto both = defined(network.problem, goals);
    const std::vector<std::uint32_t> nodes = cone(both->problem, both->goals);
    ExactShadow shadow(both);
    std::vector<PathDecision> path;
    shadow.follow(path);
    for (int jump = 0; jump < 10; ++jump) {
      path.resize(static_cast<std::size_t>(random.integer(0, static_cast<int>(path.size()))));
      Branch expected(both->problem, nodes);
      for (const PathDecision& made : path) expected.decide({made.node, made.holds});
      while (const auto open = expected.open_in(both->goals[0].summands[0].term)) {
        if (random.chance(20)) break;
        path.push_back({open->node, random.chance(50)});
        expected.decide({open->node, path.back().holds});
      }
      for (const std::uint32_t node : nodes) {
        if (both->problem.terms.node(node).kind == Kind::definition) continue;
        REQUIRE(shadow.branch().truth(Formula(node, false)) ==
                expected.truth(Formula(node, false)));
        if (both->problem.terms.node(node).kind != Kind::atom || expected.atom(node) == nullptr)
          continue;
        REQUIRE(shadow.exact(node) == expected.atom(node)->form);
      }
    }
  }
}

}  // namespace
}  // namespace wmi::tests
