#include "bnn/predictive/predictive_choice.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bnn/numeric/random.h"
#include "bnn/predictive/predictive.h"
#include "bnn/training/mlp.h"
#include "solver/terms/error.h"
#include "tests/bnn/forward.h"

namespace wmi::bnn {
namespace {

constexpr Observation normal{Observation::Kind::homoscedastic, Observation::Link::exponential, 0};

/// One sample of the model y = w x with noise of deviation `claimed`.
Weights sample(double w, double claimed) {
  Weights result;
  result["fc1.weight"] = {{1, 1}, {w}};
  result["fc1.bias"] = {{1}, {0}};
  result[raw_variance_name] = {{1}, {2 * std::log(claimed)}};
  return result;
}

/// Rows of y = x with noise of deviation 1/2, each tenth of them with five times as much.
Dataset rows(std::size_t count, std::uint64_t seed, bool outliers) {
  Random random(seed);
  Dataset result{Matrix(count, 1), {}};
  for (std::size_t i = 0; i < count; ++i) {
    result.inputs.at(i, 0) = random.normal();
    const double noise = 0.5 * random.normal() * (outliers && i % 10 == 0 ? 5 : 1);
    result.targets.push_back(result.inputs.at(i, 0) + noise);
  }
  return result;
}

PredictiveSelection choose(double w, double claimed, bool outliers,
                           const PredictiveFreedom& freedom = {}) {
  const HeldOut parts[] = {
      {rows(300, 1, outliers), rows(400, 2, outliers), {sample(w, claimed)}, {0}}};
  return choose_predictive(mlp(1, {}, 1), rounded_forward, normal, parts, freedom);
}

}  // namespace

TEST_CASE(
    "a sample whose last layer is wrong is collapsed, and one that is right may be averaged") {
  const PredictiveSelection wrong = choose(3, 0.5, false);
  CHECK(wrong.choice.collapsed);
  CHECK(wrong.collapsed > wrong.average + 3 * wrong.difference_error);
  CHECK(wrong.rows == 400);
  // A prior far too strong makes the collapse lose: then the average is used.
  const PredictiveSelection strong = choose(1, 0.5, false, {{1e6}, {}, true});
  CHECK(!strong.choice.collapsed);
  CHECK(strong.collapsed < strong.average);
}

TEST_CASE("whoever asks for the collapse of samples that are best averaged gets their average") {
  const PredictiveSelection found = choose(1, 0.5, false);
  REQUIRE(!found.choice.collapsed);
  CHECK(found.collapsed - found.average <= found.difference_error);
  CHECK(found.choice.at_sample);
  const encoders::Network network = mlp(1, {}, 1);
  const Dataset training = rows(300, 1, false), later = rows(50, 3, false);
  const std::vector<Weights> samples{sample(1, 0.5)};
  const auto densities = [&](const std::string& partition) {
    CollapseOptions options;
    options.partition = partition;
    options.options = {found.choice.lambda, found.choice.temperature, 1, found.choice.at_sample};
    std::vector<double> result;
    for (const Forecast& forecast :
         forecasts(network, rounded_forward, normal, {{0}, {1}, 0, 1}, samples,
                   collapse(network, rounded_forward, normal, samples, {}, &training, options),
                   later, {}))
      result.push_back(forecast.log_density);
    return result;
  };
  const std::vector<double> collapsed = densities("last"), averaged = densities("none");
  for (std::size_t i = 0; i < later.rows(); ++i)
    CHECK(collapsed[i] == doctest::Approx(averaged[i]).epsilon(1e-6).scale(1));
  // A prior that was asked for stays.
  CHECK(choose(1, 0.5, false, {{1e6}, {}, true}).choice.lambda == 0.3);
  PredictiveFreedom around;
  around.at_sample = true;
  CHECK(choose(3, 0.5, false, around).choice.at_sample);
  around.at_sample = false;
  CHECK(!choose(3, 0.5, false, around).choice.at_sample);
}

TEST_CASE("noise is corrected for as many trajectories as will predict") {
  // Trajectories that err by +-1/2 in the slope each: the mixture of many is wider than of two.
  const auto choose_for = [](std::size_t trajectories) {
    const std::vector<Weights> samples{sample(0.5, 0.5), sample(1.5, 0.5)};
    const HeldOut parts[] = {{rows(300, 1, false), rows(400, 2, false), samples, {0, 1}},
                             {rows(300, 3, false), rows(400, 4, false), samples, {2, 3}}};
    PredictiveFreedom freedom;
    freedom.trajectories = trajectories;
    return choose_predictive(mlp(1, {}, 1), rounded_forward, normal, parts, freedom);
  };
  const PredictiveSelection two = choose_for(0), many = choose_for(20);
  CHECK(many.average > two.average);
  CHECK(many.choice.scale <= two.choice.scale);
  CHECK(!many.choice.collapsed);  // its gain would not last
}

TEST_CASE("noise that does not fit is corrected, and noise that does is left alone") {
  const PredictiveSelection fitting = choose(1, 0.5, false);
  CHECK(fitting.choice.scale == 1);
  // None were seen among 400 rows: by Laplace's rule.
  CHECK(fitting.choice.outliers == 1.0 / 402);
  CHECK(fitting.choice.outlier_scale == 10);
  const PredictiveSelection narrow = choose(1, 0.25, false);
  CHECK(narrow.choice.scale == 2);
  CHECK(narrow.average > choose(1, 0.25, false, {{}, {}, false}).average + 0.3);
  const PredictiveSelection heavy = choose(1, 0.5, true);
  CHECK(heavy.choice.outliers > 0);
  CHECK(heavy.choice.outlier_scale >= 3);
  CHECK(choose(1, 0.25, false, {{}, {}, false}).choice.scale == 1);
  CHECK(choose(1, 0.25, false, {{}, {}, false}).choice.outliers == 0);
}

TEST_CASE("scores are those of the predictive law") {
  const HeldOut parts[] = {{rows(50, 1, true), rows(20, 2, true), {sample(1, 0.3)}, {0}}};
  const encoders::Network network = mlp(1, {}, 1);
  const PredictiveSelection found = choose_predictive(network, rounded_forward, normal, parts, {});
  CollapseOptions options;
  options.partition = found.choice.collapsed ? "last" : "none";
  options.options.lambda = found.choice.lambda;
  options.options.temperature = found.choice.temperature;
  const auto collapsed = collapse(network, rounded_forward, normal, parts[0].samples,
                                  parts[0].trajectories, &parts[0].training, options);
  PredictiveOptions predicting;
  predicting.noise.scale = found.choice.scale;
  predicting.noise.outliers = found.choice.outliers;
  predicting.noise.outlier_scale = found.choice.outlier_scale;
  double sum = 0;
  for (const Forecast& forecast :
       forecasts(network, rounded_forward, normal, {{0}, {1}, 0, 1}, parts[0].samples, collapsed,
                 parts[0].validation, predicting))
    sum += forecast.log_density;
  CHECK(found.corrected == doctest::Approx(sum / 20).epsilon(1e-9));
}

TEST_CASE("degrees of freedom of Student's law are those of the rows, and scores of the law") {
  Observation student = normal;
  student.tails = {Tails::Kind::student, 10};
  const auto draw = [](std::uint64_t seed) {  // y = x and noise of scale 1/2, freedom 3
    Random random(seed);
    Dataset result{Matrix(600, 1), {}};
    for (std::size_t i = 0; i < 600; ++i) {
      result.inputs.at(i, 0) = random.normal();
      double squares = 0;
      for (int k = 0; k < 3; ++k) squares += std::pow(random.normal(), 2);
      result.targets.push_back(result.inputs.at(i, 0) +
                               0.5 * random.normal() / std::sqrt(squares / 3));
    }
    return result;
  };
  const HeldOut parts[] = {{draw(1), draw(2), {sample(1, 0.5)}, {0}}};
  const encoders::Network network = mlp(1, {}, 1);
  const PredictiveSelection found = choose_predictive(network, rounded_forward, student, parts);
  CHECK(found.choice.freedom >= 2.5);
  CHECK(found.choice.freedom <= 6);
  CHECK(found.choice.outliers == 0);
  CHECK(outcome_noise(student, &found.choice).kind == OutcomeNoise::Kind::student);
  CHECK(outcome_noise(student, nullptr).freedom == 10);
  CHECK(outcome_noise(normal, nullptr).kind == OutcomeNoise::Kind::gaussian);
  // A number that is given is kept, and a collapse's score is that of the law, to five digits.
  PredictiveFreedom freedom;
  freedom.freedoms = {4};
  for (const double w : {1.0, 1.3}) {
    const HeldOut tried[] = {{draw(1), draw(2), {sample(w, 0.5)}, {0}}};
    const PredictiveSelection kept =
        choose_predictive(network, rounded_forward, student, tried, freedom);
    CHECK((kept.choice.freedom == 4 || kept.choice.freedom == 10));
    CollapseOptions options;
    options.partition = kept.choice.collapsed ? "last" : "none";
    options.options.lambda = kept.choice.lambda;
    options.options.temperature = kept.choice.temperature;
    const auto collapsed = collapse(network, rounded_forward, student, tried[0].samples,
                                    tried[0].trajectories, &tried[0].training, options);
    PredictiveOptions predicting;
    predicting.noise = outcome_noise(student, &kept.choice);
    double sum = 0;
    for (const Forecast& forecast :
         forecasts(network, rounded_forward, student, {{0}, {1}, 0, 1}, tried[0].samples, collapsed,
                   tried[0].validation, predicting))
      sum += forecast.log_density;
    CHECK(kept.corrected == doctest::Approx(sum / 600).epsilon(1e-5));
  }
  const PredictiveSelection wrong =
      choose_predictive(network, rounded_forward, student,
                        std::vector<HeldOut>{{draw(1), draw(2), {sample(3, 0.5)}, {0}}});
  CHECK(wrong.choice.collapsed);
}

TEST_CASE("overconfident logits are divided") {
  const Observation two{Observation::Kind::sigmoid};
  Random random(5);
  HeldOut part;
  for (Dataset* data : {&part.training, &part.validation}) {
    data->inputs = Matrix(400, 1);
    for (std::size_t i = 0; i < 400; ++i) {
      const double x = data->inputs.at(i, 0) = random.normal();
      data->targets.push_back(random.uniform() < 1 / (1 + std::exp(-3 * x)) ? 1 : 0);
    }
  }
  Weights weights;
  weights["fc1.weight"] = {{1, 1}, {8}};  // far too sure
  weights["fc1.bias"] = {{1}, {0}};
  part.samples = {weights};
  part.trajectories = {0};
  PredictiveFreedom freedom;
  freedom.lambdas = {1e9};  // the collapse has no weight left
  const PredictiveSelection found =
      choose_predictive(mlp(1, {}, 1), rounded_forward, two, std::span(&part, 1), freedom);
  CHECK(!found.choice.collapsed);
  CHECK(found.choice.scale >= 2);
  PredictiveFreedom fixed = freedom;
  fixed.correction = false;
  CHECK(found.average >
        choose_predictive(mlp(1, {}, 1), rounded_forward, two, std::span(&part, 1), fixed).average);
}

TEST_CASE("lambda of the largest marginal likelihood is found, and taken where it is as good") {
  const PredictiveSelection found = choose(3, 0.5, false, {{1, 1e4}, {}, false});
  CHECK(found.evidence_lambda == 1);
  CHECK(found.evidence_score >= found.validated_score);  // both halves of the rows choose it too
  CHECK(found.choice.lambda == 1);
  CHECK(choose(1, 0.5, false, {{1}, {}, false}).evidence_lambda == 0);  // nothing to choose
}

TEST_CASE("samples are stacked where they are those that predict, and only where that helps") {
  // The collapse has no weight left, so that samples of slope 1 and 3 are averaged.
  const auto choose_among = [](std::vector<Weights> samples, bool final_samples) {
    const HeldOut parts[] = {{rows(300, 1, false), rows(400, 2, false), samples, {0, 1, 2}}};
    return choose_predictive(mlp(1, {}, 1), rounded_forward, normal, parts,
                             {{1e9}, {}, false, true, final_samples});
  };
  const std::vector<Weights> one_right{sample(3, 0.5), sample(1, 0.5), sample(-1, 0.5)};
  const PredictiveSelection stacked = choose_among(one_right, true);
  REQUIRE(stacked.choice.weights.size() == 3);
  CHECK(stacked.choice.weights[1] > 0.95);
  CHECK(stacked.score > stacked.unweighted + 0.5);
  const PredictiveSelection passing = choose_among(one_right, false);  // they are trained anew
  CHECK(passing.choice.weights.empty());
  CHECK(std::isinf(passing.stacked));
  const std::vector<Weights> alike{sample(1, 0.5), sample(1, 0.5), sample(1, 0.5)};
  CHECK(choose_among(alike, true).choice.weights.empty());

  std::vector<CollapsedSample> collapsed(2);
  weigh_samples(stacked.choice, mlp(1, {}, 1), rounded_forward, {}, nullptr, {}, collapsed);
  CHECK(collapsed[1].weight == stacked.choice.weights[1]);
  collapsed.resize(4);
  CHECK_THROWS_AS(
      weigh_samples(stacked.choice, mlp(1, {}, 1), rounded_forward, {}, nullptr, {}, collapsed),
      Error);
}

TEST_CASE("samples weigh by evidence where that helps") {
  const std::vector<Weights> samples{sample(2, 0.5), sample(2, 5)};
  const HeldOut parts[] = {{rows(300, 1, false), rows(400, 2, false), samples, {0, 1}},
                           {rows(300, 3, false), rows(400, 4, false), samples, {0, 1}}};
  const encoders::Network network = mlp(1, {}, 1);
  const PredictiveSelection found =
      choose_predictive(network, rounded_forward, normal, parts, {{1}, {1}, false});
  REQUIRE(found.choice.collapsed);
  CHECK(found.choice.evidence_power > 0);
  CHECK(found.score > found.unweighted + 0.3);
  CHECK(choose_predictive(network, rounded_forward, normal, parts, {{1}, {1}, false, false})
            .choice.evidence_power == 0);
  CollapseOptions options;
  options.options = {1, 1, 1};
  std::vector<CollapsedSample> collapsed =
      collapse(network, rounded_forward, normal, samples, {}, &parts[0].training, options);
  weigh_samples(found.choice, network, rounded_forward, samples, &parts[0].training,
                options.options, collapsed);
  CHECK(collapsed[0].weight > 0.9);
  CHECK(collapsed[0].weight + collapsed[1].weight == doctest::Approx(1));
}

TEST_CASE("without validation rows nothing can be chosen") {
  CHECK_THROWS_AS(choose_predictive(mlp(1, {}, 1), rounded_forward, normal, {}, {}), Error);
}

}  // namespace wmi::bnn
