// Pieces of degree 0 and 1 are drawn exactly, as line segments; others through a point for every
// two pixels.

#include "frontends/plots/plot.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "frontends/common/line.h"
#include "frontends/plots/svg.h"
#include "solver/terms/decimal.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr int width = 720, height = 600;
constexpr int left = 76, right = 644;  // of both panels
constexpr int character = 7;           // its approximate width in labels
constexpr std::size_t longest_title = 76;
constexpr std::size_t most_dots = 40;  // laws with more point masses are drawn without dots

constexpr std::string_view ink = "#1f4e79", accent = "#b5341f";

constexpr std::string_view style =
    "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:13px;fill:#333}"
    ".title{font-size:17px;fill:#111}"
    ".caption{font-size:14px;fill:#111}"
    ".grid{stroke:#e7e7e7;stroke-width:1}"
    ".axis{stroke:#555;stroke-width:1.2}"
    ".curve{fill:none;stroke:#1f4e79;stroke-width:2;stroke-linejoin:round}"
    ".arrow{fill:#1f4e79}"
    ".area{fill:#1f4e79;fill-opacity:.12}"
    ".jump{stroke:#1f4e79;stroke-width:1.2;stroke-dasharray:3 3}"
    ".stem{stroke:#b5341f;stroke-width:2.2}"
    ".mass{fill:#b5341f}";

/// The exact fraction if it is short, else four digits.
std::string short_number(const Rational& value) {
  const std::string exact = to_string(value);
  if (exact.size() <= 7) return typeset(exact);
  const std::string rounded = decimal(value, 4);
  const std::size_t e = rounded.find('e');
  if (e == std::string::npos) return typeset(rounded);
  return typeset(rounded.substr(0, e)) + " \u00d7 " + power_text(std::stoi(rounded.substr(e + 1)));
}

// --- the picture ----------------------------------------------------------------------------

class Figure {
 public:
  Figure(const Law& law, std::string_view title)
      : law_(law), canvas_(width, height, one_line(std::string(title)), style) {
    const std::string line = one_line(std::string(title));
    canvas_.element("rect", {{"width", "100%"}, {"height", "100%"}, {"fill", "#fff"}});
    text("title", (left + right) / 2, 30, "middle", escaped(truncated(line, longest_title)));
    const Axis across = horizontal();
    density_panel(across);
    distribution_panel(across);
  }

  std::string finish() { return canvas_.finish(); }

 private:
  void text(std::string_view kind, const Rational& x, const Rational& y, std::string_view anchor,
            const std::string& words) {
    canvas_.text(kind, x, y, anchor, words);
  }
  void line(std::string_view kind, const Rational& x1, const Rational& y1, const Rational& x2,
            const Rational& y2) {
    canvas_.line(kind, x1, y1, x2, y2);
  }
  void dot(const Rational& x, const Rational& y, std::string_view color, bool filled) {
    canvas_.element("circle", {{"cx", pixels(x)},
                               {"cy", pixels(y)},
                               {"r", "4"},
                               {"fill", filled ? color : "#fff"},
                               {"stroke", color},
                               {"stroke-width", "1.6"}});
  }
  // Axes.
  Axis horizontal() const {
    const Interval support = law_.support();
    const Rational length = support.upper - support.lower;
    const Rational margin = length > 0 ? Rational(length / 16) : Rational(1);
    const Rational from = support.lower - margin, to = support.upper + margin;
    return Axis::across(from, to, left, right, 8);
  }
  void frame(const Axis& across, const Axis& up, int top, int bottom) {
    for (const Rational& tick : across.ticks())
      line("grid", across.at(tick), top, across.at(tick), bottom);
    for (const Rational& tick : up.ticks()) {
      line("grid", left, up.at(tick), right, up.at(tick));
      text("", left - 8, up.at(tick) + ratio(9, 2), "end", up.label(tick));
    }
  }
  void axes(const Axis& across, const Axis& up, int top, int bottom) {
    line("axis", left, top, left, bottom);
    line("axis", left, up.at(0), right, up.at(0));
    if (up.from() < 0) line("axis", left, bottom, right, bottom);
    for (const Rational& tick : across.ticks())
      line("axis", across.at(tick), bottom, across.at(tick), bottom + 5);
  }

