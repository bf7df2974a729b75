#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wmi::frontends {

/// Colours that are distinct under all common forms of colour blindness.
enum class Hue { blue, orange, green, purple, grey };

/// Data drawn in a panel. Points that are not finite are left out, and break a line.
struct Mark {
  enum class Kind {
    line,      ///< through (x, y)
    dashes,    ///< likewise
    band,      ///< from y to upper
    dots,      ///< at (x, y)
    bars,      ///< of height y, from each x to the next: one more of these
    whiskers,  ///< at x, from y to upper
  };
  Kind kind;
  Hue hue = Hue::blue;
  std::string label = {};  // in the legend; empty: not listed
  std::vector<double> x = {};
  std::vector<double> y = {};
  std::vector<double> upper = {};
};

struct Range {
  double from = 0;
  double to = 1;
};

/// A pair of axes and the marks between them, back to front.
struct Panel {
  std::string title = {};
  std::string across = {};  // labels of the axes
  std::string up = {};
  std::vector<Mark> marks = {};
  std::optional<Range> x = {};  // default: the range of the marks, with a margin
  std::optional<Range> y = {};
};

/// A picture: panels side by side, a title and one legend.
struct Chart {
  std::string title;
  std::vector<Panel> panels;
  int width = 440;  // of a panel, in pixels: a phone shows it without scaling
  int height = 300;
  bool same_scale = false;  // of all panels
  bool headed = true;       // draw the title; it is always there for screen readers
};

/// The chart as an SVG document. The same chart gives the same bytes.
std::string to_svg(const Chart& chart);

/// CSS rules for charts on a dark background, inside an element `main`.
std::string_view dark_chart_style();

}  // namespace wmi::frontends
