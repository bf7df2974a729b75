#include "encoders/auditable.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "solver/terms/error.h"
#include "tests/encoders/random_network.h"

namespace wmi::encoders {
namespace {

TEST_CASE("an auditable encoding names every value, entry and output") {
  Draws draw(1);
  const Network network = mlp({2, 3, 1}, Relu{}, draw);
  const Tensor<Rational> input({2}, {1, 2});
  const std::vector<Unknown> unknowns{{"fc1.weight[0,1]", parse_density("[-1,1]")},
                                      {"fc2.bias[0]", parse_density("3")}};
  const AuditableEncoding encoding = encode_auditable(network, input, unknowns);

  std::vector<std::string> names;
  for (const NamedValue& value : encoding.values) names.push_back(value.name);
  CHECK(names ==
        std::vector<std::string>{"fc1.weight[0,1]", "fc2.bias[0]", "input[0]", "input[1]"});
  CHECK_FALSE(encoding.values[0].number);
  CHECK(encoding.values[1].number == Rational(3));
  CHECK(encoding.values[2].number == input.entries[0]);

  // One unknown, and derived reals for the entries of all layers, the inputs and the output.
  const Problem& problem = encoding.statement.problem;
  CHECK(std::ranges::count(problem.integrated, true) == 1);
  CHECK(problem.integrated.size() == 1 + 2 + 3 + 3 + 1 + 1);
  CHECK(problem.terms.real_name(0) == "fc1.weight[0,1]");
  CHECK(encoding.statement.outputs.size() == 1);
  // The unit that depends on the unknown is a definition.
  const Problem& units = encoding.network.problem;
  CHECK(units.terms.real_count() == units.integrated.size() + 1);
}

TEST_CASE("ambiguous names are refused") {
  Draws draw(2);
  Network network = mlp({1, 1, 1}, Relu{}, draw);
  network.layers[1].name = "out";
  network.layers[2].from = {"out"};
  CHECK_THROWS_WITH_AS(encode_auditable(network, draw.tensor({1}), {}),
                       "the layer 'out' has the name of something else", Error);
}

}  // namespace
}  // namespace wmi::encoders
