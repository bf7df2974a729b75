#include "encoders/encode.h"

#include <doctest/doctest.h>

#include <chrono>

#include "encoders/exact.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/laws/likelihood.h"
#include "solver/solve.h"
#include "tests/encoders/random_network.h"

namespace wmi::encoders {
namespace {

Query about(Query::Kind kind, const Polynomial& term, const Rational& at = 0) {
  Query query;
  query.kind = kind;
  query.term = term;
  query.at = at;
  return query;
}

Answer answer_of(const Problem& problem, const Query& query,
                 const Enumerator& enumerator = *make_split()) {
  return solve({problem, {query}}, enumerator, *make_auto({})).answers[0];
}

/// The network with numbers instead of its unknowns.
Network with(Network network, const std::vector<Unknown>& unknowns,
             const std::vector<Rational>& values) {
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    const std::size_t open = unknowns[i].name.find('[');
    Tensor<Rational>& tensor = network.parameters.find(unknowns[i].name.substr(0, open))->second;
    std::size_t entry = 0;
    while (unknowns[i].name.substr(open) != index_name(tensor.shape, entry)) ++entry;
    tensor.entries[entry] = values[i];
  }
  return network;
}

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("one unknown weight and a ReLU: the worked example") {
  Network network{{1}, {{"fc1", Linear{}, {"input"}}, {"relu1", Relu{}, {"fc1"}}}, {"relu1"}, {}};
  network.parameters.emplace("fc1.weight", Tensor<Rational>({1, 1}, {Rational(0)}));
  const std::vector<Unknown> unknowns{{"fc1.weight[0,0]", parse_density("[-3,3]")}};
  const Tensor<Rational> one({1}, {Rational(1)});
  const Encoding bare = encode(network, one, unknowns);
  CHECK(bare.output_names == std::vector<std::string>{"relu1[0]"});
  CHECK(bare.names.begin()->second.text == "relu1[0]");
  const Law law = *answer_of(bare.problem, about(Query::Kind::distribution, bare.outputs[0])).law;
  CHECK(law == Law({{0, ratio(1, 2)}}, {{0, 3, Univariate::constant(ratio(1, 6))}}));

  const Encoding encoding = encode(network, one, unknowns, TriangularOutcome{ratio(12, 5)});
  const Polynomial y = Polynomial::variable(*encoding.outcome);
  CHECK(*answer_of(encoding.problem, about(Query::Kind::density, y, 1)).value ==
        Interval(ratio(445, 1728)));
  CHECK(*answer_of(encoding.problem, about(Query::Kind::expectation, y)).value ==
        Interval(ratio(3, 4)));
  CHECK(encoding.assumptions == std::vector<std::string>{"likelihood: triangular of radius 12/5"});
}

TEST_CASE("the law of a random network's output agrees with its values on a grid") {
  Draws draw(7);
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    const Network network = mlp({2, 4, 3, 1}, Relu{}, draw);
    // Weights of the first layer: all that follows is piecewise affine in them.
    const std::vector<Unknown> unknowns{{"fc1.weight[0,0]", parse_density("[-1,1]")},
                                        {"fc1.weight[2,1]", parse_density("triangular(-1,0,2)")},
                                        {"fc1.bias[1]", parse_density("bspline(-2,1,3)")}};
    const Tensor<Rational> input = draw.tensor({2});
    const Encoding encoding = encode(network, input, unknowns);
    const Query whole = about(Query::Kind::distribution, encoding.outputs[0]);
    const Answer split = answer_of(encoding.problem, whole);
    const Answer z3 = answer_of(encoding.problem, whole, *make_z3());
    REQUIRE(split.law);
    CHECK(split.law == z3.law);
    CHECK(split.law->mass() == 1);
    // A grid of a thousand points gives the mean roughly, and the support must hold every value.
    Rational sum, weight;
    constexpr int steps = 10;
    for (int i = 0; i < steps * steps * steps; ++i) {
      const int index[3] = {i % steps, i / steps % steps, i / steps / steps};
      std::vector<Rational> values;
      Rational density = 1;
      for (int k = 0; k < 3; ++k) {
        const Law& law = unknowns[static_cast<std::size_t>(k)].density.law;
        const Interval range = law.support();
        values.push_back(range.lower +
                         (range.upper - range.lower) * ratio(2 * index[k] + 1, 2 * steps));
        density *= law.density(values.back());
      }
      const Rational output = run_exactly(with(network, unknowns, values), input)[0].entries[0];
      CHECK(split.law->support().contains(output));
      sum += density * output;
      weight += density;
    }
    const Interval support = split.law->support();
    CHECK(abs(Rational(sum / weight) - split.law->mean()) <= (support.upper - support.lower) / 10);
  }
}

