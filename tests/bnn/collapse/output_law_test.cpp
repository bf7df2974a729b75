#include "bnn/collapse/output_law.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "bnn/collapse/collapse.h"
#include "bnn/numeric/random.h"
#include "bnn/predictive/fast_law.h"
#include "tests/bnn/forward.h"
#include "tests/bnn/random_samples.h"

namespace wmi::bnn {
namespace {

const Observation observation{Observation::Kind::heteroscedastic, Observation::Link::exponential,
                              1e-6};

TEST_CASE("the unknown weights chosen by effect are those that count at the input") {
  std::vector<Weights> samples = trajectory(20, 6, 0.1);
  const auto collapsed =
      collapse(small_network(), rounded_forward, observation, samples, {}, nullptr,
               {.partition = "last:1", .choose = "effect", .posterior = "minmax"});
  // Only unit 2 is on: among weights of like ranges it has the largest effect, or else the bias.
  const auto at = chosen(collapsed[0], std::vector<double>{0, 0, 1000});
  REQUIRE(at.size() == 1);
  CHECK(collapsed[0].rows[0].candidates[at[0].candidate].name == "fc2.weight[0,2]");
  const auto dead = chosen(collapsed[0], std::vector<double>{0, 0, 0});
  CHECK(collapsed[0].rows[0].candidates[dead[0].candidate].name == "fc2.bias[0]");
  // All units dead and a bias without width: a point mass, whatever is collapsed.
  for (Weights& sample : samples) sample["fc2.bias"].entries = {0.5, 0};
  const auto fixed = collapse(small_network(), rounded_forward, observation, samples, {}, nullptr,
                              {.partition = "last", .posterior = "minmax"});
  const auto law = output_laws(fixed[0], std::vector<double>{0, 0, 0}, std::vector<double>{0.5, 0});
  CHECK(FastLaw(law[0], {}).inner_variance() == 0);
  CHECK(FastLaw(law[0], {}).mean() == 0.5);
}

TEST_CASE("second:k+bias takes weights and the bias of the unit with the most effect") {
  std::vector<Weights> samples = trajectory(26, 6, 0.1);
  for (const char* choose : {"effect", "variance"}) {
    CAPTURE(choose);
    // Unit 1 moves most; unit 2 moves more still by effect at an input where its weight counts.
    for (std::size_t k = 0; k < samples.size(); ++k) {
      samples[k]["fc1.weight"].entries = {0.5, 0.5, 1.0 * static_cast<double>(k), 1, 0.5, 0.5};
      samples[k]["fc1.weight"].entries[5] += 0.5 * static_cast<double>(k);
      samples[k]["fc1.bias"].entries = {0.25, 0, 0};
      samples[k]["fc2.weight"].entries = {1, 1, 1, 0, 0, 0};
    }
    const auto collapsed =
        collapse(small_network(), rounded_forward, observation, samples, {}, nullptr,
                 {.partition = "second:1+bias", .choose = choose, .posterior = "minmax"});
    const auto names = [&](std::vector<double> input) {
      std::vector<std::string> result;
      for (const Chosen& each : chosen(collapsed[0], input))
        result.push_back(collapsed[0].rows[0].candidates[each.candidate].name);
      return result;
    };
    const std::vector<std::string> one{"fc1.weight[1,0]", "fc1.bias[1]"};
    const std::vector<std::string> two{"fc1.weight[2,1]", "fc1.bias[2]"};
    CHECK(names({1, 1}) == one);
    CHECK(names({0.1, 1}) == (std::string_view(choose) == "effect" ? two : one));
  }
}

TEST_CASE("exact laws of doubles are those of the same rational numbers") {
  Random random(5);
  const auto any = [&] {  // zeros, and numbers of all sizes
    if (random.uniform() < 0.2) return 0.0;
    return random.normal() * std::pow(10.0, random.uniform() < 0.1 ? 300 * random.uniform() - 310
                                                                   : 6 * random.uniform() - 3);
  };
  const auto check = [](const CollapsedSample& sample, const std::vector<double>& entering,
                        const std::vector<double>& outputs) {
    const std::vector<Rational> exact_entering(entering.begin(), entering.end()),
        exact_outputs(outputs.begin(), outputs.end());
    const auto found = exact_output_laws(sample, entering, outputs),
               expected = output_laws(sample, exact_entering, exact_outputs);
    REQUIRE(found.size() == expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      CHECK(found[k].constant == expected[k].constant);
      CHECK(found[k].deviation == expected[k].deviation);
      CHECK(found[k].noise == expected[k].noise);
      CHECK(found[k].weight == expected[k].weight);
      REQUIRE(found[k].terms.size() == expected[k].terms.size());
      for (std::size_t i = 0; i < found[k].terms.size(); ++i)
        CHECK(found[k].terms[i].coefficient == expected[k].terms[i].coefficient);
    }
  };
  // A whole row under a joint Gaussian, which has a path of its own.
  for (int repetition = 0; repetition < 300; ++repetition) {
    CollapsedSample sample;
    sample.layers = UnknownLayers::last;
    sample.observation = observation;
    sample.weight = random.uniform();
    sample.rows.resize(1);
    CollapsedSample::Row& row = sample.rows[0];
    std::vector<double> entering;
    for (std::size_t i = 0; i < 4; ++i) {
      row.candidates.push_back({0, i, {}, "", false});
      row.joint.mean.push_back(any());
      row.weights.push_back(any());
      if (i < 3) entering.push_back(any());
    }
    row.weights.pop_back();
    row.most = 4;
    row.whole = true;
    row.joint.covariance = Matrix(4, 4);
    for (std::size_t i = 0; i < 4; ++i) row.joint.covariance.at(i, i) = random.uniform();
    check(sample, entering, {any(), random.normal()});
  }
  const std::vector<Weights> samples = trajectory(28, 4, 0.1);
  for (const char* const partition : {"none", "last", "last:2", "second:2"})
    for (const CollapsedSample& sample :
         collapse(small_network(), rounded_forward, observation, samples, {}, nullptr,
                  {.partition = partition, .posterior = "minmax"}))
      check(sample,
            std::string_view(partition) == "second:2" ? std::vector<double>{any(), any()}
                                                      : std::vector<double>{any(), any(), any()},
            {random.normal(), random.normal()});
}

TEST_CASE("doubles and exact numbers give the same law") {
  const std::vector<Weights> samples = trajectory(27, 4, 0.1);
  const auto collapsed = collapse(small_network(), rounded_forward, observation, samples, {},
                                  nullptr, {.partition = "last:2", .posterior = "minmax"});
  const std::vector<double> entering{0.5, 0.25, 2}, outputs{1, 0};
  const std::vector<Rational> exact_entering{ratio(1, 2), ratio(1, 4), 2}, exact_outputs{1, 0};
  const OutputLaw<double> law = output_laws(collapsed[0], entering, outputs)[0];
  const OutputLaw<Rational> exact = output_laws(collapsed[0], exact_entering, exact_outputs)[0];
  CHECK(law.constant == doctest::Approx(exact.constant.get_d()));
  CHECK(law.noise == exact.noise);
  REQUIRE(law.terms.size() == 2);
  REQUIRE(exact.terms.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(law.terms[i].coefficient == exact.terms[i].coefficient.get_d());
    CHECK(law.terms[i].from == exact.terms[i].from.get_d());
    CHECK(law.terms[i].to == exact.terms[i].to.get_d());
  }
}

}  // namespace
}  // namespace wmi::bnn
