#include "frontends/learning/prediction_writer.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace wmi;
using namespace wmi::frontends;

namespace {

using Format = PredictionWriter::Format;

Prediction prediction() {
  return {{{"mean", 1.5},
           {"density", 0.125, Interval(ratio(1, 8)), "1/8", 17, true},
           {"p_red, or so", 0.3, Interval(ratio(3, 10), ratio(1, 3)), "", 3, true},
           {"class", 1, {}, "red, or so"}}};
}

}  // namespace

TEST_CASE("CSV has a header, bounds behind all numbers, and quotes where they are needed") {
  PredictionWriter writer(Format::csv, {"likelihood: gaussian"});
  writer.add(0, prediction());
  writer.add(1, prediction());
  const std::string cells = "1.5,0.125,0.3,\"red, or so\",0.125,0.125,0.3,0.334\n";
  CHECK(writer.text() ==
        "row,mean,density,\"p_red, or so\",class,density_lower,density_upper,"
        "\"p_red, or so_lower\",\"p_red, or so_upper\"\n0," +
            cells + "1," + cells);
  CHECK(writer.assumptions_line() == "exact with respect to: likelihood: gaussian");
}

TEST_CASE("a row without a prediction has an error in its place, and an unknown number no digits") {
  const Prediction good{{{"mean", 1.5}, {"crps", 0.5}}}, bad{{}, 0, "t.csv:2: 'x' is no number"},
      unscored{{{"mean", 2.5}, {"crps", NAN}}};
  PredictionWriter csv(Format::csv, {}, {"id"});
  const std::vector<std::string> a{"a"}, b{"b, or so"}, c{"c"};
  csv.add(0, bad, a);
  csv.add(1, good, b);
  csv.add(2, unscored, c);
  CHECK(csv.text() ==
        "row,id,mean,crps,error\n0,a,,,t.csv:2: 'x' is no number\n1,\"b, or so\",1.5,0.5,\n"
        "2,c,2.5,,\n");
  PredictionWriter json(Format::json_lines, {}, {"id"});
  json.add(0, bad, a);
  json.add(1, unscored, b);
  CHECK(json.text() ==
        "{\"row\":0,\"id\":\"a\",\"error\":\"t.csv:2: 'x' is no number\"}\n"
        "{\"row\":1,\"id\":\"b, or so\",\"mean\":2.5,\"crps\":null,"
        "\"exactWithRespectTo\":[]}\n");
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
