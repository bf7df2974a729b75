#include "frontends/plots/svg.h"

#include <doctest/doctest.h>

#include "tests/markup.h"

namespace wmi::frontends {
namespace {

TEST_CASE("text is escaped, also characters that XML forbids") {
  CHECK(escaped("a<b> & \"c\"") == "a&lt;b&gt; &amp; &quot;c&quot;");
  CHECK(escaped("x\xef\xbf\xbfy") == "x\ufffdy");
}

TEST_CASE("text is cut between characters, and tags have no length") {
  CHECK(truncated("\u00fcber", 4) == "\u00fcber");
  CHECK(truncated("\u00fcber", 2) == "\u00fcb\u2026");
  CHECK(visible_length("10<tspan dy=\"-5\">\u22123</tspan>") == 4);
}

TEST_CASE("lengths are rounded to hundredths of a pixel") {
  CHECK(pixels(5) == "5");
  CHECK(pixels(ratio(1, 3)) == "0.33");
  CHECK(pixels(ratio(-5, 2)) == "-2.5");
  CHECK(pixels(ratio(1, 1000)) == "0");
}

TEST_CASE("ticks are round numbers inside the range") {
  const Axis axis(0, 10, 100, 200, 6);
  CHECK(axis.ticks() == std::vector<Rational>{0, 2, 4, 6, 8, 10});
  CHECK(axis.at(5) == 150);
  CHECK(axis.label(4) == "4");
  CHECK(axis.unit().empty());
  CHECK(Axis(ratio(-1, 10), ratio(1, 10), 0, 1, 5).label(ratio(-1, 20)) == "\u22120.05");
}

TEST_CASE("labels of large numbers have a factor, and of close ones an offset") {
  const Axis large(0, 5'000'000, 0, 1, 6);
  CHECK(large.label(1'000'000) == "1");
  CHECK(large.unit().find("10<tspan") != std::string::npos);
  const Axis close(1'000'000'000, 1'000'000'010, 0, 1, 6);
  CHECK(close.label(1'000'000'002) == "2");
  CHECK(close.unit() == " (+ 1000000000)");
}

TEST_CASE("a document is well-formed") {
  Canvas canvas(10, 20, "a & b", "text{fill:#333}", {{"role", "img"}});
  canvas.open("g", {{"class", "a"}});
  canvas.line("axis", 0, 1, 2, 3);
  canvas.text("", 1, 2, "end", escaped("<x>"));
  canvas.polygon("area", {{0, 0}, {1, 0}, {1, 1}});
  canvas.path("dots", Path().dot({1, 2}).move_to({3, 4}).vertical_to(5));
  canvas.close("g");
  const std::string svg = canvas.finish();
  CHECK(well_formed(svg));
  CHECK(svg ==
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"20\" viewBox=\"0 0 10 "
        "20\" role=\"img\">\n<title>a &amp; b</title>\n<style>text{fill:#333}</style>\n"
        "<g class=\"a\">\n"
        "<line class=\"axis\" x1=\"0\" y1=\"1\" x2=\"2\" y2=\"3\"/>\n"
        "<text x=\"1\" y=\"2\" text-anchor=\"end\">&lt;x&gt;</text>\n"
        "<path class=\"area\" d=\"M0 0L1 0L1 1Z\"/>\n"
        "<path class=\"dots\" d=\"M1 2h0M3 4V5\"/>\n</g>\n</svg>\n");
}

TEST_CASE("attributes are escaped, and empty ones left out") {
  Canvas canvas(10, 20, "", "");
  canvas.element("rect", {{"class", "a\"b"}, {"id", ""}});
  CHECK(count(canvas.finish(), "<rect class=\"a&quot;b\"/>") == 1);
}

}  // namespace
}  // namespace wmi::frontends
