#include "frontends/ciber/verify/attack.h"

#include <doctest/doctest.h>

#include <random>

#include "encoders/exact.h"
#include "frontends/ciber/verify/double_algebra.h"
#include "tests/frontends/ciber/verify/small_problems.h"

namespace wmi::frontends {
namespace {

VerificationProblem problem(const std::string& asserts, const VerifyArguments& arguments = {}) {
  return make_verification_problem(two_relus(), property(2, 2, unit_box(2) + asserts), arguments);
}

TEST_CASE("an attack finds a small corner, and nothing where there is nothing") {
  // x_0 - x_1 >= 0.99: a triangle with legs 1/100.
  const std::optional<Witness> corner = attack(problem("(assert (>= Y_1 0.99))"), 2000);
  REQUIRE(corner);
  CHECK(corner->inputs[0] - corner->inputs[1] >= ratio(99, 100));
  CHECK(!attack(problem("(assert (>= Y_1 1.01))"), 2000));
}

TEST_CASE("the same attack has the same result") {
  const VerificationProblem corner = problem("(assert (>= Y_1 0.9))(assert (<= Y_0 1))");
  CHECK(attack(corner, 2000)->inputs == attack(corner, 2000)->inputs);
}

TEST_CASE("unknown weights are attacked as well, and fixed inputs are not") {
  const std::optional<Witness> found = attack(
      problem("(assert (>= Y_1 1.4))", {.unknowns = {"fc1.bias[1]=[0,1]"}, .free = "X_0"}), 2000);
  REQUIRE(found);
  CHECK(found->inputs[1] == ratio(1, 2));
  REQUIRE(found->weights.size() == 1);
  CHECK(found->inputs[0] - ratio(1, 2) + found->weights[0].second >= ratio(14, 10));
}

TEST_CASE("without unknowns the only point is tried") {
  const std::string point = "(assert (= X_0 1))(assert (= X_1 0))";
  CHECK(attack(problem(point + "(assert (>= Y_1 1))"), 1));
  CHECK(!attack(problem(point + "(assert (> Y_1 1))"), 1));
}

TEST_CASE("doubles follow the exact numbers through every kind of operation") {
  std::mt19937 engine(3);
  Network network = linear_network(
      3, 3, {1, -2, ratio(1, 2), 0, 3, -1, 2, 2, 1}, {ratio(1, 4), -1, 0},
      {{"relu1", encoders::Relu{}, {"fc1"}},
       {"clamp", encoders::make_layer("hardtanh", encoders::Attributes()), {"relu1"}},
       {"size", encoders::Abs{}, {"fc1"}},
       {"sum", encoders::Add{}, {"clamp", "size"}},
       {"step1", encoders::make_layer("step", encoders::Attributes()), {"sum"}},
       {"all", encoders::make_layer("concatenate", encoders::Attributes()), {"sum", "step1"}}});
  for (int round = 0; round < 50; ++round) {
    Tensor<Rational> exact({3}, {});
    Tensor<double> rounded({3}, {});
    for (int i = 0; i < 3; ++i) {
      exact.entries.push_back(ratio(static_cast<int>(engine() % 65) - 32, 8));
      rounded.entries.push_back(exact.entries.back().get_d());
    }
    DoubleAlgebra algebra(network);
    const std::vector<Tensor<double>> found = encoders::run(network, algebra, rounded);
    const std::vector<Tensor<Rational>> expected = encoders::run_exactly(network, exact);
    for (std::size_t i = 0; i < 6; ++i)  // eighths and quarters: doubles are exact
      CHECK(Rational(found[0].entries[i]) == expected[0].entries[i]);
  }
}

}  // namespace
}  // namespace wmi::frontends
