#include "frontends/plots/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "frontends/common/line.h"
#include "frontends/plots/svg.h"

namespace wmi::frontends {
namespace {

// The colours are those of Okabe and Ito. All rules are confined to .chart: a page has several.
constexpr std::string_view style =
    ".chart text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:13px;fill:#333}"
    ".chart .title{font-size:16px;fill:#111}"
    ".chart .caption{fill:#111}"
    ".chart .paper{fill:#fff}"
    ".chart .grid{stroke:#e7e7e7;stroke-width:1}"
    ".chart .axis{stroke:#555;stroke-width:1.2}"
    ".chart .line{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}"
    ".chart .dashes{fill:none;stroke:currentColor;stroke-width:1.6;stroke-dasharray:6 4}"
    ".chart .band{fill:currentColor;fill-opacity:.22}"
    ".chart .dots{fill:none;stroke:currentColor;stroke-width:5;stroke-linecap:round;"
    "stroke-opacity:.8}"
    ".chart .bars{fill:currentColor;fill-opacity:.5;stroke:currentColor;stroke-width:1}"
    ".chart .whiskers{fill:none;stroke:currentColor;stroke-width:1.4;stroke-opacity:.55}"
    ".chart .blue{color:#0072b2}"
    ".chart .orange{color:#d55e00}"
    ".chart .green{color:#009e73}"
    ".chart .purple{color:#cc79a7}"
    ".chart .grey{color:#666}";

constexpr std::string_view dark_style =
    "main .chart text,main .chart .caption,main .chart .title{fill:#ccc}"
    "main .chart .paper{fill:none}"
    "main .chart .grid{stroke:#333}"
    "main .chart .axis{stroke:#999}"
    "main .chart .blue{color:#56b4e9}"
    "main .chart .orange{color:#e69f00}"
    "main .chart .grey{color:#aaa}";

constexpr std::array hues{"blue", "orange", "green", "purple", "grey"};
constexpr std::array kinds{"line", "dashes", "band", "dots", "bars", "whiskers"};

constexpr int character = 7;  // its approximate width
constexpr int row = 20;       // the height of a line of text
constexpr int margin = 12;
constexpr std::size_t longest_label = 40;  // in the legend
constexpr double most = 1e300;             // larger values are not drawn

std::string kind_of(const Mark& mark) {
  return std::string(kinds[static_cast<std::size_t>(mark.kind)]) + " " +
         hues[static_cast<std::size_t>(mark.hue)];
}

bool drawn(double value) { return std::abs(value) <= most; }

// --- ranges ---------------------------------------------------------------------------------

/// The smallest and largest of some numbers.
class Span {
 public:
  void add(double value) {
    if (!drawn(value)) return;
    from_ = any_ ? std::min(from_, value) : value;
    to_ = any_ ? std::max(to_, value) : value;
    any_ = true;
  }
  /// With a margin of this fraction on both sides; never empty.
  Range padded(double part) const {
    if (!any_) return {0, 1};
    const double size = to_ - from_;
    const double room =
        size > 0 && from_ + size > from_ ? size * part : std::max(std::abs(from_) / 8, 1e-9);
    return {from_ - room, to_ + room};
  }

 private:
  bool any_ = false;
  double from_ = 0, to_ = 0;
};

Range x_range(std::span<const Panel> panels) {
  Span span;
  bool edge = true;  // lines and bars may touch the edge
  for (const Panel& panel : panels) {
    if (panel.x) return *panel.x;
    for (const Mark& mark : panel.marks) {
      for (const double x : mark.x) span.add(x);
      if (mark.kind == Mark::Kind::dots || mark.kind == Mark::Kind::whiskers) edge = false;
    }
  }
  const Range tight = span.padded(0);
  return edge && tight.from < tight.to ? tight : span.padded(0.04);
}

Range y_range(std::span<const Panel> panels) {
  Span span;
  bool bars = false;
  for (const Panel& panel : panels) {
    if (panel.y) return *panel.y;
    for (const Mark& mark : panel.marks) {
      for (const double y : mark.y) span.add(y);
      for (const double y : mark.upper) span.add(y);
      bars = bars || mark.kind == Mark::Kind::bars;
    }
  }
  if (bars) span.add(0);
  const Range padded = span.padded(0.06);
  return bars ? Range{0, padded.to} : padded;
}

// --- the picture ----------------------------------------------------------------------------

struct Frame {
  int left, right, top, bottom;
};

class Drawing {
 public:
  explicit Drawing(const Chart& chart)
      : chart_(chart),
        width_(chart.width * static_cast<int>(chart.panels.size())),
        legend_(legend()),
        top_((chart.headed ? 34 : 4) + row * static_cast<int>(legend_.size())),
        canvas_(width_, top_ + chart.height, one_line(chart.title), style,
                {{"class", "chart"}, {"role", "img"}}) {
    canvas_.element("rect", {{"class", "paper"}, {"width", "100%"}, {"height", "100%"}});
    if (chart.headed)
      canvas_.text("title", Rational(width_ / 2), 24, "middle",
                   escaped(truncated(one_line(chart.title),
                                     static_cast<std::size_t>(width_ - 2 * margin) / 8)));
    draw_legend();
    for (std::size_t i = 0; i < chart.panels.size(); ++i) draw(i);
  }

