// Networks with smooth layers: their answers are enclosures, which hold what plain quadrature in
// doubles finds, and narrow with the width that is asked for.

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "frontends/ciber/network_query.h"
#include "frontends/networks/network.h"
#include "solver/answers/bounded_query.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/solve.h"
#include "tests/frontends/json_lines.h"
#include "tests/frontends/program.h"
#include "tests/frontends/reading.h"

namespace wmi::frontends {
namespace {

using encoders::Linear;
using encoders::Network;

const char* const smooth_types[] = {"tanh", "sigmoid", "gelu", "softplus", "hardswish"};

double smooth(const std::string& type, double x) {
  if (type == "tanh") return std::tanh(x);
  if (type == "sigmoid") return 1 / (1 + std::exp(-x));
  if (type == "gelu") return x * std::erfc(-x / std::numbers::sqrt2) / 2;
  if (type == "softplus") return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
  return x * std::clamp(x + 3, 0.0, 6.0) / 6;
}

encoders::Layer layer(std::string_view type) {
  return encoders::make_layer(
      type,
      encoders::Attributes(std::map<std::string, encoders::Attributes::Value, std::less<>>()));
}

/// fc1 -> act -> fc2: two units, two outputs; weights of both signs.
///
///     a = (3/2 x + 1/4, -x + 1/2), s = act(a), out = (s0 - 2 s1, 1/2 - s0/2 + s1)
Network small(const std::string& type) {
  return {{1},
          {{"fc1", Linear{}, {"input"}}, {"act", layer(type), {"fc1"}}, {"fc2", Linear{}, {"act"}}},
          {"fc2"},
          {{"fc1.weight", {{2, 1}, {ratio(3, 2), -1}}},
           {"fc1.bias", {{2}, {ratio(1, 4), ratio(1, 2)}}},
           {"fc2.weight", {{2, 2}, {1, -2, ratio(-1, 2), 1}}},
           {"fc2.bias", {{2}, {0, ratio(1, 2)}}}}};
}

struct Truth {
  double first, second;
};
Truth truth_of(const std::string& type, double x) {
  const double s0 = smooth(type, 1.5 * x + 0.25), s1 = smooth(type, -x + 0.5);
  return {s0 - 2 * s1, 0.5 - s0 / 2 + s1};
}

/// The mean of a function of x, uniform on [-1, 1]: the midpoint rule.
double mean_of(const std::function<double(double)>& function) {
  constexpr int points = 200'000;
  double sum = 0;
  for (int i = 0; i < points; ++i) sum += function(-1 + 2 * (i + 0.5) / points);
  return sum / points;
}

std::vector<Answer> answers(const Network& network, const NetworkQuery& asked,
                            const Enumerator& enumerator = *make_split()) {
  const Task task = make_task(network, asked);
  return enclosed(task, solve(task, enumerator, *make_auto({})).answers);
}

/// Holds the true answer, which is known up to `error`; returns the width.
double check_encloses(const Answer& answer, double truth, double error = 1e-5) {
  REQUIRE(answer.refused == "");
  REQUIRE(answer.value);
  CAPTURE(answer.value->lower.get_d());
  CAPTURE(answer.value->upper.get_d());
  CAPTURE(truth);
  CHECK(answer.value->lower.get_d() <= truth + error);
  CHECK(truth - error <= answer.value->upper.get_d());
  CHECK(answer.value->lower <= answer.value->upper);
  return Rational(answer.value->upper - answer.value->lower).get_d();
}

NetworkQuery about_input() {
  NetworkQuery asked;
  asked.unknowns = {"input[0]=[-1,1]"};
  return asked;
}

TEST_CASE("enclosures contain the true answers and narrow with the width") {
  for (const std::string type : smooth_types) {
    CAPTURE(type);
    const Network network = small(type);
    const auto first = [&](double x) { return truth_of(type, x).first; };
    const double mean = mean_of(first);
    const double variance = mean_of([&](double x) { return std::pow(first(x) - mean, 2); });
    const double c = first(0.3);  // first rises with x, so half of its values are below first(0)
    std::vector<double> before;
    for (const std::string width : {"1/10", "1/100"}) {
      CAPTURE(width);
      NetworkQuery asked = about_input();
      asked.width = width;
      asked.outputs = {"out[0]"};
      asked.questions = {{"mean", ""},
                         {"variance", ""},
                         {"cdf", to_string(Rational(c))},
                         {"quantile", "1/2"},
                         {"probability", "out[0] > out[1] - 1"},
                         {"largest", "0"},
                         {"probability", "0 <= out[0] + 2*act[1] - out[1] < 1 or input[0] > 1/2"}};
      const std::vector<Answer> found = answers(network, asked);
      REQUIRE(found.size() == 7);
      const auto larger = [&](double shift) {
        return mean_of([&](double x) {
          return truth_of(type, x).first + shift > truth_of(type, x).second ? 1.0 : 0.0;
        });
      };
      const auto event = [&](double x) {
        const Truth y = truth_of(type, x);
        const double sum = y.first + 2 * smooth(type, -x + 0.5) - y.second;
        return (sum >= 0 && sum < 1) || x > 0.5 ? 1.0 : 0.0;
      };
      const std::vector<double> widths = {
          check_encloses(found[0], mean),           check_encloses(found[1], variance),
          check_encloses(found[2], 0.65),           check_encloses(found[3], first(0)),
          check_encloses(found[4], larger(1)),      check_encloses(found[5], larger(0)),
          check_encloses(found[6], mean_of(event)),
      };
      for (std::size_t i = 0; i < widths.size(); ++i) {
        CAPTURE(i);
        if (i != 5) CHECK(widths[i] > 0);  // out[0] may be never the larger one, certainly
        if (!before.empty()) CHECK((widths[i] < before[i] / 4 || widths[i] == 0));
      }
      before = widths;
    }
    CHECK(before[0] < 0.04);  // three times the width of the layer at most
  }
}

TEST_CASE("both enumerators give the same enclosures") {
  NetworkQuery asked = about_input();
  asked.width = "1/10";
  asked.questions = {{"mean", ""}, {"variance", ""}, {"probability", "out[0] > out[1]"}};
  const std::vector<Answer> split = answers(small("gelu"), asked);
  const std::vector<Answer> z3 = answers(small("gelu"), asked, *make_z3());
  REQUIRE(split.size() == 5);
  for (std::size_t i = 0; i < split.size(); ++i) CHECK(split[i].value == z3[i].value);
}

TEST_CASE("enclosures hold for weights of either sign and for two smooth layers") {
  // y = w tanh(sigmoid(3x)), w on [-1, 2], x = 1: s = tanh(sigmoid(3)), E[y] = s/2,
  // Var[y] = 3/4 s^2, P(y <= 0) = 1/3.
  const Network network{{1},
                        {{"fc1", Linear{}, {"input"}},
                         {"a", layer("sigmoid"), {"fc1"}},
                         {"b", layer("tanh"), {"a"}},
                         {"fc2", Linear{}, {"b"}}},
                        {"fc2"},
                        {{"fc1.weight", {{1, 1}, {3}}}, {"fc2.weight", {{1, 1}, {5}}}}};
  NetworkQuery asked;
  asked.input = "1";
  asked.unknowns = {"fc2.weight[0,0]=[-1,2]"};
  asked.width = "1/1000";
  asked.questions = {{"mean", ""}, {"variance", ""}, {"cdf", "0"}, {"cdf", "1/2"}};
  const std::vector<Answer> found = answers(network, asked);
  const double s = std::tanh(1 / (1 + std::exp(-3.0)));
  CHECK(check_encloses(found[0], s / 2, 1e-12) < 0.003);
  CHECK(check_encloses(found[1], 0.75 * s * s, 1e-12) < 0.01);
  CHECK(check_encloses(found[2], 1.0 / 3, 1e-12) == 0);
  CHECK(check_encloses(found[3], (0.5 / s + 1) / 3, 1e-12) < 0.003);
}

TEST_CASE("answers under a condition behind a smooth layer are enclosed") {
  const std::string type = "tanh";
  const auto given = [&](double x) { return truth_of(type, x).second > 0.5 ? 1.0 : 0.0; };
  const auto conditioned = [&](const std::function<double(double)>& function) {
    return mean_of([&](double x) { return function(x) * given(x); }) / mean_of(given);
  };
  const auto first = [&](double x) { return truth_of(type, x).first; };
  NetworkQuery asked = about_input();
  asked.outputs = {"out[0]", "input[0]"};
  asked.given = "out[1] > 1/2";
  asked.questions = {{"mean", ""}, {"cdf", "-1/2"}, {"probability", "out[0] < -1"}};
  double before = 1e9;
  for (const std::string width : {"1/10", "1/100", "1/1000"}) {
    asked.width = width;
    const std::vector<Answer> found = answers(small(type), asked);
    REQUIRE(found.size() == 5);
    double widest = check_encloses(found[0], conditioned(first));
    widest = std::max(widest, check_encloses(found[1], conditioned([](double x) { return x; })));
    widest = std::max(widest, check_encloses(found[2], conditioned([&](double x) {
                                               return first(x) <= -0.5 ? 1.0 : 0.0;
                                             })));
    widest = std::max(
        widest,
        check_encloses(found[3], conditioned([](double x) { return x <= -0.5 ? 1.0 : 0.0; })));
    widest = std::max(
        widest,
        check_encloses(found[4], conditioned([&](double x) { return first(x) < -1 ? 1.0 : 0.0; })));
    CHECK(widest < before / 4);
    before = widest;
  }
  // A condition that no point meets, and one that may be met.
  asked.given = "out[1] > 100";
  CHECK(answers(small(type), asked)[0].undefined == "the condition has probability 0");
  // The greatest of out[1] is that at x = -1.
  asked.given = "out[1] >= " + to_string(Rational(truth_of(type, -1).second));
  CHECK(answers(small(type), asked)[0].undefined.starts_with(
      "the condition has a probability between 0 and "));
}

TEST_CASE("answers about an outcome around an enclosed output are enclosed") {
  // Y = f + T with T triangular of radius r = 1/2: E[Y] = E[f], Var[Y] = Var[f] + r^2/6, and the
  // density at c is the mean of the triangle around f.
  const std::string type = "softplus";
  const auto f = [&](double x) { return truth_of(type, x).first; };
  const double mean = mean_of(f);
  const auto triangle = [](double t) { return std::max(0.0, 2 - 4 * std::abs(t)); };
  const auto below = [](double t) {  // the distribution function of T
    if (t <= -0.5) return 0.0;
    if (t >= 0.5) return 1.0;
    return t < 0 ? 2 * (t + 0.5) * (t + 0.5) : 1 - 2 * (0.5 - t) * (0.5 - t);
  };
  NetworkQuery asked = about_input();
  asked.likelihood = "triangular(1/2)";
  asked.questions = {{"mean", ""}, {"variance", ""}, {"density", "-1"}, {"cdf", "-1"}};
  double before = 1e9;
  for (const std::string width : {"1/10", "1/100"}) {
    asked.width = width;
    const std::vector<Answer> found = answers(small(type), asked);
    REQUIRE(found.size() == 4);
    const double variance = mean_of([&](double x) { return std::pow(f(x) - mean, 2); });
    const double widths[] = {
        check_encloses(found[0], mean), check_encloses(found[1], variance + 1.0 / 24),
        check_encloses(found[2], mean_of([&](double x) { return triangle(-1 - f(x)); })),
        check_encloses(found[3], mean_of([&](double x) { return below(-1 - f(x)); }))};
    const double widest = *std::max_element(std::begin(widths), std::end(widths));
    CHECK(widest < before / 4);
    before = widest;
  }
}

TEST_CASE("the probability of a class is enclosed, also under a condition") {
  const double d = 3.5;
  const auto cubic = [&](double t) {
    return t <= -d ? 0.0 : t >= d ? 1.0 : 0.5 + 0.75 * t / d - t * t * t / (4 * d * d * d);
  };
  NetworkQuery asked = about_input();
  asked.likelihood = "cubic(3.5)";
  asked.width = "1/100";
  asked.questions = {{"class", ""}};
  const auto probability = [&](double x) { return cubic(truth_of("tanh", x).first); };
  CHECK(check_encloses(answers(small("tanh"), asked)[0], mean_of(probability)) < 0.03);
  asked.given = "input[0] > 0";
  CHECK(check_encloses(answers(small("tanh"), asked)[0],
                       mean_of([&](double x) { return x > 0 ? 2 * probability(x) : 0; })) < 0.03);
  // Without smooth layers it is exact: out = x on [-1, 1], under x > 0 the mean of
  // 1/2 + 3x/(4d) - x^3/(4d^3) on [0, 1], which is 1/2 + 3/(8d) - 1/(16d^3) with d = 7/2.
  const Network line{{1}, {{"fc", Linear{}, {"input"}}}, {"fc"}, {{"fc.weight", {{1, 1}, {1}}}}};
  asked.width = "";
  const std::vector<Answer> exact = answers(line, asked);
  REQUIRE(exact.size() == 1);
  CHECK(exact[0].value == Interval(ratio(1, 2) + ratio(3, 28) - ratio(1, 686)));
}

TEST_CASE("values that depend on no smooth layer stay exact") {
  NetworkQuery asked = about_input();
  asked.outputs = {"fc1[0]"};
  asked.questions = {{"mean", ""}, {"density", "0"}, {"variance", ""}};
  const std::vector<Answer> found = answers(small("tanh"), asked);
  CHECK(found[0].value == Interval(ratio(1, 4)));
  CHECK(found[1].value == Interval(ratio(1, 3)));
  CHECK(found[2].value == Interval(ratio(3, 4)));
}

TEST_CASE("questions that bounds cannot answer are refused with the reason") {
  const auto refused = [](const char* question, const char* argument, const char* given = "") {
    NetworkQuery asked = about_input();
    asked.given = given;
    asked.questions = {{question, argument}};
    return complaint([&] { make_task(small("tanh"), asked); });
  };
  CHECK(refused("density", "0") ==
        "--density: out[0] comes after a smooth layer and is known only between bounds, which say "
        "nothing of a density; ask --cdf or --quantile, or give a --likelihood and ask about y");
  CHECK(refused("distribution", "").starts_with("--distribution: out[0] comes after a smooth"));
  CHECK(refused("variance", "", "out[0] > 0") ==
        "--variance: the condition depends on a smooth layer, so that it is known only between "
        "bounds; --mean, --cdf and --probability can be enclosed under it");
  NetworkQuery asked = about_input();
  asked.width = "1/1000000000";
  CHECK(complaint([&] { make_task(small("tanh"), asked); }) ==
        "--width: act: attribute 'width' 1/1000000000 needs more than 1024 pieces");
  asked.width = "0";
  CHECK(complaint([&] { make_task(small("tanh"), asked); }) ==
        "--width: act: attribute 'width' must be above 0");
  asked.width = "1/10";
  Network plain = small("tanh");
  plain.layers[1].layer = encoders::Relu{};
  CHECK(complaint([&] { make_task(plain, asked); }) ==
        "--width: no layer of the network is smooth");
}

TEST_CASE("ciber prints enclosures, and writes both ends as one formula") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("net.safetensors");
  write_network(file, small("tanh"));
  const std::string arguments =
      file + " --unknown 'input[0]=[-1,1]' --width 1/100 --mean --cdf -1/2";
  const auto run = [&](const std::string& words) {
    const Finished finished = ciber(words);
    REQUIRE(finished.exit == 0);
    return finished.output;
  };
  const std::vector<Json> printed = objects(run("query " + arguments + " --json"));
  REQUIRE(printed.size() == 4);
  CHECK(printed[0]["query"] == "mean of out[0]");
  CHECK(printed[0]["exact"].is_null());
  REQUIRE(printed[0]["exactWithRespectTo"].size() == 1);
  CHECK(printed[0]["exactWithRespectTo"][0].get<std::string>().starts_with(
      "act: the smooth function, between piecewise-linear bounds at most 0.0"));
  CHECK(run("query " + arguments).starts_with("["));

  // The file asks for each end; its answers are the ends of the enclosures.
  const std::string written = directory.file("both.smt2", run("encode " + arguments));
  CHECK(contains(contents(written), "; mean of out[0]: at least\n(get-expectation "));
  CHECK(contains(contents(written), "(define-fun |lower out[1]| () Real "));
  const std::vector<Json> ends = objects(wmi({"--json", written}).output);
  REQUIRE(ends.size() == 8);
  NetworkQuery asked = about_input();
  asked.width = "1/100";
  asked.questions = {{"mean", ""}, {"cdf", "-1/2"}};
  const std::vector<Answer> found = answers(small("tanh"), asked);
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(ends[2 * i]["exact"] == to_string(found[i].value->lower));
    CHECK(ends[2 * i + 1]["exact"] == to_string(found[i].value->upper));
  }
}

}  // namespace
}  // namespace wmi::frontends