TEST_CASE("units whose sign is fixed have no atom") {
  Network network = {
      {1}, {{"fc1", Linear{}, {"input"}}, {"relu1", Relu{}, {"fc1"}}}, {"relu1"}, {}};
  network.parameters.emplace("fc1.weight", Tensor<Rational>({3, 1}, {0, 0, 0}));
  network.parameters.emplace("fc1.bias", Tensor<Rational>({3}, {2, -2, 0}));
  std::vector<Unknown> unknowns;
  for (int i = 0; i < 3; ++i)
    unknowns.push_back({"fc1.weight[" + std::to_string(i) + ",0]", parse_density("[-1,1]")});
  const Encoding encoding = encode(network, Tensor<Rational>({1}, {Rational(1)}), unknowns);
  CHECK(encoding.names.size() == 1);         // of the third alone
  CHECK(encoding.outputs[1].zero());         // always off
  CHECK(encoding.outputs[0].degree() == 1);  // always on: 2 + w
  CHECK(encoding.names.begin()->second.text == "relu1[2]");
}

TEST_CASE(
    "moments of products of unknowns are exact; where they feed a comparison they are refused") {
  Draws draw(9);
  const Network network = mlp({1, 2, 1}, Relu{}, draw);
  const Tensor<Rational> input({1}, {Rational(1)});
  // The hidden layer's bias and the output's weight: a product, after the ReLU.
  const std::vector<Unknown> last{{"fc1.bias[0]", parse_density("[-9,9]")},
                                  {"fc2.weight[0,0]", parse_density("[-1,3]")}};
  const Encoding encoding = encode(network, input, last);
  const Answer mean =
      answer_of(encoding.problem, about(Query::Kind::expectation, encoding.outputs[0]));
  // Independent: E[relu] * E[w] + the rest.
  const Encoding hidden = encode(network, input, std::span(last).first(1));
  REQUIRE(hidden.names.size() == 1);
  const Answer unit =
      answer_of(hidden.problem,
                about(Query::Kind::expectation, Polynomial::variable(hidden.names.begin()->first)));
  const Rational other =
      std::max(Rational(0), Rational(network.parameters.at("fc1.weight").entries[1] +
                                     network.parameters.at("fc1.bias").entries[1]));
  CHECK(*mean.value ==
        Interval(unit.value->lower * 1 + network.parameters.at("fc2.weight").entries[1] * other +
                 network.parameters.at("fc2.bias").entries[0]));

  const Network deep = mlp({1, 2, 2, 1}, Relu{}, draw);
  const std::string refused = complaint([&] {
    encode(deep, input,
           std::vector<Unknown>{{"fc1.bias[0]", parse_density("[-90,90]")},
                                {"fc2.weight[0,0]", parse_density("[-10,30]")}});
  });
  CHECK(refused ==
        "relu2: 'fc2.weight[0,0]' times 'relu1[0]' feeds a comparison here, which is then not "
        "linear; make unknown the weights of one layer only");
}

TEST_CASE("a weight that is one number is a constant, not a dimension") {
  Draws draw(3);
  const Network network = mlp({2, 3, 1}, Relu{}, draw);
  const Tensor<Rational> input = draw.tensor({2});
  const std::vector<Unknown> unknowns{{"fc1.bias[0]", parse_density("[1/2,1/2]")},
                                      {"fc2.bias[0]", parse_density("3")}};
  const Encoding encoding = encode(network, input, unknowns);
  CHECK(encoding.problem.integrated.empty());
  CHECK(encoding.outputs[0].constant());
  CHECK(encoding.outputs[0].constant_term() ==
        run_exactly(with(network, unknowns, {ratio(1, 2), 3}), input)[0].entries[0]);
}

TEST_CASE("inputs may be unknown") {
  Draws draw(4);
  const Network network = mlp({2, 5, 1}, Relu{}, draw);
  const std::vector<Unknown> unknowns{{"input[1]", parse_density("[0,1]")}};
  const Encoding encoding = encode(network, Tensor<Rational>({2}, {ratio(1, 3), 0}), unknowns);
  const Law law =
      *answer_of(encoding.problem, about(Query::Kind::distribution, encoding.outputs[0])).law;
  const Rational at =
      run_exactly(network, Tensor<Rational>({2}, {ratio(1, 3), ratio(1, 7)}))[0].entries[0];
  CHECK(law.support().contains(at));
}