  /// The values at which a polynomial of this degree is drawn on an interval.
  static std::vector<Rational> stations(const Rational& from, const Rational& to,
                                        std::size_t degree, const Axis& across) {
    int count = 1;
    if (degree > 1)
      count = std::clamp(static_cast<int>(Rational((across.at(to) - across.at(from)) / 2).get_d()),
                         8, 240);
    std::vector<Rational> result;
    for (int i = 0; i <= count; ++i) result.emplace_back(from + ratio(i, count) * (to - from));
    return result;
  }

  void density_panel(const Axis& across) {
    constexpr int top = 80, bottom = 308;
    const bool dense = !law_.pieces().empty(), atoms = !law_.atoms().empty();
    std::vector<Position> curve;  // in values
    Rational least = 0, most = 0;
    Rational broad = 0;  // the maximum over pieces wider than a pixel
    for (const Piece& piece : law_.pieces()) {
      if (curve.empty() || curve.back().x != piece.from) {
        if (!curve.empty()) curve.push_back({curve.back().x, 0});
        curve.push_back({piece.from, 0});
      }
      for (const Rational& x : stations(piece.from, piece.to, piece.density.degree(), across)) {
        curve.push_back({x, piece.density.at(x)});
        least = std::min(least, curve.back().y);
        most = std::max(most, curve.back().y);
        if (across.at(piece.to) - across.at(piece.from) > 1)
          broad = std::max(broad, curve.back().y);
      }
    }
    if (dense) curve.push_back({curve.back().x, 0});
    const bool cut = broad > 0 && most > 8 * broad;
    if (cut) most = broad;

    Rational lightest = 0, heaviest = 0;
    for (const PointMass& atom : law_.atoms()) {
      lightest = std::min(lightest, atom.mass);
      heaviest = std::max(heaviest, atom.mass);
    }
    if (!dense) {
      least = lightest;
      most = heaviest;
    }
    // Both scales have their 0 at the same height; `below` is the part of a scale below it.
    const Rational room = ratio(9, 8);
    Rational below = most > least ? Rational(-least / (most - least)) : Rational(0);
    if (atoms) below = std::max(below, Rational(-lightest / (heaviest - lightest)));
    below = std::min(below, ratio(9, 10));
    const auto scale = [&](const Rational& low, const Rational& high, int ticks) {
      const Rational size = low < 0 ? std::max(high, Rational(low * (below - 1) / below)) : high;
      return Axis(ratio(5, 4) * size * below / (below - 1), room * size, bottom, top, ticks);
    };
    const Axis up = scale(least, most, 6);
    frame(across, up, top, bottom);
    text("caption", left - 8, top - 14, "start", (dense ? "density" : "mass") + up.unit());
    if (dense) {
      std::vector<Position> drawn;
      drawn.reserve(curve.size());
      for (const Position& point : curve)
        drawn.push_back({across.at(point.x), up.at(std::min(point.y, up.to()))});
      canvas_.polygon("area", drawn);
      axes(across, up, top, bottom);
      canvas_.polyline("curve", drawn);
      if (cut) arrows(across, up);
    } else {
      axes(across, up, top, bottom);
    }
    if (atoms) {
      const Axis masses = dense ? scale(lightest, heaviest, 5) : up;
      if (dense) mass_axis(masses, top, bottom);
      stems(across, masses, top);
    }
  }

  /// Marks narrow pieces that are cut off at the top.
  void arrows(const Axis& across, const Axis& up) {
    for (const Piece& piece : law_.pieces()) {
      const Rational height = std::max(piece.density.at(piece.from), piece.density.at(piece.to));
      if (height <= up.to()) continue;
      const Rational x = across.at((piece.from + piece.to) / 2), y = up.at(up.to());
      canvas_.polygon("arrow", {{x - 5, y + 1}, {x, y - 9}, {x + 5, y + 1}});
      text("", x + 9, y, "start", "to " + short_number(height));
    }
  }

  void mass_axis(const Axis& masses, int top, int bottom) {
    line("axis", right, top, right, bottom);
    for (const Rational& tick : masses.ticks()) {
      line("axis", right, masses.at(tick), right + 5, masses.at(tick));
      text("mass", right + 9, masses.at(tick) + ratio(9, 2), "start", masses.label(tick));
    }
    text("caption mass", right + 9, top - 14, "end", "point mass" + masses.unit());
  }

