#include "frontends/learning/prediction_writer.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace wmi;
using namespace wmi::frontends;

namespace {

using Format = PredictionWriter::Format;

Prediction prediction() {
  return {{{"mean", 1.5},
           {"density", 0.125, Interval(ratio(1, 8)), "1/8"},
           {"p_red, or so", 0.3, Interval(ratio(3, 10), ratio(1, 3)), "", 3},
           {"class", 1, {}, "red, or so"}}};
}

}  // namespace

TEST_CASE("CSV has a header, bounds beside their number, and quotes where they are needed") {
  PredictionWriter writer(Format::csv, {"likelihood: gaussian"});
  writer.add(0, prediction());
  writer.add(1, prediction());
  const std::string cells = "1.5,0.125,0.125,0.125,0.3,0.3,0.334,\"red, or so\"\n";
  CHECK(writer.text() ==
        "row,mean,density,density_lower,density_upper,\"p_red, or so\",\"p_red, or so_lower\","
        "\"p_red, or so_upper\",class\n0," +
            cells + "1," + cells);
  CHECK(writer.assumptions_line() == "exact with respect to: likelihood: gaussian");
}

TEST_CASE("a JSON line has exact and rounded numbers and the assumptions") {
  PredictionWriter writer(Format::json_lines, {"likelihood: gaussian"});
  writer.add(7, prediction());
  CHECK(writer.text() ==
        "{\"row\":7,\"mean\":1.5,"
        "\"density\":{\"exact\":\"1/8\",\"decimal\":0.125,\"lower\":\"0.125\",\"upper\":\"0.125\"},"
        "\"p_red, or so\":{\"exact\":null,\"decimal\":0.3,\"lower\":\"0.3\",\"upper\":\"0.334\"},"
        "\"class\":\"red, or so\",\"exactWithRespectTo\":[\"likelihood: gaussian\"]}\n");
}

TEST_CASE("what is not finite is null in JSON") {
  PredictionWriter writer(Format::json_lines, {});
  writer.add(0, {{{"log_density", -INFINITY}}});
  CHECK(writer.text() == "{\"row\":0,\"log_density\":null,\"exactWithRespectTo\":[]}\n");
}

TEST_CASE("text has a line for each number") {
  PredictionWriter writer(Format::text, {});
  writer.add(0, prediction());
  CHECK(writer.text() ==
        "mean         1.5\ndensity      1/8 = 0.125\np_red, or so [0.3, 0.334]\n"
        "class        red, or so\n");
}

TEST_CASE("an estimated error replaces the assumption about doubles, the largest in the summary") {
  PredictionWriter writer(Format::json_lines, {"posterior: moment", "arithmetic: doubles"});
  writer.add(0, {{}, 1e-5});
  writer.add(1, {{}, 2e-4});
  CHECK(writer.text().find("\"posterior: moment\",\"all: doubles, estimated error 1.0e-05 of") !=
        std::string::npos);
  CHECK(writer.assumptions_line().find(
            "posterior: moment; all: doubles, estimated error 2.0e-04") != std::string::npos);
}
