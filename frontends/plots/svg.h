#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "solver/terms/rational.h"

// What pictures are made of. Everything is computed in rationals and rounded to hundredths of a
// pixel when it is written, so that the bytes are the same everywhere.

namespace wmi::frontends {

/// `text` inside a tag or an attribute.
std::string escaped(std::string_view text);
/// At most so many characters of UTF-8, and dots where some are left out.
std::string shortened(const std::string& text, std::size_t most);
/// How many characters it shows, without tags.
std::size_t visible(const std::string& markup);
/// A number with a minus sign in place of a hyphen.
std::string typeset(std::string number);
/// Ten to this power.
std::string power_text(int exponent);
/// A length.
std::string pixels(const Rational& value);

/// A range of values with round numbers in it, to be laid out over pixels.
class Axis {
 public:
  Axis(const Rational& from, const Rational& to, const Rational& first_pixel,
       const Rational& last_pixel, int most_ticks);
  /// Across the picture: at most so many ticks, fewer where their labels are long.
  static Axis across(const Rational& from, const Rational& to, int left, int right, int most_ticks);

  Rational at(const Rational& value) const {
    return first_pixel_ + (value - from_) / (to_ - from_) * (last_pixel_ - first_pixel_);
  }
  const Rational& from() const { return from_; }
  const Rational& to() const { return to_; }
  const std::vector<Rational>& ticks() const { return ticks_; }
  std::string label(const Rational& tick) const;
  /// What is to be done to the labels to have the values; empty as a rule.
  std::string unit() const;

 private:
  Rational from_, to_, first_pixel_, last_pixel_;
  std::vector<Rational> ticks_;
  Rational offset_ = 0;
  int exponent_ = 0;
  int places_ = 0;
};

struct Place {
  Rational x, y;
};

/// An SVG document that is being written, in pixels. A kind is a class of its style sheet.
class Canvas {
 public:
  /// `attributes` of its outermost tag.
  Canvas(int width, int height, std::string_view title, std::string_view style,
         std::string_view attributes = {});

  void element(const std::string& markup) { out_ += markup + "\n"; }
  void text(std::string_view kind, const Rational& x, const Rational& y, std::string_view anchor,
            const std::string& words);
  void line(std::string_view kind, const Rational& x1, const Rational& y1, const Rational& x2,
            const Rational& y2);
  void path(std::string_view kind, const std::vector<Place>& places, bool closed = false);

  std::string finish() { return std::move(out_) + "</svg>\n"; }

 private:
  std::string out_;
};

}  // namespace wmi::frontends
