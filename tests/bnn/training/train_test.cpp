#include "bnn/training/train.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bnn/numeric/random.h"
#include "bnn/training/mlp.h"
#include "bnn/training/parameters.h"
#include "bnn/training/sample_quality.h"
#include "solver/terms/error.h"

using namespace wmi;
using namespace wmi::bnn;

namespace {

/// y = 2x - 1 and some noise, on x from -1 to 1.
Dataset line(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  Dataset data{Matrix(rows, 1), {}};
  for (std::size_t i = 0; i < rows; ++i) {
    data.inputs.at(i, 0) = 2 * random.uniform() - 1;
    data.targets.push_back(2 * data.inputs.at(i, 0) - 1 + 0.1 * random.normal());
  }
  return data;
}

Recipe small_recipe() {
  Recipe recipe;
  recipe.epochs = 20;
  recipe.batch = 8;
  recipe.samples = 4;
  recipe.every = 2;
  recipe.sampling_rate = 0.02;
  return recipe;
}

}  // namespace

TEST_CASE("a linear model of known noise learns the line and the noise") {
  const encoders::Network network = mlp(1, {}, 1);
  const Observation observation{Observation::Kind::homoscedastic};
  Recipe recipe = small_recipe();
  recipe.epochs = 200;
  recipe.weight_decay = 0;
  recipe.sampling_rate = 0.001;
  const Trajectory found =
      train(network, make_dense_model, observation, line(200, 1), {}, recipe, 1);
  REQUIRE(found.samples.size() == 4);
  const Weights& last = found.samples.back();
  CHECK(last.at("fc1.weight").entries[0] == doctest::Approx(2).epsilon(0.05));
  CHECK(last.at("fc1.bias").entries[0] == doctest::Approx(-1).epsilon(0.05));
  const double noise = std::sqrt(variance(observation, last.at(raw_variance_name).entries[0]));
  CHECK(noise == doctest::Approx(0.1).epsilon(0.2));
}

namespace {

/// A network of two hidden units in a row, each dead for most initial weights.
encoders::Network bottleneck() { return mlp(1, {1, 1, 1}, 2); }

/// The variance over rows of the mean that the last sample predicts.
double moved(const encoders::Network& network, const Trajectory& found, const Dataset& rows) {
  const Matrix outputs = bnn::outputs(network, make_dense_model, found.samples.back(), rows.inputs);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    sum += outputs.at(i, 0);
    squares += outputs.at(i, 0) * outputs.at(i, 0);
  }
  const auto count = static_cast<double>(rows.rows());
  return squares / count - sum / count * (sum / count);
}

}  // namespace

TEST_CASE("a training whose units are dead begins again with other weights") {
  const encoders::Network network = bottleneck();
  const Observation observation{Observation::Kind::heteroscedastic};
  const Dataset rows = line(100, 5);
  Recipe recipe = small_recipe();
  recipe.epochs = 50;
  recipe.rate = 0.01;
  recipe.optimizer = Recipe::Optimizer::adam;
  int restarted = 0, dead = 0, dead_before = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    std::vector<std::size_t> left;
    Hooks hooks;
    hooks.checkpoint = [&](const Checkpoint& state, bool) { left.push_back(state.restarts_left); };
    const Trajectory found =
        train(network, make_dense_model, observation, rows, {}, recipe, seed, hooks);
    // From given weights there is no restart; those of the first attempt are the usual ones.
    const Weights first =
        initial_weights(weights_of(network, observation), mixed(seed, std::uint64_t{0}));
    const Trajectory once =
        train(network, make_dense_model, observation, rows, {}, recipe, seed, {}, first);
    restarted += left.back() < 3;
    dead += moved(network, found, rows) < 1e-6;
    dead_before += moved(network, once, rows) < 1e-6;
    if (left.back() == 3) CHECK(found.samples == once.samples);  // the same training
    CHECK(found.metrics.size() == 58);  // 50 epochs and those of the samples, whatever happened
  }
  CHECK(restarted >= 3);
  CHECK(dead_before >= 3);
  CHECK(dead < dead_before);
}

TEST_CASE("an interrupted restart resumes to the same samples") {
  const encoders::Network network = bottleneck();
  const Observation observation{Observation::Kind::heteroscedastic};
  const Dataset rows = line(100, 5);
  Recipe recipe = small_recipe();
  recipe.epochs = 50;
  recipe.optimizer = Recipe::Optimizer::adam;
  recipe.rate = 0.01;
  int resumed = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    std::optional<Checkpoint> between;  // right after a restart
    Hooks hooks;
    hooks.checkpoint = [&](const Checkpoint& state, bool) {
      if (state.restarts_left == 2 && !between) between = state;
    };
    const Trajectory whole =
        train(network, make_dense_model, observation, rows, {}, recipe, seed, hooks);
    if (!between) continue;
    ++resumed;
    CHECK(between->metrics.empty());
    const Trajectory rest =
        train(network, make_dense_model, observation, rows, {}, recipe, seed, {}, {}, &*between);
    CHECK(rest.samples == whole.samples);
  }
  CHECK(resumed > 0);
}

