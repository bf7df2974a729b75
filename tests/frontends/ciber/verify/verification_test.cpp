#include "frontends/ciber/verify/verification.h"

#include <doctest/doctest.h>

#include "solver/integrator.h"
#include "solver/terms/interval.h"
#include "tests/frontends/ciber/verify/small_problems.h"

namespace wmi::frontends {
namespace {

const Network identity = linear_network(1, 1, {1}, {0});

struct Concluded {
  Verification found;
  int solved = 0;  // tasks
};

Concluded concluded(const std::string& asserts, std::optional<Solution> known = {},
                    const VerifyArguments& arguments = {}, const Network& network = identity) {
  const std::size_t inputs = network.input[0];
  const VerificationProblem problem =
      make_verification_problem(network, property(inputs, 1, asserts), arguments);
  const auto enumerator = make_split();
  const auto integrator = make_auto({});
  Concluded result;
  const auto solve = [&](const Task& task, const Enumerator& search) {
    ++result.solved;
    return wmi::solve(task, search, *integrator, {.gap = ratio(1, 10'000)});
  };
  result.found =
      conclude(problem, probability_task(problem), search_counterexample(problem, *enumerator, {}),
               *enumerator, solve, std::move(known));
  return result;
}

TEST_CASE("a property without counterexamples needs no second search") {
  const Concluded none = concluded(unit_box(1) + "(assert (>= Y_0 1.1))");
  CHECK(none.solved == 0);
  CHECK(none.found.no_counterexample);
  CHECK(none.found.probability.value == Interval(Rational(0)));
  CHECK(none.found.verdict() == Verdict::holds);
}

TEST_CASE("the probability of a property is solved for, and its largest cell has a witness") {
  const Concluded some = concluded(unit_box(1) + "(assert (>= Y_0 0.75))");
  CHECK(some.solved == 1);
  CHECK(some.found.probability.value == Interval(ratio(1, 4)));
  REQUIRE(some.found.witness);
  CHECK(some.found.witness->inputs[0] >= ratio(3, 4));
}

TEST_CASE("each of several regions has its own probability") {
  const Concluded two = concluded(unit_box(1) + "(assert (or (>= Y_0 0.75) (<= Y_0 0.125)))");
  CHECK(two.found.probability.value == Interval(ratio(3, 8)));
  REQUIRE(two.found.regions.size() == 2);
  CHECK(two.found.regions[0].value == Interval(ratio(1, 4)));
  CHECK(two.found.regions[1].value == Interval(ratio(1, 8)));
}

TEST_CASE("a solution that is known is not searched for again") {
  Answer half;
  half.value = Interval(ratio(1, 2));
  Solution known;
  known.answers = {half};
  const Concluded given = concluded(unit_box(1) + "(assert (>= Y_0 0.5))", known);
  CHECK(given.solved == 0);
  CHECK(given.found.probability.value == Interval(ratio(1, 2)));
}

/// With weights of 24 bits, which are searched for in doubles: ReLU(w x + w y) for w = 1 + 2^-23.
Network long_weights() {
  const Rational w(1 + 0x1p-23);
  return linear_network(2, 1, {w, w}, {0}, {{"relu1", encoders::Relu{}, {"fc1"}}});
}

TEST_CASE("weights may have normal laws without bounds, also a joint one") {
  // P(X + b >= 0), X uniform on [0, 1], b normal: Phi(1) + phi(1) - phi(0).
  const Concluded one =
      concluded(unit_box(1) + "(assert (>= Y_0 0))", {}, {.unknowns = {"fc1.bias[0]=normal(0,1)"}});
  REQUIRE(one.found.probability.value);
  CHECK(one.found.probability.value->midpoint().get_d() ==
        doctest::Approx(0.6843731901862).epsilon(1e-6));
  CHECK(one.found.witness);
  // w_0 and w_1 have correlation 1/2 and means 0: P(w_0 >= 0, w_1 >= 0) = 1/3.
  const Network two = linear_network(2, 2, {1, 0, 0, 1}, {0, 0});
  const VerificationProblem problem = make_verification_problem(
      two,
      property(2, 2, "(assert (= X_0 1))(assert (= X_1 1))(assert (>= Y_0 0))(assert (>= Y_1 0))"),
      {.unknowns = {"fc1.weight[0,0],fc1.weight[1,1]=normal([0,0],[[1,1],[1,4]])"}});
  const auto enumerator = make_split();
  const auto solve = [&](const Task& task, const Enumerator& search) {
    return wmi::solve(task, search, *make_auto({}));
  };
  const Verification found =
      conclude(problem, probability_task(problem), search_counterexample(problem, *enumerator, {}),
               *enumerator, solve);
  REQUIRE(found.probability.value);
  CHECK(found.probability.value->contains(ratio(1, 3)));
  CHECK(has_digits(*found.probability.value, 6));
  CHECK(found.witness);
}

TEST_CASE("counterexamples far out in an unbounded law are not excluded") {
  const Concluded far = concluded(unit_box(1) + "(assert (>= Y_0 30))", {},
                                  {.unknowns = {"fc1.bias[0]=normal(0,1)"}});
  CHECK(far.solved == 1);
  CHECK(!far.found.no_counterexample);
  REQUIRE(far.found.probability.value);
  CHECK(far.found.probability.value->upper > 0);
  CHECK(far.found.probability.value->upper < ratio(1, 1'000'000));
}

TEST_CASE("inputs may have a joint normal law, given the region") {
  const auto probability = [](const std::string& asserts, const std::string& law) {
    const Concluded found =
        concluded(unit_box(2) + asserts, {}, {.laws = {law}}, linear_network(2, 1, {1, 1}, {0}));
    REQUIRE(found.found.probability.value);
    REQUIRE(found.found.witness);
    return *found.found.probability.value;
  };
  const std::string correlated = "normal([1/2,1/2],[[1/36,1/48],[1/48,1/36]])";
  // Symmetric around the middle.
  CHECK(probability("(assert (>= Y_0 1))", correlated).contains(ratio(1, 2)));
  // Independent, it is normal(1/3); and with the correlation, the sum varies more.
  const std::string corner = "(assert (>= Y_0 1.5))";
  const Interval single = probability(corner, "normal(1/3)"),
                 diagonal = probability(corner, "X_1,X_0=normal([1/2,1/2],[[1/36,0],[0,1/36]])");
  CHECK(single.lower <= diagonal.upper);
  CHECK(diagonal.lower <= single.upper);
  CHECK(probability(corner, correlated).lower > single.upper);
}

TEST_CASE("under a normal law of the inputs, the probability is enclosed to the gap") {
  // X_0 + X_1 <= 1: one half by symmetry, though w > 1 moves the border a little.
  const std::string half = unit_box(2) + "(assert (<= Y_0 1))";
  const Concluded some = concluded(half, {}, {.laws = {"normal(1/3)"}}, long_weights());
  CHECK(some.solved == 1);
  const Interval& value = *some.found.probability.value;
  CHECK(value.upper - value.lower <= ratio(1, 10'000));
  CHECK(value.lower < ratio(1, 2));
  CHECK(value.upper > parse_fraction("0.499999"));
  CHECK(some.found.witness);
  // One input alone: P(|Z| <= 3/2 given |Z| <= 3) = 0.866385597462 / 0.997300203937.
  const Concluded one = concluded(unit_box(1) + "(assert (>= Y_0 0.25))(assert (<= Y_0 0.75))", {},
                                  {.laws = {"normal(1/3)"}});
  const Rational expected = parse_fraction("0.868730994");
  CHECK(abs(one.found.probability.value->midpoint() - expected) < ratio(1, 10'000));
}

TEST_CASE("under a normal law, a property that holds everywhere has a probability of exactly 1") {
  const Concluded all =
      concluded(unit_box(2) + "(assert (<= Y_0 3))", {}, {.laws = {"normal(1/3)"}}, long_weights());
  CHECK(all.solved == 0);
  CHECK(all.found.probability.value == Interval(Rational(1)));
}

}  // namespace
}  // namespace wmi::frontends
