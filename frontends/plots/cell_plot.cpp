#include "frontends/plots/cell_plot.h"

#include <algorithm>
#include <array>

#include "frontends/common/line.h"

namespace wmi::frontends {
namespace {

// The colours are those of Okabe and Ito.
constexpr std::string_view style =
    "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:13px;fill:#333}"
    ".title{font-size:16px;fill:#111}"
    ".paper{fill:#fff}"
    ".axis{stroke:#555;stroke-width:1.2}"
    ".frame{fill:#f4f4f4;stroke:#555;stroke-width:1.2}"
    ".cell{stroke:#fff;stroke-width:.4;stroke-linejoin:round}"
    ".c0{fill:#9fb4c3}.c1{fill:#e69f00}.c2{fill:#56b4e9}.c3{fill:#d55e00}.c4{fill:#0072b2}"
    ".c5{fill:#009e73}.c6{fill:#cc79a7}.c7{fill:#f0e442}";

constexpr std::size_t colours = 8;
constexpr int width = 640, side = 520, left = 78, row = 22;
constexpr std::size_t longest_label = 72, longest_title = 76;

}  // namespace

std::string to_svg(const CellPlot& plot) {
  const int top = 44 + row * static_cast<int>(plot.kinds.size());
  const int right = width - 24, bottom = top + side;
  Canvas canvas(width, bottom + 58, one_line(plot.title), style, {{"role", "img"}});
  canvas.element("rect", {{"class", "paper"}, {"width", "100%"}, {"height", "100%"}});
  canvas.text("title", Rational(width / 2), 24, "middle",
              escaped(truncated(one_line(plot.title), longest_title)));
  const auto colour = [](std::size_t kind) { return "cell c" + std::to_string(kind % colours); };
  for (std::size_t kind = 0; kind < plot.kinds.size(); ++kind) {
    const int y = 40 + row * static_cast<int>(kind);
    canvas.polygon(colour(kind), {{left, y}, {left + 20, y}, {left + 20, y + 12}, {left, y + 12}});
    canvas.text("", left + 28, y + 11, "start",
                escaped(truncated(one_line(plot.kinds[kind]), longest_label)));
  }
  const Axis across = Axis::across(plot.x.lower, plot.x.upper, left, right, 7);
  const Axis up(plot.y.lower, plot.y.upper, bottom, top, 8);
  canvas.polygon("frame", {{left, top}, {right, top}, {right, bottom}, {left, bottom}});
  for (std::size_t kind = 0; kind < plot.kinds.size(); ++kind) {
    Path cells;  // one for all of a kind: they do not overlap, and thousands of tags are long
    for (const CellPlot::Cell& cell : plot.cells) {
      if (cell.kind != kind) continue;
      for (std::size_t i = 0; i < cell.corners.size(); ++i) {
        const Position at{across.at(cell.corners[i].x), up.at(cell.corners[i].y)};
        i == 0 ? cells.move_to(at) : cells.line_to(at);
      }
      cells.close();
    }
    if (!cells.data().empty()) canvas.path(colour(kind), cells);
  }
  for (const Rational& tick : across.ticks()) {
    canvas.line("axis", across.at(tick), bottom, across.at(tick), bottom + 5);
    canvas.text("", across.at(tick), bottom + 20, "middle", across.label(tick));
  }
  for (const Rational& tick : up.ticks()) {
    canvas.line("axis", left - 5, up.at(tick), left, up.at(tick));
    canvas.text("", left - 9, up.at(tick) + ratio(9, 2), "end", up.label(tick));
  }
  canvas.text("", Rational((left + right) / 2), bottom + 42, "middle",
              escaped(one_line(plot.across)) + across.unit());
  canvas.text("", 12, top - 8, "start", escaped(one_line(plot.up)) + up.unit());
  return canvas.finish();
}

}  // namespace wmi::frontends
