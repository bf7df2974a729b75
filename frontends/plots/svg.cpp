#include "frontends/plots/svg.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "solver/terms/decimal.h"

namespace wmi::frontends {
namespace {

constexpr int character = 7;  // its approximate width in labels

Integer floor(const Rational& value) {
  Integer result;
  mpz_fdiv_q(result.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return result;
}
Integer ceiling(const Rational& value) { return -floor(-value); }

Rational power_of_ten(int exponent) {
  const Rational size = power(Rational(10), static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? Rational(1 / size) : size;
}

/// floor(log10(value)) for a positive value, 0 for others.
int order_of_magnitude(const Rational& value) {
  if (value <= 0) return 0;
  int exponent = static_cast<int>(mpz_sizeinbase(value.get_num_mpz_t(), 10)) -
                 static_cast<int>(mpz_sizeinbase(value.get_den_mpz_t(), 10));
  while (power_of_ten(exponent) > value) --exponent;
  while (power_of_ten(exponent + 1) <= value) ++exponent;
  return exponent;
}

/// Rounded to this many digits after the point: `-0.50`.
std::string fixed(const Rational& value, int positions) {
  const Integer scaled = floor(value * power_of_ten(positions) + ratio(1, 2));
  std::string digits = Integer(abs(scaled)).get_str();
  const auto after = static_cast<std::size_t>(positions);
  if (digits.size() <= after) digits.insert(0, after + 1 - digits.size(), '0');
  if (after > 0) digits.insert(digits.size() - after, ".");
  return (scaled < 0 ? "-" : "") + digits;
}

/// The value with the shortest decimal.
Rational roundest(const std::vector<Rational>& values) {
  return *std::ranges::min_element(values, {},
                                   [](const Rational& value) { return decimal(value, 30).size(); });
}

}  // namespace

std::string pixels(const Rational& value) {
  std::string result = fixed(value, 2);
  while (result.back() == '0') result.pop_back();
  if (result.back() == '.') result.pop_back();
  return result;
}

std::string escaped(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> replacements[] = {
      {"&", "&amp;"},
      {"<", "&lt;"},
      {">", "&gt;"},
      {"\"", "&quot;"},
      // XML forbids U+FFFE and U+FFFF.
      {"\xef\xbf\xbe", "\ufffd"},
      {"\xef\xbf\xbf", "\ufffd"}};
  std::string result;
  while (!text.empty()) {
    std::string_view from = text.substr(0, 1), to = from;
    for (const auto& replacement : replacements)
      if (text.starts_with(replacement.first)) std::tie(from, to) = replacement;
    result += to;
    text.remove_prefix(from.size());
  }
  return result;
}

std::string truncated(const std::string& text, std::size_t most) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) == 0x80) continue;
    if (++characters > most) return text.substr(0, i) + "\u2026";
  }
  return text;
}

std::size_t visible_length(const std::string& markup) {
  std::size_t count = 0;
  bool tag = false;
  for (const char c : markup) {
    if (c == '<') tag = true;
    if (!tag && (static_cast<unsigned char>(c) & 0xc0) != 0x80) ++count;
    if (c == '>') tag = false;
  }
  return count;
}

std::string typeset(std::string number) {
  if (number.starts_with("-")) number.replace(0, 1, "\u2212");
  return number;
}

std::string power_text(int exponent) {
  return "10<tspan dy=\"-5\" font-size=\"10\">" + typeset(std::to_string(exponent)) + "</tspan>";
}

Axis::Axis(const Rational& from, const Rational& to, const Rational& first_pixel,
           const Rational& last_pixel, int most_ticks)
    : from_(from), to_(to), first_pixel_(first_pixel), last_pixel_(last_pixel) {
  const Rational least = (to - from) / most_ticks;
  const int order = order_of_magnitude(least);
  Rational step = power_of_ten(order);
  for (const int factor : {1, 2, 5, 10})
    if (factor * power_of_ten(order) >= least) {
      step = factor * power_of_ten(order);
      break;
    }
  for (Integer i = ceiling(from / step); i * step <= to; ++i) ticks_.emplace_back(i * step);

  Rational largest = std::max(abs(ticks_.front()), abs(ticks_.back()));
  if (largest >= 1'000'000 * step) {  // too many digits: labels are differences from one tick
    offset_ = roundest(ticks_);
    largest = std::max(abs(ticks_.front() - offset_), abs(ticks_.back() - offset_));
  }
  const int magnitude = largest > 0 ? order_of_magnitude(largest) : 0;
  if (magnitude >= 5 || magnitude <= -4) exponent_ = magnitude;
  places_ = std::max(0, exponent_ - order_of_magnitude(step));
}