TEST_CASE("the cubic sigmoid of a constant output is its value") {
  // f = 1, d = 2: 1/2 + 3/8 - 1/32 = 27/32.
  Network network{{1}, {{"fc1", Linear{}, {"input"}}}, {"fc1"}, {}};
  network.parameters.emplace("fc1.weight", Tensor<Rational>({1, 1}, {Rational(1)}));
  const std::vector<Unknown> unknowns{{"fc1.weight[0,0]", parse_density("[-4,4]")}};
  const Tensor<Rational> one({1}, {Rational(1)});
  Query wmi;
  wmi.kind = Query::Kind::wmi;
  // f uniform on [-4, 4]: by symmetry 1/2.
  CHECK(*answer_of(encode(network, one, unknowns, CubicSigmoid{2}).problem, wmi).value ==
        Interval(ratio(1, 2)));
  CHECK(*answer_of(encode(network, one, {}, CubicSigmoid{2}).problem, wmi).value ==
        Interval(ratio(27, 32)));
  CHECK(complaint([&] { encode(network, one, {}, CubicSigmoid{0}); }) ==
        "the reach of a cubic sigmoid must be above 0");
  CHECK(complaint([&] { encode(network, one, {}, TriangularOutcome{-1}); }) ==
        "the radius of a likelihood must be above 0");
}

TEST_CASE("errors name the unknown") {
  Draws draw(5);
  const Network network = mlp({2, 3, 1}, Relu{}, draw);
  const Tensor<Rational> input = draw.tensor({2});
  const auto naming = [&](const std::string& name) {
    return complaint([&] {
      encode(network, input, std::vector<Unknown>{{name, parse_density("[0,1]")}});
    });
  };
  CHECK(naming("fc1.weight[3,0]") == "unknown 'fc1.weight[3,0]': has shape [3, 2]");
  CHECK(naming("fc1.weight[0]") == "unknown 'fc1.weight[0]': has shape [3, 2]");
  CHECK(naming("fc1.weight[0,0,0]") == "unknown 'fc1.weight[0,0,0]': has shape [3, 2]");
  CHECK(naming("fc1.weight[x,0]") == "unknown 'fc1.weight[x,0]': has shape [3, 2]");
  CHECK(naming("fc3.bias[0]") ==
        "unknown 'fc3.bias[0]': there is no tensor 'fc3.bias'; there are "
        "input, fc1.bias, fc1.weight, fc2.bias, fc2.weight");
  CHECK(naming("fc1") ==
        "unknown 'fc1': write the tensor and the index, as in fc1.weight[0,3] or input[0]");
  CHECK(complaint([&] {
          encode(network, input,
                 std::vector<Unknown>{{"fc1.bias[0]", parse_density("[0,1]")},
                                      {"fc1.bias[0]", parse_density("[0,2]")}});
        }) == "unknown 'fc1.bias[0]' is named twice");
  CHECK(complaint([&] { encode(network, draw.tensor({3}), {}); }) ==
        "the input has shape [3] and not [2]");
}

TEST_CASE("the average over all dropout masks is that over 4096 of them") {
  Draws draw(8);
  Network network{
      {2},
      {{"fc1", Linear{}, {"input"}},
       {"relu1", Relu{}, {"fc1"}},
       {"drop1",
        make_layer("dropout", Attributes({{"p", ratio(1, 3)}, {"mode", std::string("masks")}})),
        {"relu1"}},
       {"fc2", Linear{}, {"drop1"}},
       {"relu2", Relu{}, {"fc2"}}},
      {"relu2"},
      {}};
  network.parameters.emplace("fc1.weight", draw.tensor({12, 2}));
  network.parameters.emplace("fc1.bias", Tensor<Rational>::filled({12}, 7));  // all units alive
  network.parameters.emplace("fc2.weight", draw.tensor({1, 12}));
  network.parameters.emplace("fc2.bias", draw.tensor({1}));
  const Tensor<Rational> input({2}, {ratio(1, 2), ratio(-1, 4)});
  const Encoding encoding = encode(network, input, {});
  CHECK(encoding.problem.terms.boolean_count() == 12);
  const Answer mean =
      answer_of(encoding.problem, about(Query::Kind::expectation, encoding.outputs[0]));
  Rational expected;
  for (unsigned code = 0; code < 4096; ++code) {
    std::vector<bool> masks;
    Rational probability = 1;
    for (unsigned i = 0; i < 12; ++i) {
      masks.push_back(code >> i & 1);
      probability *= masks.back() ? ratio(2, 3) : ratio(1, 3);
    }
    expected += probability * run_exactly(network, input, masks)[0].entries[0];
  }
  CHECK(*mean.value == Interval(expected));
}

TEST_CASE("three unknown weights feed fifty ReLUs") {
  Draws draw(6);
  const Network network = mlp({3, 50, 1}, Relu{}, draw);
  std::vector<Unknown> unknowns;
  for (int i = 0; i < 3; ++i)
    unknowns.push_back({"input[" + std::to_string(i) + "]", parse_density("[-1/4,1/4]")});
  const Encoding encoding = encode(network, draw.tensor({3}), unknowns);
  const Query mean = about(Query::Kind::expectation, encoding.outputs[0]);
  const Answer split = answer_of(encoding.problem, mean);
  CHECK(split.value == answer_of(encoding.problem, mean, *make_z3()).value);
  CHECK(split.cells > 10);
}

}  // namespace
}  // namespace wmi::encoders
