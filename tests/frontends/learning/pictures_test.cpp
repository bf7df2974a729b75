#include "frontends/learning/pictures.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "tests/markup.h"
#include "tests/source_directory.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

/// As many forecasts as outcomes, which lie at these places of theirs.
std::vector<bnn::Forecast> at(const std::vector<double>& places) {
  std::vector<bnn::Forecast> result(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    result[i].mean = static_cast<double>(i);
    result[i].cdf = places[i];
    for (std::size_t k = 0; k < result[i].quantiles.size(); ++k)
      result[i].quantiles[k] = result[i].mean + static_cast<double>(k) - 3;
  }
  return result;
}

const Mark& mark(const Chart& chart, const std::string& label) {
  for (const Mark& each : chart.panels.at(0).marks)
    if (each.label == label) return each;
  FAIL("no mark " << label);
  throw 0;
}

}  // namespace

TEST_CASE("the histogram has area 1, and calibrated forecasts have density 1") {
  std::vector<double> places;
  for (int i = 0; i < 200; ++i) places.push_back((i + 0.5) / 200);
  const Mark flat = mark(pit_picture(at(places)), "these forecasts");
  REQUIRE(flat.y.size() == 20);
  REQUIRE(flat.x.size() == 21);
  for (const double height : flat.y) CHECK(height == doctest::Approx(1));
  // All in the lowest tenth of the range: 2 of 20 bins.
  for (double& place : places) place /= 10;
  const Mark steep = mark(pit_picture(at(places)), "these forecasts");
  CHECK(steep.y[0] == doctest::Approx(10));
  CHECK(steep.y[2] == 0);
  const Mark chance = mark(pit_picture(at(places)), "90 % by chance");
  CHECK(chance.y[0] < 1);
  CHECK(chance.upper[0] > 1);
}

TEST_CASE("a calibration curve runs from corner to corner through the frequencies") {
  const Mark curve = mark(calibration_picture(at({0.5, 0.5, 0.5, 1})), "these forecasts");
  CHECK(curve.x.front() == 0);
  CHECK(curve.y.front() == 0);
  CHECK(curve.x.back() == 1);
  CHECK(curve.y.back() == 1);
  CHECK(curve.y[24] == 0);  // at .48
  CHECK(curve.y[25] == 0.75);
}

TEST_CASE("a reliability diagram has a dot for each bin with rows") {
  std::vector<bnn::Forecast> forecasts(10);
  std::vector<double> outcomes(10, 0.0);
  for (std::size_t i = 0; i < 10; ++i)
    forecasts[i].probabilities = i < 5 ? std::vector{0.62, 0.38} : std::vector{0.95, 0.05};
  outcomes[0] = 1;
  const Mark dots = mark(reliability_picture(forecasts, outcomes), "these forecasts");
  REQUIRE(dots.x.size() == 2);
  CHECK(dots.x[0] == doctest::Approx(0.62));
  CHECK(dots.y[0] == doctest::Approx(0.8));
  CHECK(dots.y[1] == 1);
}

TEST_CASE("if there are many rows, some are drawn and the axis says how many") {
  const std::vector<double> few(150, 0.5), many(5000, 0.5);
  std::vector<double> outcomes(5000, 1.0);
  const Chart small = prediction_picture(at(few), std::span(outcomes).first(150), "y");
  CHECK(mark(small, "mean").x.size() == 150);
  CHECK(mark(small, "90 % interval").x.size() == 150);
  CHECK(mark(small, "90 % interval").y[3] == 3 - 2);  // the quantile of 5 %
  const Chart large = prediction_picture(at(many), outcomes, "y");
  CHECK(mark(large, "mean").x.size() == 2000);
  CHECK(large.panels[0].up == "predicted y (2000 of 5000 rows)");
}

TEST_CASE("the axis of losses is cut off below high first epochs") {
  LossCurve curve{.name = "training"};
  for (int i = 0; i < 100; ++i) {
    curve.epochs.push_back(i);
    curve.values.push_back(i == 0 ? 1e6 : 1.0 / i);
  }
  const Chart chart = loss_picture({curve});
  REQUIRE(chart.panels[0].y);
  CHECK(chart.panels[0].y->to < 2);
  for (int i = 0; i < 100; ++i) curve.values[static_cast<std::size_t>(i)] = 1 - i / 100.0;
  CHECK(!loss_picture({curve}).panels[0].y);
}

