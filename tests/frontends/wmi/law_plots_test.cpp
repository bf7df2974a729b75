#include "frontends/wmi/law_plots.h"

#include <doctest/doctest.h>

namespace wmi::frontends {
namespace {

TEST_CASE("a law is named after its term") {
  Query query;
  query.text = "(get-distribution (+ x y))";
  CHECK(plot_title(query) == "law of (+ x y)");
  query.text = "distribution of y";
  CHECK(plot_title(query) == "distribution of y");
}

TEST_CASE("the second plot has another name") {
  CHECK(plot_file("out/law.svg", 1) == "out/law.svg");
  CHECK(plot_file("out/law.svg", 2) == "out/law-2.svg");
  CHECK(plot_file("law", 3) == "law-3");
}

}  // namespace
}  // namespace wmi::frontends
