#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontends/ciber/verify/verification_problem.h"
#include "solver/enumerators/cell.h"
#include "solver/geometry/halfspace.h"
#include "solver/terms/interval.h"

namespace wmi::frontends {

/// A point that has the property: a counterexample to the safety of the network. The network was run
/// on it in exact numbers, and the property evaluated exactly.
struct Witness {
  std::vector<Rational> inputs;
  std::vector<std::pair<std::string, Rational>> weights;  // unknown ones
  std::vector<Interval> outputs;  // points, unless the network has smooth layers
};

/// Checks a point: the values of the unknowns in their order. Nullopt if it does not certainly have
/// the property. Requires a network without dropout masks.
std::optional<Witness> check_witness(const VerificationProblem& problem, const Point& unknowns);

/// The same for a point near this one with few decimals, if there is one that has the property.
std::optional<Witness> find_witness(const VerificationProblem& problem, const Point& unknowns);

/// A point in the interior of a cell, and the size of a box around the cell (as a logarithm), by
/// which cells of one search can be compared. Nullopt for a cell that is open or flat; throws
/// Unbounded for one that is unbounded.
struct InteriorPoint {
  Point point;
  double log_volume;
};
std::optional<InteriorPoint> interior_point(const Cell& cell);

/// The size of a box around a cell in doubles, as `interior_point` compares it.
double log_volume(const EnclosedCell& cell);

/// The vertices of a cell in doubles, in the coordinates of the problem: the midpoints of their
/// enclosures.
std::vector<Point> vertices_of(const EnclosedCell& cell);

}  // namespace wmi::frontends