TEST_CASE("many trajectories share a colour and a line of the legend") {
  std::vector<LossCurve> curves;
  for (int i = 0; i < 5; ++i)
    curves.push_back({"trajectory " + std::to_string(i), false, {1, 2}, {2, 1}});
  CHECK(count(to_svg(loss_picture(curves)), ">all 5</text>") == 1);
  curves.resize(2);
  CHECK(count(to_svg(loss_picture(curves)), ">trajectory 1</text>") == 1);
}

TEST_CASE("bands of several methods are drawn side by side on one scale") {
  const BandPanel narrow{"a", {0, 1}, {0, 0}, {-1, -1}, {1, 1}, {0.5}, {0}};
  const BandPanel wide{"b", {0, 1}, {0, 0}, {-100, -100}, {100, 100}, {}, {}};
  const std::string svg = to_svg(bands("both", {narrow, wide}));
  CHECK(well_formed(svg));
  CHECK(count(svg, ">100</text>") == 2);
  CHECK(count(svg, ">90 % band<") == 1);
  CHECK(to_svg(bands("both", {narrow, wide})) == svg);
}

TEST_CASE("the pictures of the documents are drawn by these functions") {
  // Places of 100 outcomes in their forecasts: at the ends, everywhere, in the middle.
  std::vector<double> narrow, calibrated, wide;
  for (int i = 0; i < 100; ++i) {
    const double u = (i + 0.5) / 100, centred = u - 0.5;
    narrow.push_back(u * u * (3 - 2 * u));
    calibrated.push_back(u);
    wide.push_back(0.5 + 0.6 * centred + 1.6 * centred * centred * centred);
  }
  const auto compared = [&](const std::string& title, const auto& picture) {
    Chart chart{.title = title, .panels = {}, .width = 340, .height = 330, .same_scale = true};
    for (const auto& [name, places] : {std::pair{"intervals too narrow", narrow},
                                       {"calibrated", calibrated},
                                       {"intervals too wide", wide}}) {
      chart.panels.push_back(picture(at(places)).panels[0]);
      chart.panels.back().title = name;
    }
    return to_svg(chart);
  };
  const auto check = [](const std::string& file, const std::string& drawn) {
    const std::string path = source_directory().string() + "/docs/pictures/" + file;
    if (std::getenv("WMI_DRAW") != nullptr) std::ofstream(path) << drawn;  // to draw them anew
    std::ifstream in(path);
    CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == drawn);
  };
  check("calibration.svg", compared("How often the outcome lay below each quantile",
                                    [](const auto& f) { return calibration_picture(f); }));
  check("pit.svg", compared("Where outcomes lay in their forecasts",
                            [](const auto& f) { return pit_picture(f); }));
}

TEST_CASE("outcomes of few values are spread out sideways, each near its own") {
  std::vector<double> outcomes;
  for (int i = 0; i < 30; ++i) outcomes.push_back(i % 3);
  const Chart chart = prediction_picture(at(std::vector<double>(30, 0.5)), outcomes, "grade");
  const Mark& dots = mark(chart, "mean");
  for (std::size_t i = 0; i < 30; ++i) CHECK(std::abs(dots.x[i] - outcomes[i]) < 0.5);
  CHECK(dots.x[0] != dots.x[3]);
  CHECK(chart.panels[0].across == "observed grade, spread out sideways");
  outcomes.back() = 0.01;
  for (int i = 0; i < 30; ++i) outcomes[static_cast<std::size_t>(i)] += i;
  CHECK(prediction_picture(at(std::vector<double>(30, 0.5)), outcomes, "y").panels[0].across ==
        "observed y");
}

TEST_CASE("the least validation loss has a mark") {
  const Chart chart =
      loss_picture({{"1", false, {1, 2, 3}, {3, 2, 1}}, {"1", true, {1, 2, 3}, {4, NAN, 5}}});
  const Mark& least = mark(chart, "least validation loss, epoch 1");
  CHECK(least.x == std::vector<double>{1});
  CHECK(least.y == std::vector<double>{4});
}

TEST_CASE("charts without data are valid SVG") {
  const std::vector<bnn::Forecast> none;
  CHECK(well_formed(to_svg(pit_picture(none))));
  CHECK(well_formed(to_svg(calibration_picture(none))));
  CHECK(well_formed(to_svg(reliability_picture(none, {}))));
  CHECK(well_formed(to_svg(prediction_picture(none, {}, "y"))));
  CHECK(well_formed(to_svg(loss_picture({}))));
  CHECK(well_formed(to_svg(bands("none", {}))));
}
