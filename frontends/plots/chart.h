#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wmi::frontends {

/// Colours that people tell apart whatever their colour vision.
enum class Hue { blue, orange, green, purple, grey };

/// What is drawn into a panel. Places that are no finite numbers are left out; there a line breaks.
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
  std::string label = {};  // in the legend; without one it is not there
  std::vector<double> x = {};
  std::vector<double> y = {};
  std::vector<double> upper = {};
};

struct Range {
  double from = 0;
  double to = 1;
};

/// Axes and what is between them, from the back to the front.
struct Panel {
  std::string title = {};
  std::string across = {};  // what the axes count
  std::string up = {};
  std::vector<Mark> marks = {};
  std::optional<Range> x = {};  // default: what the marks need, and a margin
  std::optional<Range> y = {};
};

/// A picture: panels side by side, a title and one legend.
struct Chart {
  std::string title;
  std::vector<Panel> panels;
  int width = 440;  // of a panel, in pixels: as wide as a phone, so that letters keep their size
  int height = 300;
  bool same_scale = false;  // of all panels
  bool headed = true;       // the title is drawn, not only told to readers of a screen
};

/// As an SVG document of its own. The same chart gives the same bytes.
std::string to_svg(const Chart& chart);

/// Rules of a style sheet for charts on dark paper, inside an element `main`.
std::string_view dark_chart_style();

}  // namespace wmi::frontends
