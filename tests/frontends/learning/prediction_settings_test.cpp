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
  const bnn::CollapseOptions plain = read_collapse(given(predict_command(), {}), {});
  CHECK(plain.partition == "last");
  CHECK(plain.posterior == "");
  const bnn::CollapseOptions found = read_collapse(
      given(predict_command(), {"--partition", "second:3", "--posterior=minmax", "--width", "2"}),
      {});
  CHECK(found.partition == "second:3");
  CHECK(found.posterior == "minmax");
  CHECK(found.options.width == 2);
  CHECK_THROWS_AS(read_collapse(given(predict_command(), {"--posterior=minmx"}), {}), UsageError);
}

TEST_CASE("what is not given is as the training chose") {
  const bnn::PredictiveChoice chosen{true, 10, 3, 1.5, 0, 1};
  const bnn::CollapseOptions found = read_collapse(given(predict_command(), {}), chosen);
  CHECK(found.partition == "last");
  CHECK(found.options.lambda == 10);
  CHECK(found.options.temperature == 3);
  const bnn::CollapseOptions fixed =
      read_collapse(given(predict_command(), {"--lambda=2", "--temperature=1"}), chosen);
  CHECK(fixed.options.lambda == 2);
  CHECK(!fixed.options.at_sample);
  CHECK(fixed.options.temperature == 1);
  bnn::PredictiveChoice around = chosen;
  around.at_sample = true;
  const auto at_sample = [&](const std::vector<std::string>& words) {
    return read_collapse(given(predict_command(), words), around).options.at_sample;
  };
  CHECK(at_sample({}));
  CHECK(!at_sample({"--lambda=2"}));  // a number that was chosen for another prior means nothing
  CHECK(at_sample({"--lambda=2", "--prior-mean=sample"}));
  CHECK(!at_sample({"--prior-mean=zero"}));
  bnn::PredictiveChoice plain = chosen;
  plain.collapsed = false;
  CHECK(read_collapse(given(predict_command(), {}), plain).partition == "none");
  CHECK(read_collapse(given(predict_command(), {"--partition=last"}), plain).partition == "last");
  CHECK(read_collapse(given(predict_command(), {"--posterior=moment"}), plain).partition == "last");
}

TEST_CASE("the noise is corrected for the method that the correction was found for") {
  const bnn::PredictiveChoice chosen{true, 10, 3, 1.5, 0, 1};
  const auto corrected = [&](const std::vector<std::string>& words) {
    return read_correction(given(predict_command(), words), chosen).has_value();
  };
  CHECK(corrected({}));
  CHECK(corrected({"--floor=1e-9"}));
  CHECK(!corrected({"--recalibrate=no"}));
  CHECK(!corrected({"--partition=none"}));
  CHECK(corrected({"--partition=none", "--recalibrate=yes"}));
  CHECK(!read_correction(given(predict_command(), {}), {}));
}

TEST_CASE("the authors' variant changes defaults only") {
  const bnn::CollapseOptions found =
      read_collapse(given(predict_command(), {"--variant=authors"}), {});
  CHECK(found.partition == "last:2+bias");
  CHECK(found.choose == "effect");
  CHECK(found.posterior == "minmax");
  const bnn::CollapseOptions own =
      read_collapse(given(predict_command(), {"--variant=authors", "--posterior=moment"}), {});
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