  std::string finish() { return canvas_.finish(); }

 private:
  static Rational exact(double value) { return Rational(value); }

  // The legend: the label of each mark once, wrapped into rows.
  using Row = std::vector<const Mark*>;
  static std::string label_of(const Mark& mark) {
    return escaped(truncated(one_line(mark.label), longest_label));
  }
  static int entry_width(const Mark& mark) {
    return 26 + static_cast<int>(visible_length(label_of(mark))) * character + 20;
  }
  std::vector<Row> legend() const {
    std::vector<Row> rows;
    std::vector<std::string> seen;
    int used = 0;
    for (const Panel& panel : chart_.panels)
      for (const Mark& mark : panel.marks) {
        if (mark.label.empty() || std::ranges::find(seen, mark.label) != seen.end()) continue;
        seen.push_back(mark.label);
        if (rows.empty() || used + entry_width(mark) > width_ - 2 * margin) {
          rows.emplace_back();
          used = 0;
        }
        rows.back().push_back(&mark);
        used += entry_width(mark);
      }
    return rows;
  }
  void draw_legend() {
    int y = top_ - row * static_cast<int>(legend_.size()) + 14;
    for (const Row& entries : legend_) {
      int total = 0;
      for (const Mark* mark : entries) total += entry_width(*mark);
      int x = std::max(margin, (width_ - total) / 2);
      for (const Mark* mark : entries) {
        swatch(*mark, x, y - 4);
        canvas_.text("", x + 26, y, "start", label_of(*mark));
        x += entry_width(*mark);
      }
      y += row;
    }
  }
  void swatch(const Mark& mark, int x, int y) {
    const std::string kind = kind_of(mark);
    switch (mark.kind) {
      case Mark::Kind::line:
      case Mark::Kind::dashes:
        canvas_.polyline(kind, {{x, y}, {x + 20, y}});
        break;
      case Mark::Kind::band:
      case Mark::Kind::bars:
        canvas_.polygon(kind, {{x, y - 5}, {x + 20, y - 5}, {x + 20, y + 5}, {x, y + 5}});
        break;
      case Mark::Kind::dots:
        canvas_.polyline(kind, {{x + 10, y}, {x + 10, y}});
        break;
      case Mark::Kind::whiskers:
        canvas_.polyline(kind, {{x + 10, y - 6}, {x + 10, y + 6}});
        break;
    }
  }

