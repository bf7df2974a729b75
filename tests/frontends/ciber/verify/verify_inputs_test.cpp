#include "frontends/ciber/verify/verify_inputs.h"

#include <doctest/doctest.h>

#include "tests/frontends/ciber/verify/small_problems.h"
#include "tests/frontends/reading.h"

namespace wmi::frontends {
namespace {

/// X_0 in [0, 1], X_1 in [0, 2], X_2 = 3.
const Property given = property(
    3, 1, "(assert (<= 0 X_0 1))(assert (<= 0 X_1 2))(assert (= X_2 3))(assert (<= Y_0 0))");

const Network network = linear_network(3, 1, {1, 1, 1}, {0});

VerifyInputs inputs(const VerifyArguments& arguments) {
  return read_verify_inputs(network, given, arguments);
}

std::string refusal(const VerifyArguments& arguments) {
  return complaint([&] { inputs(arguments); });
}

TEST_CASE("inputs are uniform on their intervals, and a point is a constant") {
  const VerifyInputs found = inputs({});
  REQUIRE(found.unknowns.size() == 2);
  CHECK(found.unknowns[1].name == "input[1]");
  CHECK(found.unknowns[1].density.law == Law::uniform(0, 2));
  CHECK(found.fixed.entries[2] == 3);
  CHECK(found.whole);
  CHECK(found.assumptions == std::vector<std::string>{"inputs: uniform on the input region"});
}

TEST_CASE("laws are conditioned on the intervals") {
  const VerifyInputs found = inputs({.laws = {"triangular(-1,0,1)", "X_1=[1,9]"}});
  // The triangular law has the density 1 - x from 0 to 1, half of its mass.
  CHECK(found.unknowns[0].density.law == Law({}, {{0, 1, Univariate({2, -2})}}));
  CHECK(found.unknowns[1].density.law == Law::uniform(1, 2));
  CHECK(found.support == std::vector<Interval>{{0, 1}, {1, 2}, {3, 3}});
  CHECK(found.box == std::vector<Interval>{{0, 1}, {0, 2}, {3, 3}});
  CHECK(found.uniform[1].density.law == Law::uniform(0, 2));
  CHECK(found.whole);
}

TEST_CASE("normal laws are cut to the intervals") {
  const VerifyInputs found = inputs({.laws = {"normal(1/3)", "X_1=normal(5,2,1,9)"}});
  CHECK(found.unknowns[0].density.law == Law::uniform(0, 1));
  CHECK(found.unknowns[0].density.normal == encoders::NormalLaw{ratio(1, 2), ratio(1, 36)});
  CHECK(found.unknowns[1].density.law == Law::uniform(1, 2));
  CHECK(found.unknowns[1].density.normal == encoders::NormalLaw{5, 4});
  CHECK(found.whole);
  CHECK(found.assumptions[0] ==
        "inputs: normal around the middles of their intervals, with deviations of 1/3 times their "
        "half-widths, given the input region");
}

TEST_CASE("inputs that are not free stay at the midpoint or at the given numbers") {
  const VerifyInputs middle = inputs({.free = "X_0"});
  CHECK(middle.unknowns.size() == 1);
  CHECK(middle.fixed.entries[1] == 1);
  CHECK(!middle.whole);
  CHECK(middle.assumptions.back() ==
        "inputs other than X_0: fixed at the midpoints of their intervals");
  CHECK(inputs({.free = "X_0", .input = "0,1/2,3"}).fixed.entries[1] == ratio(1, 2));
  CHECK(inputs({.laws = {"X_1=1/4"}}).fixed.entries[1] == ratio(1, 4));
}

TEST_CASE("weights may be random as well") {
  const VerifyInputs found = inputs({.unknowns = {"fc1.weight[0,0]=triangular(0,1,2)"}});
  REQUIRE(found.unknowns.size() == 3);
  CHECK(found.uniform[2].density.law == Law::uniform(0, 2));
  CHECK(!found.whole);
}

TEST_CASE("weights with normal laws have no bounds, and a box with most of their mass") {
  const VerifyInputs one = inputs({.unknowns = {"fc1.bias[0]=normal(1,3)"}});
  REQUIRE(one.uniform.size() == 3);
  CHECK(one.uniform[2].density.law == Law::uniform(-15, 17));  // 4 * 4, the power of 2 above 3
  CHECK(!one.bounded);
  CHECK(inputs({.unknowns = {"fc1.bias[0]=normal(1,3,0,9)"}}).bounded);
  const VerifyInputs joint =
      inputs({.unknowns = {"fc1.weight[0,0..1]=normal([1,2],[[4,1],[1,2]])"}});
  // Two inputs, two hidden reals, and the two weights, which are no reals.
  REQUIRE(joint.unknowns.size() == 6);
  REQUIRE(joint.uniform.size() == 4);
  CHECK(!joint.bounded);
  CHECK(joint.uniform[2].density.law.support().midpoint() == 1);
  CHECK(joint.uniform[3].density.law.support().midpoint() == 2);
  CHECK(joint.uniform[3].density.law.support().upper >= 7);  // 4 deviations
  // The weights are 1 + z_0 and 2 + z_0 / 4 + z_1.
  CHECK(point_in_box(joint, {ratio(1, 2), ratio(3, 2), 4, 5}) ==
        Point{ratio(1, 2), ratio(3, 2), 5, 8});
}

TEST_CASE("inputs may have a joint normal law") {
  const VerifyInputs found = inputs({.laws = {"X_1,X_0=normal([2,1],[[4,2],[2,2]])"}});
  REQUIRE(found.unknowns.size() == 4);
  CHECK(found.unknowns[2].name == "input[1]");
  CHECK(found.uniform.size() == 2);
  CHECK(found.uniform[1].density.law == Law::uniform(0, 2));
  CHECK(found.bounded);
  CHECK(found.whole);
  CHECK(found.support == std::vector<Interval>{{0, 1}, {0, 2}, {3, 3}});
  CHECK(found.assumptions ==
        std::vector<std::string>{"X_1, X_0: a joint normal law, given the input region"});
  // X_1 = 2 + z_0 and X_0 = 1 + z_0 / 2 + z_1.
  CHECK(point_in_box(found, {-1, ratio(1, 4)}) == Point{ratio(3, 4), 1});
  const VerifyInputs mixed = inputs({.laws = {"X_0=normal([0],[[1]])", "[0,1]"}});
  CHECK(mixed.unknowns.back().density.law == Law::uniform(0, 1));
}

TEST_CASE("mistakes in joint laws are reported") {
  CHECK(refusal({.laws = {"normal([0,0,0],[[1,0,0],[0,1,0],[0,0,1]])"}}) ==
        "--law: the property fixes X_2 to 3");
  CHECK(refusal({.laws = {"X_0,X_1=normal([0,0],[[1,1],[1,1]])"}}) ==
        "--law: the covariance of a joint law must not be singular here");
  CHECK(refusal({.laws = {"X_0,X_1=normal([0,0],[[1,0],[0,0]])"}})
            .starts_with("--law: the joint law makes a constant of input[1]"));
  CHECK(refusal({.laws = {"X_0,X_0=normal([0,0],[[1,0],[0,1]])"}})
            .ends_with("there are two laws for the same inputs"));
  CHECK(refusal({.laws = {"X_0,X_1=normal([0,0],[[1,0],[0,1]])", "X_1=[0,1]"}}) ==
        "--law: there are two laws of X_1");
  CHECK(refusal({.laws = {"X_0,X_9=normal([0,0],[[1,0],[0,1]])"}}) ==
        "--law: 'X_9' is no input; they are X_0 to X_2");
  CHECK(refusal({.laws = {"X_0,X_1=normal([0],[[1,0],[0,1]])"}}) == "--law: 1 means for 2 entries");
  CHECK(refusal({.unknowns = {"fc1.weight[0,0..1]=normal([0,0],[[1,1],[1,1]])"}}) ==
        "--unknown: the covariance of a joint law must not be singular here");
}

TEST_CASE("mistakes are reported by option or input") {
  CHECK(complaint([&] {
          read_verify_inputs(linear_network(2, 1, {1, 1}, {0}), given, {});
        }) == "the property is about 3 inputs, but the input of the network has shape [2]");
  CHECK(refusal({.free = "X_9"}) == "--free: 'X_9' is no input; they are X_0 to X_2");
  CHECK(refusal({.free = "a"}) == "--free: 'a' is no input; they are X_0 to X_2");
  CHECK(refusal({.input = "0,0,0"}) ==
        "--input: needs --free, which says which inputs are not fixed");
  CHECK(refusal({.free = "X_0", .input = "0,5,3"}) ==
        "the value 5 of X_1 is outside its interval [0, 2]");
  CHECK(refusal({.laws = {"X_7=[0,1]"}}) == "--law: 'X_7' is no input; they are X_0 to X_2");
  CHECK(refusal({.laws = {"X_0=[5,6]"}}) ==
        "--law: [5,6] has no mass on the interval [0, 1] of X_0");
  CHECK(refusal({.laws = {"X_0=weibull(0)"}})
            .starts_with("--law 'X_0=weibull(0)': no density named 'weibull'"));
  CHECK(refusal({.laws = {"normal(0)"}}) ==
        "--law 'normal(0)': normal(SHARE) needs a share of the half-width above 0, as its "
        "deviation");
  CHECK(refusal({.laws = {"X_0=normal(0,1,2,3)"}}) ==
        "--law: normal(0,1,2,3) has no mass on the interval [0, 1] of X_0");
  CHECK(refusal({.laws = {"[0,1]", "[0,2]"}}) ==
        "--law '[0,2]': there are two laws for the same inputs");
  CHECK(refusal({.laws = {"X_2=[0,1]"}}) == "--law: the property fixes X_2 to 3");
  CHECK(refusal({.laws = {"X_1=[0,1]"}, .free = "X_0"}) ==
        "--law: X_1 is not among the inputs of --free");
  CHECK(refusal({.unknowns = {"input[0]=[0,1]"}})
            .starts_with("--unknown: 'input[0]' is an input; the property bounds it"));
}

}  // namespace
}  // namespace wmi::frontends
