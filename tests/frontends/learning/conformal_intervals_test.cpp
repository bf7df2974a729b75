#include "frontends/learning/conformal_intervals.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "bnn/numeric/random.h"
#include "frontends/cli/command.h"
#include "frontends/learning/commands.h"
#include "tests/frontends/learning/price_run.h"
#include "tests/frontends/program.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

/// y is about x, or e^(5 + x).
std::string noisy_line(std::size_t rows, std::uint64_t seed, bool exponential = false) {
  bnn::Random random(seed);
  std::string text = "x,y\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = random.normal(), y = x + 0.3 * random.normal();
    text += std::to_string(x) + "," + std::to_string(exponential ? std::exp(5 + y) : y) + "\n";
  }
  return text;
}

const std::string quick =
    " --target y --search no --hidden 4 --epochs 10 --samples 3 --every 1 --trajectories 1"
    " --sampling-rate 0.01 ";

}  // namespace

TEST_CASE("intervals are stretched by the rows that the training set aside") {
  const TemporaryDirectory scratch;
  scratch.file("rows.csv", noisy_line(120, 1));
  scratch.file("new.csv", noisy_line(20, 2));
  const std::string run = scratch / "a.run";
  REQUIRE(ciber("train " + scratch / "rows.csv" + quick + "--conformal 0.25 --out " + run).exit ==
          0);
  const Run read = read_run(scratch.path("a.run"));
  REQUIRE(read_conformal_rows(read).has_value());
  CHECK(read_conformal_rows(read)->rows() == 30);
  CHECK(read_training_rows(read)->rows() == 90);

  const std::string line = "predict " + run + " " + scratch / "new.csv" + " --json";
  const Finished both = ciber(line + " --quantiles 0.5");
  const std::vector<Json> wide = objects(both), plain = objects(ciber(line + " --conformal no"));
  CHECK(wide[0]["exactWithRespectTo"].dump().find("split-conformal") != std::string::npos);
  CHECK(plain[0]["exactWithRespectTo"].dump().find("split-conformal") == std::string::npos);
  // The factor is that of the scores of the rows set aside, the same for all new rows.
  for (const char* const level : {"0.5", "0.9"}) {
    CAPTURE(level);
    std::vector<double> factors;
    for (std::size_t i = 0; i < wide.size(); ++i) {
      const std::string low = std::string("low_") + level, high = std::string("high_") + level;
      const double median = wide[i]["quantile_0.5"];
      factors.push_back((wide[i][high].get<double>() - median) /
                        (plain[i][high].get<double>() - median));
      factors.push_back((median - wide[i][low].get<double>()) /
                        (median - plain[i][low].get<double>()));
    }
    for (const double factor : factors) CHECK(factor == doctest::Approx(factors[0]).epsilon(1e-9));
    CHECK(factors[0] != doctest::Approx(1).epsilon(1e-6));
  }
  // Means and densities stay those of the law.
  CHECK(wide[3]["mean"] == plain[3]["mean"]);
  CHECK(wide[3]["log_density"] == plain[3]["log_density"]);
  CHECK(ciber(line + " --conformal yes --quantiles 0.5").output == both.output);
  CHECK(ciber(line + " --threads 1 --quantiles 0.5").output == both.output);
  CHECK(ciber(line + " --digits 9 --conformal yes").exit == 2);
  CHECK(ciber(line + " --digits 9").exit == 0);
}

TEST_CASE("the rows set aside are exactly covered: their own scores give the factor") {
  for (const std::string transform : {"none", "log", "asinh"}) {
    CAPTURE(transform);
    const TemporaryDirectory scratch;
    scratch.file("rows.csv", noisy_line(80, 3, transform != "none"));
    REQUIRE(ciber("train " + scratch / "rows.csv" + quick + "--conformal 0.5 --target-transform " +
                  transform + " --out " + scratch / "a.run")
                .exit == 0);
    const Command predict = predict_command();
    const std::vector<Setting> table = all_settings(predict);
    const std::vector<std::string> words{};
    const Predictor predictor =
        read_predictor(scratch.path("a.run"), Settings(predict.full_name(), table, words));
    const bnn::Standardisation& scales = predictor.run.standardisation;
    const std::vector<double> levels{0.8};
    const double factor = conformal_factors(predictor, levels)[0];
    CHECK(factor < 10);
    const bnn::Dataset aside = *read_conformal_rows(predictor.run);
    const std::vector<bnn::Activations> found = forward(predictor, aside.inputs);
    std::size_t inside = 0;
    for (std::size_t i = 0; i < aside.rows(); ++i) {
      std::vector<bnn::OutputLaw<double>> mixture;
      for (const auto& sample : bnn::output_laws_at(predictor.collapsed, found, i))
        mixture.push_back(sample[0]);
      const bnn::Predictive law(mixture, predictor.options, scales);
      const auto wide = stretched_interval(law, 0.8, factor * (1 + 1e-12), scales.target_transform);
      if (transform == "log") CHECK(wide.low > 0);
      const double outcome = bnn::inverse(
          scales.target_transform, scales.target_mean + scales.target_scale * aside.targets[i]);
      inside += outcome >= wide.low && outcome <= wide.high;
    }
    CHECK(inside == 33);  // ceil(41 * 4/5) of 40
  }
}

