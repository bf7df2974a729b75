#include "frontends/learning/predictor.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "bnn/collapse/evidence.h"
#include "bnn/collapse/float_forward.h"
#include "frontends/learning/commands.h"
#include "tests/frontends/learning/given.h"
#include "tests/frontends/learning/price_run.h"

using namespace wmi;
using namespace wmi::frontends;

TEST_CASE("samples weigh by their evidence where the training chose that, and else equally") {
  const PriceRun folder;
  Run run = read_run(folder.path("toy.run"));
  run.predictive.emplace();
  run.predictive->collapsed = true;
  run.predictive->lambda = 0.5;
  run.predictive->evidence_power = 0.7;
  write_run(run);
  const auto read = [&](const std::vector<std::string>& words) {
    return read_predictor(run.path, given(predict_command(), words));
  };
  const Predictor chosen = read({});
  const std::vector<double> logs =
      bnn::log_evidences(run.network, bnn::float_forward, chosen.samples, chosen.collapsed,
                         *chosen.training, {.lambda = 0.5});
  double sum = 0;
  for (const double log : logs) sum += std::exp(0.7 * log);
  CHECK(logs[0] != doctest::Approx(logs[2]));
  for (std::size_t i = 0; i < logs.size(); ++i)
    CHECK(chosen.collapsed[i].weight == doctest::Approx(std::exp(0.7 * logs[i]) / sum));
  const std::string words = "weights of the samples: evidence to the power 0.7";
  CHECK(std::ranges::count(chosen.assumptions, words) == 1);
  // Without the last layer's law there is no evidence.
  const Predictor plain = read({"--partition", "none", "--recalibrate", "yes"});
  for (const bnn::CollapsedSample& sample : plain.collapsed) CHECK(sample.weight == 1);
  CHECK(std::ranges::count(plain.assumptions, words) == 0);
}