Axis Axis::across(const Rational& from, const Rational& to, int left, int right, int most_ticks) {
  for (int most = most_ticks; most > 3; --most) {
    Axis axis(from, to, left, right, most);
    std::size_t longest = 0;
    for (const Rational& tick : axis.ticks())
      longest = std::max(longest, visible_length(axis.label(tick)));
    if ((longest + 3) * character * axis.ticks().size() <= static_cast<std::size_t>(right - left))
      return axis;
  }
  return Axis(from, to, left, right, 3);
}

std::string Axis::label(const Rational& tick) const {
  return typeset(fixed((tick - offset_) / power_of_ten(exponent_), places_));
}

std::string Axis::unit() const {
  std::string steps;
  if (exponent_ != 0) steps += "\u00d7 " + power_text(exponent_) + "<tspan dy=\"5\">\u200b</tspan>";
  if (offset_ != 0) {
    if (!steps.empty()) steps += " ";
    steps += (offset_ < 0 ? "\u2212 " : "+ ") + decimal(abs(offset_), 30);
  }
  return steps.empty() ? "" : " (" + steps + ")";
}

Path::Path(const std::vector<Position>& points) {
  for (const Position& point : points) data_.empty() ? move_to(point) : line_to(point);
}

Path& Path::move_to(const Position& point) {
  data_ += "M" + pixels(point.x) + " " + pixels(point.y);
  return *this;
}
Path& Path::line_to(const Position& point) {
  data_ += "L" + pixels(point.x) + " " + pixels(point.y);
  return *this;
}
Path& Path::vertical_to(const Rational& y) {
  data_ += "V" + pixels(y);
  return *this;
}
Path& Path::dot(const Position& point) {
  move_to(point);
  data_ += "h0";
  return *this;
}
Path& Path::close() {
  data_ += "Z";
  return *this;
}

Canvas::Canvas(int width, int height, std::string_view title, std::string_view style,
               std::initializer_list<SvgAttribute> attributes) {
  const std::string wide = std::to_string(width), high = std::to_string(height);
  start("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                {"width", wide},
                {"height", high},
                {"viewBox", "0 0 " + wide + " " + high}});
  for (const SvgAttribute& attribute : attributes) add(attribute);
  out_ += ">\n<title>" + escaped(title) + "</title>\n<style>" + std::string(style) + "</style>\n";
}

void Canvas::add(const SvgAttribute& attribute) {
  out_.append(" ")
      .append(attribute.name)
      .append("=\"")
      .append(escaped(attribute.value))
      .append("\"");
}

void Canvas::start(std::string_view tag, std::initializer_list<SvgAttribute> attributes) {
  out_.append("<").append(tag);
  for (const SvgAttribute& attribute : attributes)
    if (!attribute.value.empty()) add(attribute);
}

void Canvas::element(std::string_view tag, std::initializer_list<SvgAttribute> attributes) {
  start(tag, attributes);
  out_ += "/>\n";
}
void Canvas::open(std::string_view tag, std::initializer_list<SvgAttribute> attributes) {
  start(tag, attributes);
  out_ += ">\n";
}
void Canvas::close(std::string_view tag) { out_.append("</").append(tag).append(">\n"); }

void Canvas::text(std::string_view kind, const Rational& x, const Rational& y,
                  std::string_view anchor, std::string_view markup) {
  start("text", {{"class", kind}, {"x", pixels(x)}, {"y", pixels(y)}, {"text-anchor", anchor}});
  out_.append(">").append(markup).append("</text>\n");
}
void Canvas::line(std::string_view kind, const Rational& x1, const Rational& y1, const Rational& x2,
                  const Rational& y2) {
  element("line", {{"class", kind},
                   {"x1", pixels(x1)},
                   {"y1", pixels(y1)},
                   {"x2", pixels(x2)},
                   {"y2", pixels(y2)}});
}
void Canvas::path(std::string_view kind, const Path& path) {
  element("path", {{"class", kind}, {"d", path.data()}});
}
void Canvas::polyline(std::string_view kind, const std::vector<Position>& points) {
  path(kind, Path(points));
}
void Canvas::polygon(std::string_view kind, const std::vector<Position>& corners) {
  path(kind, Path(corners).close());
}

}  // namespace wmi::frontends
