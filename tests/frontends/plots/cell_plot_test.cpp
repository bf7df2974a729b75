#include "frontends/plots/cell_plot.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace wmi::frontends {
namespace {

TEST_CASE("cells are polygons of the colour of their kind, and the legend names the kinds") {
  CellPlot plot;
  plot.title = "two <kinds>";
  plot.across = "x";
  plot.up = "y";
  plot.x = {0, 2};
  plot.y = {0, 1};
  plot.kinds = {"left", "right"};
  plot.cells = {{0, {{0, 0}, {1, 0}, {0, 1}}}, {1, {{1, 0}, {2, 0}, {2, 1}}}};
  const std::string svg = to_svg(plot);
  CHECK(svg.find("two &lt;kinds&gt;") != std::string::npos);
  CHECK(svg.find(">left<") != std::string::npos);
  const auto count = [&](const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1))
      ++found;
    return found;
  };
  CHECK(count("class=\"cell c0\"") == 2);  // the cells and their swatch
  CHECK(count("class=\"cell c1\"") == 2);
}

}  // namespace
}  // namespace wmi::frontends