TEST_CASE("intervals of a report are those of ciber predict") {
  const TemporaryDirectory scratch;
  scratch.file("rows.csv", noisy_line(120, 6, true));
  const std::string run = scratch / "a.run";
  REQUIRE(ciber("train " + scratch / "rows.csv" + quick +
                "--conformal 0.3 --target-transform log --out " + run)
              .exit == 0);
  const Command predict = predict_command();
  const std::vector<Setting> table = all_settings(predict);
  const Predictor predictor = read_predictor(
      scratch.path("a.run"), Settings(predict.full_name(), table, std::vector<std::string>{}));
  bnn::Dataset row{bnn::Matrix(1, 1), {}};
  row.inputs.at(0, 0) = (0.5 - predictor.run.standardisation.input_mean[0]) /
                        predictor.run.standardisation.input_scale[0];
  std::vector<bnn::Forecast> found = forecasts(predictor, row);
  const bnn::Forecast before = found[0];
  ForecastStretcher(predictor).stretch(found);
  const Json said = objects(ciber("predict " + run + " --input 0.5 --json"))[0];
  const char* const names[] = {"low_0.95", "low_0.9",  "low_0.5",  "",
                               "high_0.5", "high_0.9", "high_0.95"};
  for (std::size_t k = 0; k < 7; ++k) {
    if (k == 3) continue;
    CHECK(found[0].quantiles[k] == doctest::Approx(said[names[k]].get<double>()).epsilon(1e-9));
    CHECK(found[0].quantiles[k] != doctest::Approx(before.quantiles[k]).epsilon(1e-6));
  }
  CHECK(found[0].quantiles[3] == before.quantiles[3]);
  CHECK(contains(ciber("report " + run + " --out -").output, "split-conformal"));
}

TEST_CASE("too few rows set aside give intervals without bounds, and a warning") {
  const TemporaryDirectory scratch;
  scratch.file("rows.csv", noisy_line(40, 4));
  const std::string run = scratch / "a.run";
  REQUIRE(ciber("train " + scratch / "rows.csv" + quick + "--conformal 0.3 --out " + run).exit ==
          0);
  const Finished found = ciber("predict " + run + " --input 1 --intervals 0.9,0.95");
  CHECK(contains(found.errors, "warning: --intervals: 0.95 is without bounds"));
  CHECK(!contains(found.errors, "0.9 is without bounds"));
  CHECK(contains(found.output, "high_0.95    inf"));
}

TEST_CASE("mistakes about conformal rows are reported in one line") {
  const TemporaryDirectory scratch;
  scratch.file("rows.csv", noisy_line(40, 5));
  scratch.file("words.csv", "x,y\n1,a\n2,b\n3,a\n4,b\n5,a\n6,b\n7,a\n8,b\n");
  const std::string out = " --out " + scratch / "a.run";
  CHECK(ciber("train " + scratch / "rows.csv" + quick + "--conformal 0.001" + out).exit == 2);
  CHECK(ciber("train " + scratch / "words.csv" + quick + "--conformal 0.5" + out).exit == 2);
  CHECK(ciber("train " + scratch / "rows.csv" + quick + "--conformal 2" + out).exit == 2);
  REQUIRE(ciber("train " + scratch / "rows.csv" + quick + out).exit == 0);
  const Finished none = ciber("predict " + scratch / "a.run" + " --input 1 --conformal yes");
  CHECK(none.exit == 1);
  CHECK(contains(none.errors, "has no rows set aside; ciber train --conformal 0.2 does that"));
}

}  // namespace wmi::frontends
