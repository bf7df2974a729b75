#include "frontends/learning/run_summary.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace wmi;
using namespace wmi::frontends;

namespace {

bnn::Weights weights(double first, double second, double bias) {
  bnn::Weights result;
  result.emplace("fc.weight", encoders::Tensor<double>({1, 2}, {first, second}));
  result.emplace("fc.bias", encoders::Tensor<double>({1}, {bias}));
  return result;
}

encoders::Network network() { return {{2}, {{"fc", encoders::Linear{}, {"input"}}}, {"fc"}, {}}; }

std::string fact(const std::vector<std::pair<std::string, std::string>>& facts,
                 const std::string& name) {
  const auto found = std::ranges::find(facts, name, &std::pair<std::string, std::string>::first);
  return found == facts.end() ? "" : found->second;
}

}  // namespace

TEST_CASE("the spread of samples is taken within each trajectory") {
  // Means of the weights: (2, 0) and (-8, 6); variances 2, 0 and 8, 0.
  const std::vector<bnn::Weights> samples{weights(1, 0, 5), weights(3, 0, 5), weights(-10, 6, 5),
                                          weights(-6, 6, 5)};
  const std::vector<std::size_t> trajectories{0, 0, 1, 1};
  const std::vector<TensorSpread> found = spread(samples, trajectories);
  REQUIRE(found.size() == 2);
  CHECK(found[0].name == "fc.bias");
  CHECK(found[0].size == 5);
  CHECK(found[0].deviation == 0);
  CHECK(found[1].entries == 2);
  CHECK(found[1].size == doctest::Approx(std::sqrt((4 + 0 + 64 + 36) / 4.0)));
  CHECK(found[1].deviation == doctest::Approx(std::sqrt((2 + 0 + 8 + 0) / 4.0)));
}

TEST_CASE("a single sample has no spread") {
  const std::vector<bnn::Weights> samples{weights(3, 4, 0)};
  const std::vector<std::size_t> trajectories{0};
  CHECK(spread(samples, trajectories)[1].size == doctest::Approx(std::sqrt(12.5)));
  CHECK(spread(samples, trajectories)[1].deviation == 0);
  CHECK(spread({}, {}).empty());
}

TEST_CASE("each trajectory has a curve of training losses and one of validation losses") {
  const auto curves = loss_curves(
      "trajectory,epoch,phase,rate,loss,validation\n"
      "0,1,train,0.1,2.5,3\n0,2,train,0.1,1.5,\n1,1,train,0.1,4,\n1,2,sample,0.1,nan,5\n");
  REQUIRE(curves.size() == 4);
  CHECK(curves[0].name == "trajectory 0");
  CHECK(!curves[0].validation);
  CHECK(curves[0].values == std::vector<double>{2.5, 1.5});
  CHECK(curves[1].validation);
  CHECK(curves[1].epochs == std::vector<double>{1});
  CHECK(curves[2].values == std::vector<double>{4});
  CHECK(curves[3].epochs == std::vector<double>{2});
}

TEST_CASE("the training that chooses the sampling rate has curves of its own") {
  const auto curves = loss_curves(
      "trajectory,epoch,phase,rate,loss,validation\n"
      "0,1,choice,0.1,2.5,3\n0,2,choice,0.1,1.5,2\n0,1,train,0.1,4,\n0,2,sample,0.1,3,\n");
  REQUIRE(curves.size() == 3);
  CHECK(curves[0].name == "choosing");
  CHECK(curves[1].name == "choosing");
  CHECK(curves[1].values == std::vector<double>{3, 2});
  CHECK(curves[2].name == "training");
  CHECK(curves[2].values == std::vector<double>{4, 3});
}

TEST_CASE("a recipe is listed one setting a line; other text is unchanged") {
  CHECK(recipe_lines(R"({"epochs": 300, "hidden": "50,20"})") == "epochs: 300\nhidden: 50,20\n");
  CHECK(recipe_lines("by hand") == "by hand");
  CHECK(recipe_lines(R"({"a": [1]})") == R"({"a": [1]})");
}

TEST_CASE("columns and cells of metrics.csv that are not understood are skipped") {
  const auto plain = loss_curves("epoch,loss\n1,0.5\n2,0.25\n");
  REQUIRE(plain.size() == 1);
  CHECK(plain[0].name == "training");
  CHECK(plain[0].values == std::vector<double>{0.5, 0.25});
  CHECK(loss_curves("time,error\n1,0.5\n").empty());
}

TEST_CASE("the facts of a run name its data, network, likelihood and samples") {
  Run run;
  run.network = network();
  run.schema.target = "price";
  run.schema.features = {{"rooms", {}}, {"kind", {"flat", "house"}}};
  run.samples = {{"samples/000.safetensors", 0}, {"samples/001.safetensors", 2}};
  run.seed = 7;
  run.complete = false;
  const auto facts = run_facts(run, 40, weights(1, 2, 3));
  CHECK(fact(facts, "training rows") == "40");
  CHECK(fact(facts, "target") == "price, a number");
  CHECK(fact(facts, "inputs") == "3: rooms, kind=flat, kind=house");
  CHECK(fact(facts, "network") == "linear 1; 3 parameters");
  CHECK(fact(facts, "samples") == "2 from 2 trajectories");
  CHECK(fact(facts, "seed") == "7");
  CHECK(fact(facts, "state") == "the training was interrupted");
  run.schema.classes = {"yes", "no"};
  CHECK(fact(run_facts(run, 0, {}), "target") == "price, one of 2 classes: yes, no");
  CHECK(fact(run_facts(run, 0, {}), "training rows").empty());
  CHECK(fact(layer_facts(run.network, weights(1, 2, 3)), "fc") ==
        "linear of input; bias [1]; weight [1, 2]");
}
