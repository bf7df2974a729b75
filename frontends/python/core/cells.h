#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "solver/geometry/halfspace.h"
#include "solver/terms/query.h"

namespace wmi::python {

/// A polytope on which the formula is true and the weight is one polynomial, in the same coordinates.
struct ListedCell {
  std::vector<Point> vertices;  // in two dimensions in order around it, else ascending
  Polynomial weight;
  Rational mass;  // the integral of the weight
};

struct ListedCells {
  std::vector<std::string> coordinates;  // the names of the reals
  std::vector<ListedCell> cells;         // disjoint for each choice of the Booleans
};

/// The cells of a task with one query, which asks for a WMI. Throws Error if a cell is unbounded,
/// GaveUp if one has too many vertices to list, and Stopped.
ListedCells list_cells(const Task& task, const std::stop_token& stop);

}  // namespace wmi::python
