#include "frontends/ciber/verify/verification_problem.h"

#include <doctest/doctest.h>

#include <random>

#include "frontends/ciber/verify/verdict.h"
#include "solver/answers/bounded_query.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/solve.h"
#include "tests/frontends/ciber/verify/small_problems.h"
#include "tests/frontends/reading.h"

namespace wmi::frontends {
namespace {

VerificationProblem problem(Network network, const std::string& asserts,
                            const VerifyArguments& arguments = {}) {
  const std::size_t inputs = encoders::entry_count(network.input);
  const std::size_t outputs = network.parameters.at("fc1.bias").size();
  return make_verification_problem(std::move(network), property(inputs, outputs, asserts),
                                   arguments);
}

/// The probability of the property, then those of its regions.
std::vector<Interval> probabilities(const VerificationProblem& problem,
                                    const Enumerator& enumerator = *make_split()) {
  const Task task = probability_task(problem);
  std::vector<Interval> result;
  for (const Answer& answer : enclosed(task, solve(task, enumerator, *make_auto({})).answers)) {
    CAPTURE(answer.undefined);
    CAPTURE(answer.refused);
    REQUIRE(answer.value);
    result.push_back(*answer.value);
  }
  return result;
}

Interval probability(Network network, const std::string& asserts,
                     const VerifyArguments& arguments = {}) {
  return probabilities(problem(std::move(network), asserts, arguments))[0];
}

const Network identity = linear_network(1, 1, {1}, {0});

TEST_CASE("of logits, comparisons with each other are verified alone, and named as logits") {
  Network network = linear_network(1, 2, {1, -1}, {0, 0});
  network.logits_of = "Softmax";
  const std::string region = "(assert (>= X_0 -1)) (assert (<= X_0 1))";
  const VerificationProblem order = problem(network, region + "(assert (<= Y_0 Y_1))");
  CHECK(probability_task(order).assumptions.back() == "outputs: the logits before 'Softmax'");
  CHECK(complaint([&] { problem(network, region + "(assert (>= Y_0 0.5))"); }) ==
        "the network ends in Softmax; only comparisons of its outputs with each other can be "
        "verified");
}

TEST_CASE("the probability of a property is the share of its box where it holds") {
  // x + y >= 3/2 in the unit square: a triangle with legs 1/2.
  CHECK(probability(linear_network(2, 1, {1, 1}, {0}), unit_box(2) + "(assert (>= Y_0 1.5))") ==
        ratio(1, 8));
  // ReLU(x_0 - x_1) is 0 in half of the square, and at least 1/2 in a triangle.
  CHECK(probability(two_relus(), unit_box(2) + "(assert (<= Y_1 0))") == ratio(1, 2));
  CHECK(probability(two_relus(), unit_box(2) + "(assert (>= Y_1 0.5))") == ratio(1, 8));
  // Conditions on outputs together: Y_1 <= 0 and Y_0 = x_0 + x_1 <= 1, a quarter.
  CHECK(probability(two_relus(), unit_box(2) + "(assert (<= Y_1 0))(assert (<= Y_0 1))") ==
        ratio(1, 4));
}

TEST_CASE("several input regions are one condition") {
  const std::string regions = "(assert (or (<= 0 X_0 1) (<= 3 X_0 4)))";
  CHECK(probability(identity, regions + "(assert (>= Y_0 3.5))") == ratio(1, 4));
  // A region that is no box: half of the square, in which x_0 >= 1/2 has the area 1/8.
  CHECK(probability(linear_network(2, 1, {1, 0}, {0}),
                    unit_box(2) + "(assert (<= (+ X_0 X_1) 1))(assert (>= Y_0 0.5))") ==
        ratio(1, 4));
}

TEST_CASE("disjunctions over inputs and outputs have a probability for each disjunct") {
  // The region is [0, 1/4] and [3/4, 1]; unsafe are [0, 1/4] and [9/10, 1].
  const VerificationProblem mixed =
      problem(identity, unit_box(1) +
                            "(assert (or (and (<= X_0 0.25) (>= Y_0 0))"
                            " (and (>= X_0 0.75) (>= Y_0 0.9))))");
  CHECK(probabilities(mixed) == std::vector<Interval>{ratio(7, 10), ratio(1, 2), ratio(1, 5)});
  // Overlapping unsafe regions: their union is not their sum.
  const VerificationProblem overlapping =
      problem(identity, unit_box(1) + "(assert (or (<= Y_0 0.5) (<= 0.25 Y_0 0.75)))");
  CHECK(probabilities(overlapping) == std::vector<Interval>{ratio(3, 4), ratio(1, 2), ratio(1, 2)});
}

TEST_CASE("inputs have laws, conditioned on the region") {
  // Density 2x on [0, 1].
  CHECK(probability(identity, unit_box(1) + "(assert (>= Y_0 0.5))",
                    {.laws = {"piecewise(0,0,1,1)"}}) == ratio(3, 4));
  // Density proportional to x on [1/2, 1]: (1 - 9/16) / (1 - 1/4).
  CHECK(probability(identity, "(assert (<= 0.5 X_0 1))(assert (>= Y_0 0.75))",
                    {.laws = {"X_0=piecewise(0,0,1,1)"}}) == ratio(7, 12));
  // On [0, 1/4] and [3/4, 1] it has mass 1/16 + 7/16.
  CHECK(probability(identity,
                    unit_box(1) + "(assert (or (<= X_0 0.25) (>= X_0 0.75)))(assert (<= Y_0 0.5))",
                    {.laws = {"piecewise(0,0,1,1)"}}) == ratio(1, 8));
}

TEST_CASE("constant inputs are no dimensions; without any, the probability is 0 or 1") {
  const Network sum = linear_network(2, 1, {1, 1}, {0});
  const std::string fixed = "(assert (<= 0 X_0 1))(assert (<= 0.25 X_1 0.25))";
  CHECK(probability(sum, fixed + "(assert (>= Y_0 1))") == ratio(1, 4));
  CHECK(probability(sum, fixed + "(assert (>= Y_0 1))", {.free = "X_0"}) == ratio(1, 4));
  CHECK(probability(sum, unit_box(2) + "(assert (>= Y_0 1))", {.free = "X_1"}) == ratio(1, 2));
  const std::string point = "(assert (= X_0 1))(assert (= X_1 2))";
  CHECK(probability(sum, point + "(assert (>= Y_0 3))") == Interval(1));
  CHECK(probability(sum, point + "(assert (> Y_0 3))") == Interval(Rational(0)));
}

TEST_CASE("weights may be random together with the inputs, unless their product is compared") {
  // x + b >= 3/2
  CHECK(probability(identity, unit_box(1) + "(assert (>= Y_0 1.5))",
                    {.unknowns = {"fc1.bias[0]=[0,1]"}}) == ratio(1, 8));
  CHECK(complaint([] {
          probability(identity, unit_box(1) + "(assert (>= Y_0 0.5))",
                      {.unknowns = {"fc1.weight[0,0]=[0,1]"}});
        }).find("fc1.weight[0,0]") != std::string::npos);
  const std::string refused = complaint([] {
    probability(two_relus(), unit_box(2) + "(assert (>= Y_0 0.5))",
                {.unknowns = {"fc1.weight[0,0]=[0,1]"}});
  });
  CHECK(refused.find("fc1.weight[0,0]") != std::string::npos);
  CHECK(refused.find("input[0]") != std::string::npos);
}

TEST_CASE("smooth layers give an enclosure") {
  // tanh(x) >= 1/2 from atanh(1/2) = 0.549306... on: (1 - 0.549306) / 2 = 0.225346... of [-1, 1].
  const Network smooth = linear_network(
      1, 1, {1}, {0}, {{"tanh1", encoders::make_layer("tanh", encoders::Attributes()), {"fc1"}}});
  const Interval found =
      probability(smooth, "(assert (<= -1 X_0 1))(assert (>= Y_0 0.5))", {.width = "1/1000"});
  CHECK(found.lower < ratio(225347, 1000000));
  CHECK(found.upper > ratio(225346, 1000000));
  CHECK(found.upper - found.lower < ratio(1, 100));
}

TEST_CASE("a network with other outputs than the property's is refused") {
  CHECK(complaint([] {
          probability_task(make_verification_problem(
              identity, property(1, 2, unit_box(1) + "(assert (<= Y_0 Y_1))"), {}));
        }) == "the property is about 2 outputs, but the network has 1");
}

TEST_CASE("only a region that is more than a box has a shape") {
  const auto shaped = [](const std::string& asserts) {
    return has_shape(problem(identity, asserts));
  };
  CHECK(!shaped(unit_box(1) + "(assert (>= Y_0 0))"));
  CHECK(shaped(unit_box(1) + "(assert (or (<= X_0 0.25) (>= X_0 0.75)))"));
  CHECK(!shaped(unit_box(1) + "(assert (or (and (<= X_0 1) (>= Y_0 0)) (<= Y_0 3)))"));
}

/// A network of 2 or 3 inputs, five ReLUs and 2 outputs; with short weights, or as long as doubles.
Network random_network(std::mt19937& engine, std::size_t inputs, bool long_numbers) {
  std::uniform_real_distribution<double> real(-2, 2);
  const auto numbers = [&](std::size_t count) {
    std::vector<Rational> result;
    for (std::size_t i = 0; i < count; ++i)
      result.push_back(long_numbers ? Rational(real(engine))
                                    : ratio(static_cast<int>(engine() % 9) - 4, 2));
    return result;
  };
  Network result = linear_network(
      inputs, 5, numbers(5 * inputs), numbers(5),
      {{"relu1", encoders::Relu{}, {"fc1"}}, {"fc2", encoders::Linear{}, {"relu1"}}});
  result.parameters.emplace("fc2.weight", Tensor<Rational>({2, 5}, numbers(10)));
  result.parameters.emplace("fc2.bias", Tensor<Rational>({2}, numbers(2)));
  return result;
}

TEST_CASE("all enumerators agree on random networks and properties") {
  constexpr unsigned seed = 20;
  CAPTURE(seed);
  std::mt19937 engine(seed);
  const char* const asserts[] = {
      "(assert (<= Y_0 Y_1))",
      "(assert (or (<= Y_0 0.25) (and (>= Y_1 1) (<= X_0 0.5))))",
      "(assert (<= (+ X_0 X_1) 1.25))(assert (or (<= (* 2 Y_0) (+ X_1 Y_1)) (>= Y_0 1)))",
      "(assert (or (<= X_0 0.25) (>= X_0 0.5)))(assert (>= Y_0 0))(assert (<= Y_1 1))",
  };
  for (int round = 0; round < 24; ++round) {
    CAPTURE(round);
    const std::size_t inputs = 2 + round % 2;
    const Property asked = property(inputs, 2, unit_box(inputs) + asserts[round / 2 % 4]);
    const VerificationProblem random =
        make_verification_problem(random_network(engine, inputs, round % 3 != 0), asked, {});
    const std::vector<Interval> exact = probabilities(random, *make_exact_split());
    CHECK(probabilities(random, *make_z3()) == exact);
    CHECK(probabilities(random, *make_split()) == exact);
    for (const Interval& each : exact) CHECK(each.exact());
  }
}

}  // namespace
}  // namespace wmi::frontends
