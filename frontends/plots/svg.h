#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/terms/rational.h"

// The one writer of SVG: text, numbers, axes and tags of all pictures. Everything is computed in
// rationals and rounded to hundredths of a pixel when it is written, so that the bytes are the same
// everywhere.

namespace wmi::frontends {

/// `text` with the characters escaped that mean something in XML and HTML.
std::string escaped(std::string_view text);
/// At most `most` characters of UTF-8, with an ellipsis if some are cut.
std::string truncated(const std::string& text, std::size_t most);
/// The number of characters of a text with markup, tags not counted.
std::size_t visible_length(const std::string& markup);
/// A number with a minus sign instead of a hyphen.
std::string typeset(std::string number);
/// 10 to this power, as markup.
std::string power_text(int exponent);
/// A length in pixels, rounded to hundredths.
///
///     pixels(ratio(1, 3));  // 0.33
std::string pixels(const Rational& value);

/// A range of values with round numbers as ticks, mapped to pixels.
class Axis {
 public:
  Axis(const Rational& from, const Rational& to, const Rational& first_pixel,
       const Rational& last_pixel, int most_ticks);
  /// A horizontal axis: at most `most_ticks` ticks, fewer where their labels are long.
  static Axis across(const Rational& from, const Rational& to, int left, int right, int most_ticks);

  /// The pixel of a value.
  Rational at(const Rational& value) const {
    return first_pixel_ + (value - from_) / (to_ - from_) * (last_pixel_ - first_pixel_);
  }
  const Rational& from() const { return from_; }
  const Rational& to() const { return to_; }
  const std::vector<Rational>& ticks() const { return ticks_; }
  std::string label(const Rational& tick) const;
  /// The factor and offset of the labels, as markup: ` (x 10^6 + 5)`; usually empty.
  std::string unit() const;

 private:
  Rational from_, to_, first_pixel_, last_pixel_;
  std::vector<Rational> ticks_;
  Rational offset_ = 0;
  int exponent_ = 0;
  int places_ = 0;  // digits after the point of a label
};

/// A point of a picture, in pixels, or of a curve, in values.
struct Position {
  Rational x, y;
};

/// The `d` attribute of a path.
class Path {
 public:
  Path() = default;
  /// A line through these points.
  explicit Path(const std::vector<Position>& points);

  Path& move_to(const Position& point);
  Path& line_to(const Position& point);
  Path& vertical_to(const Rational& y);
  /// A line of length 0, which round ends make a dot.
  Path& dot(const Position& point);
  Path& close();

  const std::string& data() const { return data_; }

 private:
  std::string data_;
};

struct SvgAttribute {
  std::string_view name;
  std::string_view value;
};

/// An SVG document in the making, in pixels. `kind` is a class of its style sheet.
///
///     Canvas canvas(100, 50, "a line", ".axis{stroke:#555}");
///     canvas.line("axis", 10, 25, 90, 25);
///     const std::string svg = canvas.finish();
class Canvas {
 public:
  /// `attributes` of its outermost tag, besides its size.
  Canvas(int width, int height, std::string_view title, std::string_view style,
         std::initializer_list<SvgAttribute> attributes = {});

  /// `<tag name="value" ... />`
  void element(std::string_view tag, std::initializer_list<SvgAttribute> attributes);
  /// The same without the end: what follows until `close` is inside.
  void open(std::string_view tag, std::initializer_list<SvgAttribute> attributes);
  void close(std::string_view tag);

  /// `markup` is escaped text, perhaps with tspan tags.
  void text(std::string_view kind, const Rational& x, const Rational& y, std::string_view anchor,
            std::string_view markup);
  void line(std::string_view kind, const Rational& x1, const Rational& y1, const Rational& x2,
            const Rational& y2);
  void path(std::string_view kind, const Path& path);
  void polyline(std::string_view kind, const std::vector<Position>& points);
  void polygon(std::string_view kind, const std::vector<Position>& corners);

  std::string finish() { return std::move(out_) + "</svg>\n"; }

 private:
  void add(const SvgAttribute& attribute);
  /// Attributes with an empty value are left out.
  void start(std::string_view tag, std::initializer_list<SvgAttribute> attributes);

  std::string out_;
};

}  // namespace wmi::frontends
