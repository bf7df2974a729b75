#pragma once

#include <string>
#include <vector>

#include "frontends/plots/svg.h"
#include "solver/terms/interval.h"

namespace wmi::frontends {

/// A plane cut into convex cells, each of one of several kinds.
struct CellPlot {
  struct Cell {
    std::size_t kind;               // an index of `kinds`
    std::vector<Position> corners;  // in values, around the cell
  };

  std::string title;
  std::string across, up;  // labels of the axes
  Interval x, y;           // what is shown
  std::vector<std::string> kinds;
  std::vector<Cell> cells;
};

/// An SVG document with the cells coloured by their kind, their borders, and a legend.
std::string to_svg(const CellPlot& plot);

}  // namespace wmi::frontends
