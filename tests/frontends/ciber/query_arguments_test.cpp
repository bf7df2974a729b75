#include "frontends/ciber/query_arguments.h"

#include <doctest/doctest.h>

#include "tests/frontends/reading.h"

namespace wmi::frontends {
namespace {

TEST_CASE("an input has a number for each entry, or is 0") {
  encoders::Network network;
  network.input = {2};
  CHECK(read_input(network, "").entries == std::vector<Rational>{0, 0});
  CHECK(read_input(network, "1,-0.5").entries == std::vector<Rational>{1, ratio(-1, 2)});
  CHECK(read_input(network, "1/3,2e1").entries == std::vector<Rational>{ratio(1, 3), 20});
  CHECK(complaint([&] { read_input(network, "1"); }) ==
        "--input: 1 numbers for an input of shape [2]");
  CHECK(complaint([&] { read_input(network, "1,x"); }).starts_with("--input: 'x'"));
}

TEST_CASE("an unknown has a name and a density") {
  const std::vector<encoders::Unknown> found =
      read_unknowns({"fc2.bias[0]=[-1,1]", "input[1]=[0,2]"});
  REQUIRE(found.size() == 2);
  CHECK(found[0].name == "fc2.bias[0]");
  CHECK(found[1].name == "input[1]");
  CHECK(complaint([] { read_unknowns({"fc2.bias[0]"}); }) ==
        "--unknown 'fc2.bias[0]': write NAME=DENSITY, as in fc2.bias[0]=[-1,1]");
  CHECK(complaint([] {
          read_unknowns({"w=weibull(0,1)"});
        }).starts_with("--unknown 'w=weibull(0,1)': "));
  const std::vector<encoders::Unknown> joint =
      read_unknowns({"fc1.bias[0..1]=normal([0,0],[[1,0],[0,2]])"});
  REQUIRE(joint.size() == 4);
  CHECK(joint[1].hidden);
  CHECK(joint[2].name == "fc1.bias[0]");
  CHECK(complaint([] { read_unknowns({"fc1.bias[0..1]=normal([0,0],[[1,0],[1,2]])"}); }) ==
        "--unknown 'fc1.bias[0..1]=normal([0,0],[[1,0],[1,2]])': the covariance is not "
        "symmetric: [0,1] is 0 and [1,0] is 1");
}

TEST_CASE("a likelihood is triangular, cubic or none") {
  CHECK(std::holds_alternative<std::monostate>(read_likelihood("")));
  CHECK(std::get<encoders::TriangularOutcome>(read_likelihood("triangular(1/2)")).radius ==
        ratio(1, 2));
  CHECK(std::get<encoders::CubicSigmoid>(read_likelihood("cubic(3.5)")).reach == ratio(7, 2));
  for (const char* text : {"triangular", "cubic(", "gaussian(1)"})
    CHECK(complaint([&] { read_likelihood(text); }) ==
          "--likelihood '" + std::string(text) + "': write triangular(RADIUS) or cubic(REACH)");
}

}  // namespace
}  // namespace wmi::frontends
