#include "frontends/plots/surface.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/plots/svg.h"

namespace wmi::frontends {
namespace {

constexpr std::string_view style =
    "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:13px;fill:#333}"
    ".title{font-size:16px;fill:#111}"
    ".paper{fill:#fff}"
    ".axis{stroke:#555;stroke-width:1.2}"
    ".sheet{stroke:#0072b2;stroke-width:.6;stroke-linejoin:round}";

constexpr int width = 420, height = 360;   // of a panel
constexpr int steps_x = 24, steps_y = 36;  // of the mesh
constexpr double tall = 170;               // pixels of the highest point

/// A parallel projection from above a corner: x runs to the right, y away from the viewer.
struct View {
  double left;

  Position at(double x, double y, double up) const {
    const double across = left + 40 + 220 * x + 120 * y;
    const double down = 310 - 110 * y + 30 * x - 20 - tall * up;
    return {Rational(across), Rational(down)};
  }
};

/// The colour of a height, from pale to blue.
std::string shade(double up) {
  const auto mix = [&](int pale, int full) {
    return static_cast<int>(pale + (full - pale) * std::clamp(up, 0.0, 1.0));
  };
  return fmt::format("rgb({},{},{})", mix(238, 86), mix(245, 160), mix(250, 214));
}

void draw(Canvas& canvas, const Surface& surface, const View& view, double highest) {
  const auto x_at = [&](int i) {
    return surface.x_from + (surface.x_to - surface.x_from) * i / steps_x;
  };
  const auto y_at = [&](int j) {
    return surface.y_from + (surface.y_to - surface.y_from) * j / steps_y;
  };
  const auto up = [&](int i, int j) { return surface.height(x_at(i), y_at(j)) / highest; };
  const auto corner = [&](int i, int j) {
    return view.at(static_cast<double>(i) / steps_x, static_cast<double>(j) / steps_y, up(i, j));
  };
  const auto text = [&](double x, double y, int right, int down, const char* anchor,
                        const std::string& words) {
    const Position at = view.at(x, y, 0);
    canvas.text("tick", at.x + right, at.y + down, anchor, escaped(words));
  };
  for (int j = steps_y - 1; j >= 0; --j)  // back to front
    for (int i = 0; i < steps_x; ++i) {
      std::string points;
      for (const auto& [a, b] :
           {std::pair(i, j), std::pair(i + 1, j), std::pair(i + 1, j + 1), std::pair(i, j + 1)}) {
        const Position at = corner(a, b);
        points += fmt::format("{}{},{}", points.empty() ? "" : " ", pixels(at.x), pixels(at.y));
      }
      const double mean = (up(i, j) + up(i + 1, j) + up(i, j + 1) + up(i + 1, j + 1)) / 4;
      canvas.element("polygon", {{"class", "sheet"}, {"fill", shade(mean)}, {"points", points}});
    }
  const Position near = view.at(0, 0, 0), right = view.at(1, 0, 0), far = view.at(1, 1, 0);
  canvas.line("axis", near.x, near.y, right.x, right.y);
  canvas.line("axis", right.x, right.y, far.x, far.y);
  text(0, 0, 0, 18, "middle", typeset(fmt::format("{:g}", surface.x_from)));
  text(1, 0, -6, 20, "middle", typeset(fmt::format("{:g}", surface.x_to)));
  text(0.5, 0, -4, 22, "middle", surface.across);
  text(1, 0, 10, 8, "start", typeset(fmt::format("{:g}", surface.y_from)));
  text(1, 1, 10, 4, "start", typeset(fmt::format("{:g}", surface.y_to)));
  text(1, 0.5, 12, 8, "start", surface.along);
  canvas.text("caption", Rational(view.left + width / 2.0), 56, "middle", escaped(surface.title));
}

}  // namespace

std::string to_svg(const std::string& title, const std::vector<Surface>& surfaces) {
  const int wide = width * static_cast<int>(surfaces.size());
  Canvas canvas(wide, height, title, style, {{"role", "img"}});
  canvas.element("rect", {{"class", "paper"}, {"width", "100%"}, {"height", "100%"}});
  canvas.text("title", Rational(wide / 2), 24, "middle", escaped(title));
  double highest = 0;
  for (const Surface& surface : surfaces)
    for (int i = 0; i <= steps_x; ++i)
      for (int j = 0; j <= steps_y; ++j)
        highest = std::max(
            highest,
            surface.height(surface.x_from + (surface.x_to - surface.x_from) * i / steps_x,
                           surface.y_from + (surface.y_to - surface.y_from) * j / steps_y));
  for (std::size_t i = 0; i < surfaces.size(); ++i)
    draw(canvas, surfaces[i], {static_cast<double>(width) * static_cast<double>(i)}, highest);
  return canvas.finish();
}

}  // namespace wmi::frontends
