#include "frontends/plots/surface.h"

#include <doctest/doctest.h>

#include "tests/markup.h"

namespace wmi::frontends {
namespace {

TEST_CASE("surfaces are drawn side by side, on one scale, as meshes with labelled sides") {
  const auto surface = [](double height) {
    return Surface{.title = "t < 1",
                   .across = "x & y",
                   .along = "z",
                   .x_from = -2,
                   .height = [=](double, double) { return height; }};
  };
  const std::string svg = to_svg("two", {surface(1), surface(2)});
  CHECK(well_formed(svg));
  CHECK(count(svg, "<polygon") == 2 * 24 * 36);
  CHECK(count(svg, ">t &lt; 1</text>") == 2);
  CHECK(count(svg, ">x &amp; y</text>") == 2);
  CHECK(count(svg, ">\u22122</text>") == 2);
  // The shade of half the height, and of the full one.
  CHECK(count(svg, "rgb(162,202,232)") == 24 * 36);
  CHECK(count(svg, "rgb(86,160,214)") == 24 * 36);
  CHECK(svg == to_svg("two", {surface(1), surface(2)}));
}

}  // namespace
}  // namespace wmi::frontends
