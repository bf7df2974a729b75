#include "frontends/learning/prediction_settings.h"

#include <doctest/doctest.h>

#include "frontends/cli/usage_error.h"
#include "frontends/learning/commands.h"
#include "solver/terms/error.h"
#include "tests/frontends/learning/given.h"

using namespace wmi;
using namespace wmi::frontends;

TEST_CASE("every command that predicts has the settings of predictions") {
  for (const Command& command :
       {predict_command(), explain_command(), encode_command(), report_command()})
    for (const Setting& setting : prediction_settings()) {
      CAPTURE(command.name);
      CAPTURE(setting.name);
      CHECK(std::any_of(command.settings.begin(), command.settings.end(),
                        [&](const Setting& each) { return each.name == setting.name; }));
    }
}

TEST_CASE("partition and posterior are read; auto is left to the network") {
  const bnn::CollapseOptions plain = read_collapse(given(predict_command(), {}));
  CHECK(plain.partition == "last");
  CHECK(plain.posterior == "");
  const bnn::CollapseOptions found = read_collapse(
      given(predict_command(), {"--partition", "second:3", "--posterior=minmax", "--width", "2"}));
  CHECK(found.partition == "second:3");
  CHECK(found.posterior == "minmax");
  CHECK(found.options.width == 2);
  CHECK_THROWS_AS(read_collapse(given(predict_command(), {"--posterior=minmx"})), UsageError);
}

TEST_CASE("the authors' variant changes defaults only") {
  const bnn::CollapseOptions found = read_collapse(given(predict_command(), {"--variant=authors"}));
  CHECK(found.partition == "last:2+bias");
  CHECK(found.choose == "effect");
  CHECK(found.posterior == "minmax");
  const bnn::CollapseOptions own =
      read_collapse(given(predict_command(), {"--variant=authors", "--posterior=moment"}));
  CHECK(own.posterior == "moment");
  CHECK(read_predictive(given(predict_command(), {"--variant=authors"}), nullptr).noise.alpha ==
        2.45);
}

TEST_CASE("a smoothed likelihood takes its range from the training targets") {
  const Settings settings = given(predict_command(), {"--likelihood=smoothed"});
  const bnn::Dataset training{bnn::Matrix(3, 1), {0.5, -1, 2}};
  const bnn::PredictiveOptions found = read_predictive(settings, &training);
  CHECK(found.noise.kind == bnn::OutcomeNoise::Kind::triangular);
  CHECK(found.epsilon == 0.001);
  CHECK(found.range_from == -1);
  CHECK(found.range_to == 2);
  CHECK_THROWS_AS(read_predictive(settings, nullptr), Error);
}