TEST_CASE("a classification is learnt by both likelihoods") {
  Dataset data = line(100, 2);
  for (std::size_t i = 0; i < data.rows(); ++i) data.targets[i] = data.inputs.at(i, 0) > 0 ? 1 : 0;
  Recipe recipe = small_recipe();
  recipe.epochs = 200;
  recipe.rate = 0.1;
  for (const Observation::Kind kind : {Observation::Kind::sigmoid, Observation::Kind::softmax}) {
    const Observation observation{kind};
    const encoders::Network network = mlp(1, {4}, kind == Observation::Kind::softmax ? 2 : 1);
    const Trajectory found = train(network, make_dense_model, observation, data, {}, recipe, 3);
    CHECK(average_log_likelihood(network, make_dense_model, observation, found.samples, data) >
          std::log(0.8));
  }
}

TEST_CASE("the seed decides the samples") {
  const encoders::Network network = mlp(1, {3}, 2);
  const Dataset data = line(30, 1);
  const Recipe recipe = small_recipe();
  const Trajectory once = train(network, make_dense_model, {}, data, {}, recipe, 5);
  CHECK(train(network, make_dense_model, {}, data, {}, recipe, 5).samples == once.samples);
  CHECK(train(network, make_dense_model, {}, data, {}, recipe, 6).samples != once.samples);
  CHECK(once.metrics.size() == 28);
  CHECK(once.metrics[19].sampling == false);
  CHECK(once.metrics[20].sampling == true);
  CHECK(once.epochs == 20);
}

TEST_CASE("a training resumed from any checkpoint ends as if never interrupted") {
  const encoders::Network network = mlp(1, {3}, 2, "relu", 0.2);
  const Dataset data = line(30, 1), validation = line(10, 2);
  Recipe recipe = small_recipe();
  recipe.from_best = true;
  for (const auto schedule : {Recipe::Schedule::linear, Recipe::Schedule::plateau}) {
    recipe.schedule = schedule;
    recipe.plateau_patience = 2;
    recipe.every_steps = schedule == Recipe::Schedule::plateau;
    recipe.sampling = Recipe::Sampling::cyclic;
    std::vector<Checkpoint> checkpoints;
    Hooks hooks;
    hooks.checkpoint = [&](const Checkpoint& checkpoint, bool) {
      checkpoints.push_back(checkpoint);
    };
    const Trajectory whole =
        train(network, make_dense_model, {}, data, validation, recipe, 5, hooks);
    REQUIRE(whole.samples.size() == 4);
    REQUIRE(checkpoints.size() == whole.metrics.size());
    for (const Checkpoint& checkpoint : checkpoints) {
      const Trajectory rest =
          train(network, make_dense_model, {}, data, validation, recipe, 5, {}, {}, &checkpoint);
      const std::vector<Weights> expected(
          whole.samples.begin() + static_cast<std::ptrdiff_t>(checkpoint.samples),
          whole.samples.end());
      CHECK(rest.samples == expected);
      REQUIRE(rest.metrics.size() == whole.metrics.size());
      CHECK(rest.metrics.back().loss == whole.metrics.back().loss);
    }
  }
}

TEST_CASE("a training that is asked to stop saves a checkpoint first") {
  std::stop_source source;
  source.request_stop();
  Hooks hooks;
  hooks.stop = source.get_token();
  std::size_t saved = 0;
  hooks.checkpoint = [&](const Checkpoint& checkpoint, bool last) {
    CHECK(last);
    saved = checkpoint.epoch;
  };
  CHECK_THROWS_AS(
      train(mlp(1, {3}, 2), make_dense_model, {}, line(30, 1), {}, small_recipe(), 5, hooks),
      Stopped);
  CHECK(saved == 1);
}

