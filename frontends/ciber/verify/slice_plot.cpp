#include "frontends/ciber/verify/slice_plot.h"

#include <algorithm>
#include <variant>

#include "encoders/encoding/steps.h"
#include "frontends/ciber/verify/largest_cell.h"
#include "frontends/ciber/verify/property_formula.h"
#include "solver/enumerators/goal.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// The vertices of a region in the plane: one polygon, or the product of two intervals.
std::vector<Position> points_of(const Region& region) {
  std::vector<Position> result;
  if (region.flat) return result;
  if (region.factors.size() == 1) {
    for (const Point& vertex : region.factors[0].polytope.vertices())
      result.push_back({vertex[0], vertex[1]});
    return result;
  }
  const bool swapped = region.factors[0].coordinates[0] != 0;
  for (const Point& x : region.factors[swapped ? 1 : 0].polytope.vertices())
    for (const Point& y : region.factors[swapped ? 0 : 1].polytope.vertices())
      result.push_back({x[0], y[0]});
  return result;
}

/// In the order in which they lie around their mean.
void sort_around(std::vector<Position>& points) {
  Position mean{0, 0};
  for (const Position& point : points) {
    mean.x += point.x / Rational(points.size());
    mean.y += point.y / Rational(points.size());
  }
  const auto upper = [&](const Position& p) {
    return p.y > mean.y || (p.y == mean.y && p.x > mean.x);
  };
  std::ranges::sort(points, [&](const Position& a, const Position& b) {
    if (upper(a) != upper(b)) return upper(a);
    return (a.x - mean.x) * (b.y - mean.y) > (a.y - mean.y) * (b.x - mean.x);
  });
}

std::string name_of(std::size_t input) { return "X_" + std::to_string(input); }

}  // namespace

std::vector<Position> corners(const Cell& cell) {
  std::vector<Position> result;
  if (const auto* const enclosed = std::get_if<EnclosedCell>(&cell.kind))
    for (const Point& vertex : vertices_of(*enclosed)) result.push_back({vertex[0], vertex[1]});
  if (const auto* const plain = std::get_if<PlainCell>(&cell.kind))
    result = points_of(make_region(2, plain->bounds));
  if (result.size() < 3) return {};
  sort_around(result);
  return result;
}

CellPlot slice_plot(const VerificationProblem& problem, const Enumerator& enumerator,
                    const std::stop_token& stop) {
  const std::vector<encoders::Unknown>& unknowns = problem.inputs.unknowns;
  const bool inputs_alone = std::ranges::all_of(unknowns, [](const encoders::Unknown& unknown) {
    return unknown.name.starts_with("input[");
  });
  if (unknowns.size() != 2 || !inputs_alone)
    throw Error(
        "a picture needs two random inputs without a joint law; name them by --free X_I,X_J");
  if (encoders::needs_brackets(problem.network))
    throw Error("there is no picture of a network with smooth layers, known between bounds alone");
  CellPlot plot;
  const std::size_t first = encoders::find_entry(problem.network, unknowns[0].name).entry;
  const std::size_t second = encoders::find_entry(problem.network, unknowns[1].name).entry;
  plot.title = "regions of the property over " + name_of(first) + " and " + name_of(second);
  plot.across = name_of(first);
  plot.up = name_of(second);
  plot.x = problem.inputs.box[first];
  plot.y = problem.inputs.box[second];
  Task task = probability_task(problem);
  if (problem.regions.size() > 1) task.queries.erase(task.queries.begin());  // the union
  const Plan plan = make_plan(task);
  for (const Property& region : problem.regions) plot.kinds.push_back(property_text(region));
  const std::unique_ptr<Cells> cells = enumerator.start(task.problem, plan.goals, stop);
  while (const std::optional<Cell> cell = cells->next())
    for (std::size_t i = 0; i < plan.parts.size(); ++i)
      if (plan.parts[i].first != plan.parts[i].total && adds_to(*cell, *plan.parts[i].first))
        if (std::vector<Position> around = corners(*cell); !around.empty())
          plot.cells.push_back({i, std::move(around)});
  return plot;
}

}  // namespace wmi::frontends
