#include "frontends/plots/chart.h"

#include <doctest/doctest.h>

#include <limits>
#include <regex>

#include "tests/markup.h"

using namespace wmi::frontends;

namespace {

using Kind = Mark::Kind;

Chart simple(Mark mark) {
  return {.title = "t", .panels = {{.across = "x", .up = "y", .marks = {std::move(mark)}}}};
}

/// The numbers behind `class="KIND..." d="`, of the first such path.
std::vector<double> path(const std::string& svg, const std::string& kind) {
  std::vector<double> result;
  const std::string inner = svg.substr(svg.find("<svg x="));
  const std::size_t at = inner.find("class=\"" + kind);
  if (at == std::string::npos) return result;
  const std::size_t from = inner.find("d=\"", at) + 3;
  const std::string data = inner.substr(from, inner.find('"', from) - from);
  const std::regex number("-?[0-9.]+");
  for (std::sregex_iterator i(data.begin(), data.end(), number), end; i != end; ++i)
    result.push_back(std::stod(i->str()));
  return result;
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("a chart is well-formed XML for any text") {
  Chart chart = simple({Kind::line, Hue::blue, "a < b & \"c\"", {0, 1}, {1, 2}});
  chart.title = "<script>alert('x')</script> \x1b[31m & more";
  chart.panels[0].title = "<>";
  chart.panels[0].across = "&amp;";
  const std::string svg = to_svg(chart);
  CHECK(well_formed(svg));
  CHECK(count(svg, "<script") == 0);
  CHECK(count(svg, "\x1b") == 0);
  CHECK(count(svg, "a &lt; b &amp; &quot;c&quot;") == 1);
}

TEST_CASE("points are drawn where the axes place them") {
  Chart chart = simple({Kind::line, Hue::blue, "", {0, 1, 2}, {10, 20, 40}});
  chart.panels[0].x = Range{0, 2};
  chart.panels[0].y = Range{10, 40};
  const std::string svg = to_svg(chart);
  const std::vector<double> drawn = path(svg, "line");
  REQUIRE(drawn.size() == 6);
  CHECK(drawn[2] == doctest::Approx((drawn[0] + drawn[4]) / 2));
  CHECK(drawn[3] == doctest::Approx(drawn[1] + (drawn[5] - drawn[1]) / 3).epsilon(1e-4));
  CHECK(drawn[5] < drawn[1]);  // upwards
  // A label is beside its tick: 20 at a third of the height.
  std::smatch label;
  REQUIRE(std::regex_search(svg, label, std::regex("y=\"([0-9.]+)\" text-anchor=\"end\">20<")));
  CHECK(std::stod(label[1]) - 4.5 == doctest::Approx(drawn[3]).epsilon(1e-3));
}

TEST_CASE("a line breaks at numbers that are not finite, and other marks skip them") {
  const std::vector<double> x{0, 1, 2, 3, 4}, y{1, 2, not_a_number, infinity, 2},
      upper{2, 3, 4, 5, 6};
  CHECK(count(to_svg(simple({Kind::line, Hue::blue, "", x, y})), "class=\"line blue\"") == 2);
  CHECK(path(to_svg(simple({Kind::dots, Hue::blue, "", x, y})), "dots").size() == 3 * 3);
  CHECK(count(to_svg(simple({Kind::band, Hue::blue, "", x, y, upper})), "class=\"band blue\"") ==
        2);
  CHECK(path(to_svg(simple({Kind::whiskers, Hue::blue, "", x, y, upper})), "whiskers").size() ==
        3 * 3);
  for (const Kind kind : {Kind::line, Kind::dashes, Kind::dots}) {
    const std::string svg =
        to_svg(simple({kind, Hue::blue, "none", {not_a_number}, {not_a_number}}));
    CHECK(well_formed(svg));
    CHECK(count(svg, "nan") == 0);
  }
}

TEST_CASE("bars stand on 0") {
  const std::string svg = to_svg(simple({Kind::bars, Hue::blue, "", {0, 1, 2}, {3, 1}}));
  CHECK(count(svg, "class=\"bars blue\"") == 2);
  const std::vector<double> first = path(svg, "bars");
  REQUIRE(first.size() == 8);
  CHECK(first[1] == first[7]);
  CHECK(first[3] < first[1]);
}

TEST_CASE("panels share a legend, and a scale when asked to") {
  Chart chart{.title = "two", .panels = {}};
  for (const double height : {1.0, 100.0})
    chart.panels.push_back({.marks = {{Kind::line, Hue::blue, "f", {0, 1}, {0, height}}}});
  const std::string alone = to_svg(chart);
  chart.same_scale = true;
  const std::string shared = to_svg(chart);
  CHECK(count(alone, ">f</text>") == 1);
  CHECK(count(alone, ">100</text>") == 1);
  CHECK(count(shared, ">100</text>") == 2);
}

TEST_CASE("a chart of constant or no data has axes") {
  for (const std::vector<double>& y :
       {std::vector<double>{}, {5, 5}, {0, 0}, {1e-300, 1e-300}, {1e300, -1e300}, {1e18, 1e18}}) {
    std::vector<double> x(y.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
    const std::string svg = to_svg(simple({Kind::line, Hue::green, "f", x, y}));
    CHECK(well_formed(svg));
    CHECK(count(svg, "text-anchor=\"end\"") >= 1);
  }
}

TEST_CASE("long texts are cut to stay inside the picture") {
  Chart chart = simple({Kind::line, Hue::blue, std::string(30, 'w'), {0, 1}, {0, 1}});
  chart.title = std::string(500, 'x');
  chart.panels[0].up = std::string(500, 'y');
  const std::string svg = to_svg(chart);
  CHECK(count(svg, std::string(60, 'x')) > 0);  // the title for readers of a screen
  CHECK(count(svg, ">" + std::string(60, 'x')) == 1);
  CHECK(count(svg, std::string(70, 'y')) == 0);
}

TEST_CASE("the same chart gives the same bytes") {
  const Chart chart = simple({Kind::dots, Hue::purple, "f", {0.1, 0.7, 1.9}, {1e-3, 2, 0.3}});
  CHECK(to_svg(chart) == to_svg(chart));
  // Every number has at most two digits after the point.
  CHECK(!std::regex_search(to_svg(chart), std::regex("d=\"[^\"]*\\.[0-9]{3}")));
}
