#include "bnn/collapse/output_law.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "bnn/collapse/collapse.h"
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