TEST_CASE("the linear schedule is constant, falls, and ends at 5 %") {
  Recipe recipe = small_recipe();
  recipe.epochs = 100;
  recipe.rate = 0.01;
  const Trajectory found = train(mlp(1, {3}, 2), make_dense_model, {}, line(10, 1), {}, recipe, 5);
  CHECK(found.metrics[0].rate == 0.01);
  CHECK(found.metrics[50].rate == 0.01);
  // Half way between 50 and 90: (1 + 0.05) / 2.
  CHECK(found.metrics[70].rate == doctest::Approx(0.00525));
  CHECK(found.metrics[90].rate == doctest::Approx(0.0005));
  CHECK(found.metrics[99].rate == doctest::Approx(0.0005));
  CHECK(found.metrics[100].rate == 0.02);
}

TEST_CASE("the schedule coslog4 has four cycles, each twice as long as the one before") {
  Recipe recipe = small_recipe();
  recipe.schedule = Recipe::Schedule::coslog;
  recipe.epochs = 1500;
  recipe.rate = 1e-200;  // steps too small to move a weight
  const Trajectory found =
      train(mlp(1, {3}, 2), make_dense_model, {}, line(8, 1), {}, recipe, 5);
  // The rate is 0 where 1 + 15 t is 1, 2, 4, 8 and 16, and largest at the roots of 2 between.
  for (const double power : {1.0, 2.0, 4.0, 8.0, 16.0}) {
    const auto zero = static_cast<std::size_t>(std::min(1499.0, 100 * (power - 1)));
    CHECK(found.metrics[zero].rate < 1e-3 * recipe.rate);
    if (power == 16) continue;
    const auto top = static_cast<std::size_t>(100 * (power * std::sqrt(2.0) - 1));
    CHECK(found.metrics[top].rate > 0.999 * recipe.rate);
  }
}

TEST_CASE("under fan-in rates the first step of adam moves weights by the rate over a root") {
  Recipe recipe = small_recipe();
  recipe.optimizer = Recipe::Optimizer::adam;
  recipe.schedule = Recipe::Schedule::constant;
  recipe.fan_in_rates = true;
  recipe.bias_factor = 1;
  recipe.weight_decay = 0;
  recipe.clip = 0;
  recipe.rate = 1e-4;
  recipe.epochs = 1;
  recipe.batch = 100;
  const encoders::Network network = mlp(1, {9}, 2, "tanh");
  const Weights before = initial_weights(weights_of(network, {}), 3);
  std::vector<Weights> after;
  Hooks hooks;
  const Layout layout = make_layout(weights_of(network, {}));
  hooks.checkpoint = [&](const Checkpoint& checkpoint, bool) {
    if (after.empty()) after.push_back(to_weights(layout, checkpoint.parameters));
  };
  train(network, make_dense_model, {}, line(30, 1), {}, recipe, 5, hooks, before);
  REQUIRE(after.size() == 1);
  for (const auto& [name, expected] :
       {std::pair{"fc1.weight", 1e-4}, {"fc1.bias", 1e-4}, {"fc2.weight", 1e-4 / 3}})
    for (std::size_t i = 0; i < before.at(name).entries.size(); ++i) {
      CAPTURE(name);
      CHECK(std::abs(after[0].at(name).entries[i] - before.at(name).entries[i]) ==
            doctest::Approx(expected).epsilon(1e-3));
    }
}

TEST_CASE("on a plateau the rate falls by the factor") {
  Recipe recipe = small_recipe();
  recipe.schedule = Recipe::Schedule::plateau;
  recipe.plateau_patience = 1;
  recipe.rate = 0;  // nothing ever gets better: 0 * 0.8 is 0 all the same
  recipe.epochs = 8;
  std::vector<double> rates;
  Hooks hooks;
  hooks.checkpoint = [&](const Checkpoint& checkpoint, bool) {
    if (!checkpoint.sampling) rates.push_back(static_cast<double>(checkpoint.plateau_epochs));
  };
  Dataset data = line(8, 1);  // one batch, so that the loss is always the same
  train(mlp(1, {3}, 2), make_dense_model, {}, data, data, recipe, 5, hooks);
  // The first epoch is the best; then every second one without a better loss is a plateau.
  CHECK(rates == std::vector<double>{0, 1, 0, 1, 0, 1, 0, 1});
  // Steps too small to move a weight: the same plateaus, and a rate that shows them.
  recipe.rate = 1e-200;
  const Trajectory found = train(mlp(1, {3}, 2), make_dense_model, {}, data, data, recipe, 5);
  for (std::size_t i = 0; i < 8; ++i) {
    CAPTURE(i);
    CHECK(found.metrics[i].rate / recipe.rate ==
          doctest::Approx(std::pow(0.8, static_cast<double>(i < 1 ? 0 : (i - 1) / 2))));
  }
}