  void draw(std::size_t index) {
    const Panel& panel = chart_.panels[index];
    const std::span<const Panel> alike = chart_.same_scale ? std::span<const Panel>(chart_.panels)
                                                           : std::span<const Panel>(&panel, 1);
    const Range xs = x_range(alike), ys = y_range(alike);
    const int left = chart_.width * static_cast<int>(index);
    Frame frame{left + margin, left + chart_.width - margin - 6, top_ + 12,
                top_ + chart_.height - 50};
    if (!panel.title.empty()) {
      canvas_.text("caption", Rational(left + chart_.width / 2), frame.top + 4, "middle",
                   escaped(truncated(one_line(panel.title),
                                     static_cast<std::size_t>(chart_.width - 20) / character)));
      frame.top += row;
    }
    if (!panel.up.empty()) frame.top += row;
    const Axis up(exact(ys.from), exact(ys.to), frame.bottom, frame.top, 6);
    std::size_t longest = 1;
    for (const Rational& tick : up.ticks())
      longest = std::max(longest, visible_length(up.label(tick)));
    frame.left += static_cast<int>(longest) * character + 12;
    const Axis across = Axis::across(exact(xs.from), exact(xs.to), frame.left, frame.right, 7);

    for (const Rational& tick : across.ticks())
      canvas_.line("grid", across.at(tick), frame.top, across.at(tick), frame.bottom);
    for (const Rational& tick : up.ticks()) {
      canvas_.line("grid", frame.left, up.at(tick), frame.right, up.at(tick));
      canvas_.text("", frame.left - 8, up.at(tick) + ratio(9, 2), "end", up.label(tick));
    }
    // An inner svg clips at the frame without an id, which a page with many charts would repeat.
    const std::string x = std::to_string(frame.left), y = std::to_string(frame.top),
                      width = std::to_string(frame.right - frame.left),
                      height = std::to_string(frame.bottom - frame.top);
    canvas_.open("svg", {{"x", x},
                         {"y", y},
                         {"width", width},
                         {"height", height},
                         {"viewBox", x + " " + y + " " + width + " " + height}});
    for (const Mark& mark : panel.marks) draw(mark, across, up);
    canvas_.close("svg");
    canvas_.line("axis", frame.left, frame.top, frame.left, frame.bottom);
    canvas_.line("axis", frame.left, frame.bottom, frame.right, frame.bottom);
    for (const Rational& tick : across.ticks()) {
      canvas_.line("axis", across.at(tick), frame.bottom, across.at(tick), frame.bottom + 5);
      canvas_.text("", across.at(tick), frame.bottom + 20, "middle", across.label(tick));
    }
    const auto fitted = [&](const std::string& words) {
      return escaped(truncated(one_line(words),
                               static_cast<std::size_t>(frame.right - frame.left) / character));
    };
    if (!panel.up.empty())
      canvas_.text("caption", left + margin, frame.top - 12, "start", fitted(panel.up) + up.unit());
    if (!panel.across.empty())
      canvas_.text("caption", Rational((frame.left + frame.right) / 2), frame.bottom + 41, "middle",
                   fitted(panel.across) + across.unit());
  }

  void draw(const Mark& mark, const Axis& across, const Axis& up) {
    const std::string kind = kind_of(mark);
    const bool two = mark.kind == Mark::Kind::band || mark.kind == Mark::Kind::whiskers;
    const auto position = [&](double x, double y) {
      return Position{across.at(exact(x)), up.at(exact(y))};
    };
    if (mark.kind == Mark::Kind::bars) {
      for (std::size_t i = 0; i < mark.y.size(); ++i)
        if (drawn(mark.x[i]) && drawn(mark.x[i + 1]) && drawn(mark.y[i]))
          canvas_.polygon(kind, {position(mark.x[i], 0), position(mark.x[i], mark.y[i]),
                                 position(mark.x[i + 1], mark.y[i]), position(mark.x[i + 1], 0)});
      return;
    }
    // Lines and bands break where a number is not finite; dots and whiskers are one path.
    Path strokes;
    std::vector<Position> lower, upper;
    const auto finish = [&] {
      if (lower.empty()) return;
      if (mark.kind == Mark::Kind::band) {
        lower.insert(lower.end(), upper.rbegin(), upper.rend());
        canvas_.polygon(kind, lower);
      } else {
        canvas_.polyline(kind, lower);
      }
      lower.clear();
      upper.clear();
    };
    for (std::size_t i = 0; i < mark.x.size(); ++i) {
      if (!drawn(mark.x[i]) || !drawn(mark.y[i]) || (two && !drawn(mark.upper[i]))) {
        finish();
        continue;
      }
      const Position at = position(mark.x[i], mark.y[i]);
      if (mark.kind == Mark::Kind::dots) {
        strokes.dot(at);
      } else if (mark.kind == Mark::Kind::whiskers) {
        strokes.move_to(at).vertical_to(up.at(exact(mark.upper[i])));
      } else {
        lower.push_back(at);
        if (two) upper.push_back(position(mark.x[i], mark.upper[i]));
      }
    }
    finish();
    if (!strokes.data().empty()) canvas_.path(kind, strokes);
  }

  const Chart& chart_;
  const int width_;
  const std::vector<Row> legend_;
  const int top_;
  Canvas canvas_;
};

}  // namespace

std::string to_svg(const Chart& chart) { return Drawing(chart).finish(); }

std::string_view dark_chart_style() { return dark_style; }

}  // namespace wmi::frontends
