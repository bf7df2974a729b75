#include "frontends/learning/prediction_questions.h"

#include <doctest/doctest.h>

#include "frontends/cli/usage_error.h"
#include "frontends/learning/commands.h"
#include "tests/frontends/learning/given.h"
#include "tests/frontends/learning/price_run.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

Questions asked(const PriceRun& folder, const std::vector<std::string>& words) {
  const Settings settings = given(predict_command(), words);
  return read_questions(settings, read_predictor(folder.path("toy.run"), settings));
}

}  // namespace

TEST_CASE("levels are probabilities between commas") {
  const PriceRun folder;
  CHECK(asked(folder, {}).levels == std::vector<double>{0.5, 0.9, 0.95});
  CHECK(asked(folder, {"--intervals=0.8,"}).levels == std::vector<double>{0.8});
  for (const char* levels : {"--intervals=1.5", "--intervals=0.5,,0.9", "--intervals=half"})
    CHECK_THROWS_AS(asked(folder, {levels}), UsageError);
  // (1 + level) / 2 would round to 1.
  CHECK_THROWS_WITH_AS(asked(folder, {"--intervals=0.9,0.9999999999999999"}),
                       doctest::Contains("--intervals: '0.9999999999999999' is too close"),
                       UsageError);
}

TEST_CASE("questions that do not fit together or the run are refused") {
  const PriceRun numbers, classes(true);
  CHECK_THROWS_AS(asked(numbers, {"--forward=exact"}), UsageError);
  CHECK_THROWS_AS(asked(numbers, {"--largest"}), UsageError);
  CHECK_THROWS_AS(asked(numbers, {"--via=wmi"}), UsageError);
  CHECK_THROWS_AS(asked(classes, {"--above=3"}), UsageError);
  CHECK_THROWS_AS(asked(classes, {"--via=wmi"}), UsageError);
  CHECK(asked(numbers, {"--forward=exact", "--digits=9"}).digits == 9);
  CHECK(asked(classes, {"--largest"}).largest);
}

TEST_CASE("assumptions name float activations and doubles where they are used") {
  const PriceRun folder;
  const auto found = [&](const std::vector<std::string>& words) {
    const Settings settings = given(predict_command(), words);
    const Predictor predictor = read_predictor(folder.path("toy.run"), settings);
    return assumptions(predictor, read_questions(settings, predictor));
  };
  const auto doubles = found({}), certified = found({"--digits=9"}),
             exact = found({"--digits=9", "--forward=exact"});
  CHECK(doubles.back() == "arithmetic: doubles, compared with certified answers in tests");
  CHECK(certified == std::vector(doubles.begin(), doubles.end() - 1));
  CHECK(exact == std::vector(certified.begin() + 1, certified.end()));
}