TEST_CASE("a cyclic rate falls to 5 % at each sample and starts anew") {
  Recipe recipe = small_recipe();
  recipe.sampling = Recipe::Sampling::cyclic;
  recipe.epochs = 2;
  recipe.every = 2;
  // One batch is one step: cycles of two steps, at the rate and at 5 % of it.
  const Trajectory steps = train(mlp(1, {3}, 2), make_dense_model, {}, line(8, 1), {}, recipe, 5);
  REQUIRE(steps.metrics.size() == 2 + 4 * 2);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(steps.metrics[2 + 2 * i].rate == doctest::Approx(0.02));
    CHECK(steps.metrics[3 + 2 * i].rate == doctest::Approx(0.001));
  }
  // Three steps an epoch, cycles of two epochs: metrics have the last rate of each, after 3 and 6
  // of the six steps, 1 - 0.95 * 2/5 and 5 % of it.
  const Trajectory epochs = train(mlp(1, {3}, 2), make_dense_model, {}, line(24, 1), {}, recipe, 5);
  CHECK(epochs.metrics[2].rate == doctest::Approx(0.02 * 0.62));
  CHECK(epochs.metrics[3].rate == doctest::Approx(0.001));
  CHECK(epochs.samples.size() == 4);
  // Cycles of three steps whatever the epochs are; a constant rate ends elsewhere.
  recipe.every = 3;
  recipe.every_steps = true;
  const Trajectory cyclic = train(mlp(1, {3}, 2), make_dense_model, {}, line(30, 1), {}, recipe, 5);
  recipe.sampling = Recipe::Sampling::constant;
  const Trajectory constant =
      train(mlp(1, {3}, 2), make_dense_model, {}, line(30, 1), {}, recipe, 5);
  CHECK(cyclic.samples.size() == 4);
  CHECK(cyclic.samples[0] != constant.samples[0]);
}

TEST_CASE("patience ends a training, and sampling starts at its best epoch") {
  // Validation rows that the training rows contradict: the first epochs are the best.
  const Dataset data = line(30, 1);
  Dataset opposite = data;
  for (double& target : opposite.targets) target = -target;
  Recipe recipe = small_recipe();
  recipe.epochs = 1000;
  recipe.rate = 0.05;
  recipe.patience = 5;
  recipe.from_best = true;
  recipe.sampling_rate = 0;  // samples stay where they start
  std::vector<Checkpoint> checkpoints;
  Hooks hooks;
  hooks.checkpoint = [&](const Checkpoint& checkpoint, bool) { checkpoints.push_back(checkpoint); };
  const encoders::Network network = mlp(1, {3}, 2);
  const Trajectory found = train(network, make_dense_model, {}, data, opposite, recipe, 5, hooks);
  REQUIRE(found.best_epoch > 0);
  CHECK(found.epochs == found.best_epoch + 5);
  CHECK(found.epochs < 1000);
  const Layout layout = make_layout(weights_of(network, {}));
  CHECK(found.samples[0] == to_weights(layout, checkpoints[found.best_epoch - 1].parameters));
}

TEST_CASE("samples are taken every so many steps") {
  Recipe recipe = small_recipe();
  recipe.every = 3;
  recipe.every_steps = true;
  const Trajectory found = train(mlp(1, {3}, 2), make_dense_model, {}, line(30, 1), {}, recipe, 5);
  CHECK(found.samples.size() == 4);
  CHECK(found.metrics.size() == 23);  // 12 steps are 3 epochs of 4
}

TEST_CASE("of all rates the one with the best validation likelihood is chosen") {
  const encoders::Network network = mlp(1, {5}, 2);
  const double rates[] = {0.001, 0.02, 10};
  const TrainingChoice choice =
      choose(network, make_dense_model, {}, line(40, 1), line(40, 2), small_recipe(), rates, 1, 2);
  REQUIRE(choice.scores.size() == 3);
  for (const auto& [rate, score] : choice.scores)
    CHECK((rate == choice.sampling_rate ||
           score <= std::max({choice.scores[0].second, choice.scores[1].second})));
  CHECK(choice.sampling_rate != 10);
  CHECK(choice.epochs == 20);
  const TrainingChoice other =
      choose(network, make_dense_model, {}, line(40, 1), line(40, 2), small_recipe(), rates, 1, 1);
  CHECK(other.scores == choice.scores);  // whatever the number of threads
}

TEST_CASE("a training that diverges is refused with its epoch") {
  Recipe recipe = small_recipe();
  recipe.clip = 0;
  recipe.rate = 1e6;
  try {
    train(mlp(1, {3}, 1), make_dense_model, {Observation::Kind::homoscedastic}, line(30, 1), {},
          recipe, 5);
    FAIL("it did not");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("diverges in epoch") != std::string::npos);
  }
}
