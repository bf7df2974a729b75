#include "frontends/ciber/verify/witness.h"

#include <doctest/doctest.h>

#include "solver/geometry/normalised_box.h"
#include "tests/frontends/ciber/verify/small_problems.h"

namespace wmi::frontends {
namespace {

VerificationProblem sum_above(const std::string& bound, const VerifyArguments& arguments = {}) {
  return make_verification_problem(linear_network(2, 1, {1, 1}, {0}),
                                   property(2, 1, unit_box(2) + "(assert (>= Y_0 " + bound + "))"),
                                   arguments);
}

TEST_CASE("a witness is checked by running the network") {
  const VerificationProblem problem = sum_above("1.5");
  CHECK(!check_witness(problem, {ratio(1, 2), ratio(1, 2)}));
  CHECK(!check_witness(problem, {ratio(3, 2), ratio(1, 2)}));  // outside the box
  const std::optional<Witness> witness = check_witness(problem, {ratio(3, 4), ratio(3, 4)});
  REQUIRE(witness);
  CHECK(witness->outputs == std::vector<Interval>{ratio(3, 2)});
}

TEST_CASE("a witness is rounded as far as it stays one") {
  // 0.765 + 0.744 = 1.509: one decimal gives 0.8 + 0.7, on the boundary, which belongs to it.
  CHECK(find_witness(sum_above("1.5"), {ratio(765, 1000), ratio(744, 1000)})->inputs ==
        Point{ratio(8, 10), ratio(7, 10)});
  // Two decimals are needed for 0.77 + 0.74 >= 1.505.
  CHECK(find_witness(sum_above("1.505"), {ratio(765, 1000), ratio(744, 1000)})->inputs ==
        Point{ratio(77, 100), ratio(74, 100)});
  CHECK(!find_witness(sum_above("1.6"), {ratio(765, 1000), ratio(744, 1000)}));
}

TEST_CASE("unknown weights and fixed inputs are part of a witness") {
  const VerificationProblem problem =
      sum_above("2.5", {.unknowns = {"fc1.bias[0]=[0,1]"}, .free = "X_1", .input = "1,0"});
  const std::optional<Witness> witness = find_witness(problem, {ratio(9, 10), ratio(8, 10)});
  REQUIRE(witness);
  CHECK(witness->inputs == Point{1, ratio(9, 10)});
  REQUIRE(witness->weights.size() == 1);
  CHECK(witness->weights[0].first == "fc1.bias[0]");
  CHECK(witness->outputs[0] == Interval(ratio(27, 10)));
}

TEST_CASE("behind a smooth layer outputs of a witness are enclosed") {
  const Network smooth = linear_network(
      1, 1, {1}, {0}, {{"tanh1", encoders::make_layer("tanh", encoders::Attributes()), {"fc1"}}});
  const auto checked = [&](const std::string& bound) {
    return check_witness(
        make_verification_problem(smooth,
                                  property(1, 1, unit_box(1) + "(assert (>= Y_0 " + bound + "))"),
                                  {.width = "1/1000"}),
        {1});
  };
  // tanh(1) = 0.76159...
  const std::optional<Witness> witness = checked("0.7");
  REQUIRE(witness);
  CHECK(witness->outputs[0].lower < ratio(76160, 100000));
  CHECK(witness->outputs[0].upper > ratio(76159, 100000));
  CHECK(!checked("0.7616"));  // true bounds do not tell
}

TEST_CASE("the mean of the vertices lies in a cell") {
  Cell cell;
  cell.variables = {0, 1};
  // The triangle with the corners (0, 0), (1, 0), (0, 1).
  cell.kind = PlainCell{std::vector<Halfspace>{{{-1, 0}, 0}, {{0, -1}, 0}, {{1, 1}, 1}}};
  CHECK(interior_point(cell)->point == Point{ratio(1, 3), ratio(1, 3)});
  cell.kind = PlainCell{std::vector<Halfspace>{{{-1, 0}, 0}, {{1, 0}, 0}}};
  CHECK(!interior_point(cell));  // flat
  EnclosedPolytope interval;
  interval.dimension = 1;
  interval.vertices = {-1, 0};
  interval.radii = {0, 0};
  interval.incidences = {1, 2};
  interval.centre = {10};
  interval.half_width = {4};
  CHECK(interior_point(Cell{{0}, EnclosedCell{interval, {}, nullptr}})->point == Point{8});
  // The same where the cell's coordinate u stands for x = 100 + u / 2.
  const auto box = std::make_shared<const NormalisedBox>(NormalisedBox{{100}, {0.5}});
  CHECK(interior_point(Cell{{0}, EnclosedCell{interval, {}, nullptr, box}})->point == Point{104});
  CHECK(!interior_point(Cell{{0}, OpenCell{}}));
}

}  // namespace
}  // namespace wmi::frontends
