#include "frontends/ciber/verify/slice_plot.h"

#include <doctest/doctest.h>

#include "solver/enumerator.h"
#include "tests/frontends/ciber/verify/small_problems.h"

namespace wmi::frontends {
namespace {

/// Twice the area of a polygon, by the shoelace formula.
Rational twice_area(const std::vector<Position>& corners) {
  Rational result;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Position &a = corners[i], &b = corners[(i + 1) % corners.size()];
    result += a.x * b.y - b.x * a.y;
  }
  return result;
}

TEST_CASE("corners are in order around a cell") {
  Cell cell;
  cell.variables = {0, 1};
  cell.kind = PlainCell{
      std::vector<Halfspace>{{{-1, 0}, 0}, {{0, -1}, 0}, {{1, 0}, 2}, {{0, 1}, 2}, {{1, 1}, 3}}};
  CHECK(corners(cell).size() == 5);
  CHECK(twice_area(corners(cell)) == 7);  // a square of 4 without a corner of 1/2
  cell.kind =
      PlainCell{std::vector<Halfspace>{{{1, 0}, 3}, {{-1, 0}, 0}, {{0, 1}, 1}, {{0, -1}, 0}}};
  CHECK(twice_area(corners(cell)) == 6);
}

TEST_CASE("corners of a cell in doubles are those of its midpoints") {
  EnclosedPolytope triangle;
  triangle.dimension = 2;
  triangle.vertices = {-1, -1, 1, -1, -1, 1};
  triangle.radii = {0, 0, 0};
  triangle.incidences = {3, 6, 5};
  triangle.centre = {1, 10};
  triangle.half_width = {1, 2};
  const Cell cell{{0, 1}, EnclosedCell{triangle, {}, nullptr}};
  CHECK(twice_area(corners(cell)) == 8);  // legs 2 and 4
  for (const Position& corner : corners(cell)) CHECK((corner.y == 8 || corner.y == 12));
}

TEST_CASE("a picture has the cells of each region, with their exact areas") {
  const VerificationProblem problem = make_verification_problem(
      two_relus(), property(2, 2, unit_box(2) + "(assert (or (>= Y_1 0.5) (<= Y_0 0.5)))"), {});
  const CellPlot plot = slice_plot(problem, *make_split());
  CHECK(plot.kinds == std::vector<std::string>{"Y_1 >= 0.5", "Y_0 <= 0.5"});
  CHECK(plot.across == "X_0");
  Rational areas[2];
  for (const CellPlot::Cell& cell : plot.cells) areas[cell.kind] += twice_area(cell.corners) / 2;
  CHECK(areas[0] == ratio(1, 8));
  CHECK(areas[1] == ratio(1, 8));
}

}  // namespace
}  // namespace wmi::frontends