  /// Labels the heaviest first, and others where there is room.
  void stems(const Axis& across, const Axis& masses, int top) {
    std::vector<PointMass> atoms = law_.atoms();
    const bool dots = atoms.size() <= most_dots;
    for (const PointMass& atom : atoms) {
      const Rational x = across.at(atom.at), y = masses.at(atom.mass);
      line("stem", x, masses.at(0), x, y);
      if (dots) dot(x, y, accent, true);
    }
    std::stable_sort(atoms.begin(), atoms.end(), [](const PointMass& a, const PointMass& b) {
      return abs(a.mass) > abs(b.mass);
    });
    std::vector<Position> taken;  // intervals of x, from and to
    for (const PointMass& atom : atoms) {
      const std::string label = short_number(atom.mass);
      const Rational half = ratio(static_cast<int>(visible_length(label)) * character, 2) + 3;
      const Rational x = across.at(atom.at);
      const Rational from = x - half, to = x + half;
      if (std::ranges::any_of(taken, [&](const Position& t) { return from < t.y && t.x < to; }))
        continue;
      taken.push_back({from, to});
      const Rational y = masses.at(atom.mass);
      text("mass", x,
           atom.mass > 0 ? std::max(Rational(y - 10), Rational(top + 4)) : Rational(y + 19),
           "middle", label);
    }
  }

  void distribution_panel(const Axis& across) {
    constexpr int top = 362, bottom = 540;
    // The function is constant between pieces and jumps at atoms; `runs` are its continuous parts.
    std::vector<std::vector<Position>> runs(1);
    Rational level = 0, least = 0, most = 0;
    const auto go = [&](const Rational& x, const Rational& y) {
      runs.back().push_back({x, y});
      least = std::min(least, y);
      most = std::max(most, y);
    };
    go(across.from(), 0);
    auto atom = law_.atoms().begin();
    const auto jump = [&] {
      go(atom->at, level);
      level += atom->mass;
      runs.emplace_back();
      go(atom->at, level);
      ++atom;
    };
    for (const Piece& piece : law_.pieces()) {
      const Univariate integral = piece.density.antiderivative();
      Rational from = piece.from;
      const auto follow = [&](const Rational& to) {
        const Rational base = level - integral.at(from);
        for (const Rational& x : stations(from, to, integral.degree(), across))
          go(x, base + integral.at(x));
        level = base + integral.at(to);
        from = to;
      };
      while (atom != law_.atoms().end() && atom->at <= piece.from) jump();
      while (atom != law_.atoms().end() && atom->at < piece.to) {
        follow(atom->at);
        jump();
      }
      follow(piece.to);
    }
    while (atom != law_.atoms().end()) jump();
    go(across.to(), level);

    const Rational room = (most - least) / 12;
    const Axis up(least < 0 ? Rational(least - room) : Rational(0), most + room, bottom, top, 6);
    frame(across, up, top, bottom);
    text("caption", left - 8, top - 14, "start", "distribution function" + up.unit());
    axes(across, up, top, bottom);
    for (const Rational& tick : across.ticks())
      text("", across.at(tick), bottom + 21, "middle", across.label(tick));
    text("caption", (left + right) / 2, bottom + 46, "middle", "value" + across.unit());

    const bool dots = law_.atoms().size() <= most_dots;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      std::vector<Position> drawn;
      for (const Position& point : runs[i]) drawn.push_back({across.at(point.x), up.at(point.y)});
      if (i > 0) {
        const Rational before = up.at(runs[i - 1].back().y);
        line("jump", drawn.front().x, before, drawn.front().x, drawn.front().y);
      }
      canvas_.polyline("curve", drawn);
    }
    for (std::size_t i = 1; dots && i < runs.size(); ++i) {
      const Position& start = runs[i].front();
      dot(across.at(start.x), up.at(runs[i - 1].back().y), ink, false);
      dot(across.at(start.x), up.at(start.y), ink, true);
    }
  }

  const Law& law_;
  Canvas canvas_;
};

}  // namespace

std::string plot(const Law& law, std::string_view title) {
  if (law.zero()) throw Error("there is nothing to plot: the law has no mass");
  return Figure(law, title).finish();
}

}  // namespace wmi::frontends
