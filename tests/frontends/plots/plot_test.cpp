#include "frontends/plots/plot.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "solver/terms/error.h"
#include "tests/frontends/program.h"
#include "tests/markup.h"

namespace wmi::frontends {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t result = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++result;
  return result;
}

Univariate polynomial(std::vector<Rational> coefficients) {
  return Univariate(std::move(coefficients));
}

/// ReLU(w), w uniform on [-3, 3].
const Law relu({{0, ratio(1, 2)}}, {{0, 3, polynomial({ratio(1, 6)})}});

TEST_CASE("well_formed tells well-formed XML from other text") {
  CHECK(well_formed("<a b=\"c\"><d/>x &lt; y</a>\n"));
  CHECK_FALSE(well_formed("<a><b></a></b>"));
  CHECK_FALSE(well_formed("<a>x < y</a>"));
  CHECK_FALSE(well_formed("<a>x & y</a>"));
  CHECK_FALSE(well_formed("<a b=c></a>"));
  CHECK_FALSE(well_formed("<a>"));
}

TEST_CASE("a law is drawn as its density and its distribution function") {
  const std::string svg = plot(relu, "max(0, w)");
  CHECK(well_formed(svg));
  CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(contains(svg, ">density</text>"));
  CHECK(contains(svg, ">distribution function</text>"));
  CHECK(contains(svg, ">max(0, w)</text>"));
  CHECK(contains(svg, ">0.15</text>"));  // a tick of the density, up to 1/6
  CHECK(contains(svg, ">2.5</text>"));   // a tick of the value
  CHECK_FALSE(contains(svg, "script"));
  CHECK_FALSE(contains(svg, "href"));
}

TEST_CASE("a point mass is a stem with a dot and its mass") {
  const std::string svg = plot(relu, "");
  CHECK(count(svg, "class=\"stem\"") == 1);
  CHECK(contains(svg, ">1/2</text>"));
  CHECK(contains(svg, ">point mass</text>"));
  // One on the stem, and where the distribution function jumps an open and a filled one.
  CHECK(count(svg, "<circle") == 3);
  CHECK(count(svg, "class=\"jump\"") == 1);
}

TEST_CASE("a constant piece is a step") {
  // Up, across and down, to hundredths of a pixel: the support is 8/9 of 568 pixels.
  const std::string svg = plot(Law::uniform(0, 1), "");
  CHECK(contains(svg,
                 "<path class=\"curve\" d=\"M107.56 308L107.56 105.33L612.44 105.33L612.44 308\""));
  CHECK_FALSE(contains(svg, "point mass"));
  // 1/2 on [0, 1] and 1/4 on [1, 3]: one line down where they meet.
  const Law steps({}, {{0, 1, polynomial({ratio(1, 2)})}, {1, 3, polynomial({ratio(1, 4)})}});
  CHECK(contains(plot(steps, ""), "L275.85 105.33L275.85 206.67L"));
}

TEST_CASE("point masses alone have no density") {
  const std::string svg = plot(Law({{0, ratio(1, 3)}, {2, ratio(2, 3)}}, {}), "a coin");
  CHECK(well_formed(svg));
  CHECK_FALSE(contains(svg, "density"));
  CHECK(contains(svg, ">mass</text>"));
  CHECK(contains(svg, ">2/3</text>"));
  CHECK(well_formed(plot(Law::point(ratio(1, 3)), "")));
}

TEST_CASE("labels that would overlap are left out, the heaviest stays") {
  const Law close({{0, ratio(1, 8)}, {ratio(1, 1000), ratio(3, 8)}, {1, ratio(1, 2)}}, {});
  const std::string svg = plot(close, "");
  CHECK(contains(svg, ">3/8</text>"));
  CHECK_FALSE(contains(svg, ">1/8</text>"));
}

TEST_CASE("a title is escaped") {
  const std::string svg = plot(relu, "a < b && \"c\" > </text><script>\n\x01\xff");
  CHECK(well_formed(svg));
  CHECK(
      contains(svg, "a &lt; b &amp;&amp; &quot;c&quot; &gt; &lt;/text&gt;&lt;script&gt;\\n\\x01"));
  // U+FFFE and U+FFFF are no characters of XML; their neighbours are.
  const std::string odd = plot(relu,
                               "a\xef\xbf\xbe"
                               "b\xef\xbf\xbf"
                               "c\xef\xbf\xbd"
                               "d");
  CHECK(contains(odd, "a\ufffdb\ufffdc\ufffdd"));
  CHECK_FALSE(contains(odd, "\xef\xbf\xbe"));
  CHECK_FALSE(contains(odd, "\xef\xbf\xbf"));
  CHECK(contains(plot(relu, std::string(200, 'x')), std::string(76, 'x') + "\u2026</text>"));
}

TEST_CASE("very large and very small values have exponents") {
  const std::string large = plot(Law::uniform(3'000'000'000, 7'000'000'000), "");
  CHECK(well_formed(large));
  CHECK(contains(large, "value (\u00d7 10<tspan dy=\"-5\" font-size=\"10\">9</tspan>"));
  CHECK(contains(large, ">4</text>"));
  const std::string small = plot(Law::uniform(ratio(1, 100'000'000), ratio(5, 100'000'000)), "");
  CHECK(contains(small, "font-size=\"10\">\u22128</tspan>"));
  const std::string far = plot(Law::triangular(123'456'789, ratio(1, 1000)), "");
  CHECK(contains(far, "value (+ 123456789)"));
  CHECK(contains(far, ">\u22120.0005</text>"));
  CHECK(well_formed(plot(Law::uniform(-power(Rational(10), 400), power(Rational(10), 400)), "")));
}

TEST_CASE("a very narrow piece does not flatten the others") {
  const Law law({},
                {{0, ratio(1, 100'000), polynomial({50'000})}, {1, 6, polynomial({ratio(1, 10)})}});
  const std::string svg = plot(law, "");
  CHECK(well_formed(svg));
  CHECK(contains(svg, ">to 50000</text>"));
  CHECK(contains(svg, ">0.10</text>"));
}

TEST_CASE("a measure may be negative") {
  const Law law({{1, -ratio(1, 4)}, {2, ratio(1, 3)}}, {{0, 3, polynomial({-1, 1})}});
  const std::string svg = plot(law, "");
  CHECK(well_formed(svg));
  CHECK(contains(svg, ">\u22121/4</text>"));
  CHECK(well_formed(plot(Rational(-1) * law, "")));
  CHECK(well_formed(plot(Rational(-1) * Law::uniform(0, 1), "")));
  CHECK(well_formed(plot(Law({{0, -1}}, {}), "")));
}

TEST_CASE("curves and many pieces are drawn") {
  Law law = Law::uniform(0, 1);
  for (int i = 2; i < 7; ++i) law = convolution(law, Law::uniform(0, ratio(1, i)));
  const std::string svg = plot(law, "");
  CHECK(well_formed(svg));
  CHECK(svg.size() < 100'000);
  std::vector<PointMass> atoms;
  for (int i = 0; i < 500; ++i) atoms.push_back({ratio(i * i, 7), ratio(1 + i % 7, 2000)});
  CHECK(well_formed(plot(Law(atoms, {}), "")));
}

TEST_CASE("the same law and title give the same bytes") {
  CHECK(plot(relu, "twice") == plot(relu, "twice"));
}

TEST_CASE("a law without mass is refused") {
  CHECK_THROWS_WITH_AS(plot(Law(), "empty"), "there is nothing to plot: the law has no mass",
                       Error);
}

}  // namespace
}  // namespace wmi::frontends
