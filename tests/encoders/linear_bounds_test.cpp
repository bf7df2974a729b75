// Units that bounds decide must be decided so at every point, and bounds must decide enough units.

#include "encoders/linear_bounds.h"

#include <doctest/doctest.h>

#include "encoders/encode.h"
#include "encoders/exact.h"
#include "tests/encoders/random_network.h"

namespace wmi::encoders {
namespace {

/// The value of a term where the declared reals have these values, node by node.
Rational value_at(const Terms& terms, const Polynomial& term, std::vector<Rational> values) {
  values.resize(terms.real_count());
  std::vector<bool> holding(terms.size());
  const auto is = [&](Formula formula) { return holding[formula.node()] != formula.negated(); };
  for (const std::uint32_t number : terms.below({}, std::span(&term, 1))) {
    const Node& node = terms.node(number);
    if (node.kind == Kind::constant) {
      holding[number] = true;
    } else if (node.kind == Kind::atom) {
      const Atom& atom = terms.atom(node.index);
      Rational sum = atom.form.constant;
      for (const auto& [variable, coefficient] : atom.form.coefficients)
        sum += coefficient * values[variable];
      holding[number] = holds(sum, atom.comparison);
    } else if (node.kind == Kind::conjunction) {
      holding[number] = true;
      for (const Formula child : node.children)
        if (!is(child)) holding[number] = false;
    } else if (node.kind == Kind::choice) {
      holding[number] = is(is(node.children[0]) ? node.children[1] : node.children[2]);
    } else if (node.kind == Kind::definition) {
      const Definition& definition = terms.definition(node.index);
      values[definition.variable] =
          (is(definition.condition) ? definition.then : definition.otherwise).at(values);
    }
  }
  return term.at(values);
}

Layer layer(std::string_view type,
            std::map<std::string, Attributes::Value, std::less<>> values = {}) {
  return make_layer(type, Attributes(std::move(values)));
}

TEST_CASE("an encoded network has the network's values at every point of the box") {
  Draws draw(12);
  std::size_t decided = 0, units = 0;
  for (const Layer& activation :
       {layer("relu"), layer("leaky_relu"), layer("hardtanh"), layer("abs"), layer("sign")})
    for (int round = 0; round < 8; ++round) {
      CAPTURE(round);
      const Network network = mlp({3, 5, 4, 3, 2}, activation, draw);
      const Tensor<Rational> input = draw.tensor({3});
      const Rational reach = ratio(1, draw.integer(1, 12));
      std::vector<Unknown> unknowns;
      for (std::size_t i = 0; i < 2; ++i)
        unknowns.push_back(
            {"input[" + std::to_string(i) + "]",
             {Law::uniform(input.entries[i] - reach, input.entries[i] + reach), ""}});
      const Encoding encoding = encode(network, input, unknowns);
      units += 12;
      decided += 12 - std::min<std::size_t>(12, encoding.names.size());
      for (int point = 0; point < 16; ++point) {
        Tensor<Rational> at = input;
        for (std::size_t i = 0; i < 2; ++i)  // corners, centre, anywhere
          at.entries[i] += reach * (point < 4    ? Rational(point >> i & 1 ? 1 : -1)
                                    : point == 4 ? Rational(0)
                                                 : ratio(draw.integer(-50, 50), 50));
        const std::vector<Rational> expected = run_exactly(network, at)[0].entries;
        for (std::size_t k = 0; k < 2; ++k)
          REQUIRE(value_at(encoding.problem.terms, encoding.outputs[k],
                           {at.entries[0], at.entries[1]}) == expected[k]);
      }
    }
  CHECK(decided > units / 4);
  CHECK(decided < units);
}

TEST_CASE("linear bounds decide units that intervals leave open") {
  // relu(relu(w) - w + 1/2): relu(w) - w is never below 0, which intervals do not see.
  Network network{{1},
                  {{"fc1", Linear{}, {"input"}},
                   {"relu1", Relu{}, {"fc1"}},
                   {"fc2", Linear{}, {"relu1"}},
                   {"relu2", Relu{}, {"fc2"}}},
                  {"relu2"},
                  {}};
  network.parameters.emplace("fc1.weight", Tensor<Rational>({2, 1}, {1, 1}));
  network.parameters.emplace("fc1.bias", Tensor<Rational>({2}, {0, 1}));  // relu(w), w + 1
  network.parameters.emplace("fc2.weight", Tensor<Rational>({1, 2}, {1, -1}));
  network.parameters.emplace("fc2.bias", Tensor<Rational>({1}, {ratio(3, 2)}));
  const std::vector<Unknown> unknowns{{"input[0]", parse_density("[-1,1]")}};
  const Encoding encoding = encode(network, Tensor<Rational>({1}, {Rational(0)}), unknowns);
  REQUIRE(encoding.names.size() == 1);
  CHECK(encoding.names.begin()->second.text == "relu1[0]");
  for (const Rational& w : {Rational(-1), ratio(-1, 3), Rational(0), ratio(1, 7), Rational(1)})
    CHECK(value_at(encoding.problem.terms, encoding.outputs[0], {w}) ==
          std::max(w, Rational(0)) - w + ratio(1, 2));
}

TEST_CASE("linear bounds enclose a maximum") {
  // On [-1, 3]: max(x, 0) lies below 3(x + 1)/4, and above x and 0.
  LinearBounds bounds({Interval(-1, 3)});
  const auto range = [](const Monomial&) { return Interval(0, 3); };
  const Polynomial x = Polynomial::variable(0), unit = Polynomial::variable(1);
  CHECK(!bounds.range(unit, range));
  bounds.add_larger(1, x, 0, Interval(-1, 3), range);
  CHECK(*bounds.range(unit - x, range) == Interval(0, 1));
  CHECK(*bounds.range(unit, range) == Interval(0, 3));
  CHECK(bounds.range(unit - Polynomial(ratio(1, 2)) * x, range)->lower == ratio(-1, 2));
}

TEST_CASE("the size of an encoding is linear in the network") {
  Draws draw(13);
  const auto size = [&](const std::vector<std::size_t>& widths) {
    const Network network = mlp(widths, Relu{}, draw);
    const std::vector<Unknown> unknowns{{"input[0]", parse_density("[-9,9]")},
                                        {"input[1]", parse_density("[-9,9]")}};
    const Encoding encoding = encode(network, draw.tensor({2}), unknowns);
    const Terms& terms = encoding.problem.terms;
    std::size_t weights = 0, held = 0;
    for (const auto& [name, tensor] : network.parameters) weights += tensor.size();
    for (const std::uint32_t number : terms.below(encoding.problem.assertions, encoding.outputs)) {
      const Node& node = terms.node(number);
      held += 1 + node.children.size();
      if (node.kind == Kind::atom) held += terms.atom(node.index).form.coefficients.size();
      if (node.kind == Kind::definition)
        held += terms.definition(node.index).then.terms().size() +
                terms.definition(node.index).otherwise.terms().size();
    }
    return static_cast<double>(held) / static_cast<double>(weights);
  };
  // Each weight occurs in an atom and in a case of its unit, however wide and deep.
  for (const std::vector<std::size_t>& widths :
       {std::vector<std::size_t>{2, 10, 10, 1}, {2, 40, 40, 1}, {2, 6, 6, 6, 6, 6, 6, 6, 6, 1}}) {
    const double ratio_of_sizes = size(widths);
    CHECK(ratio_of_sizes < 3.5);
    CHECK(ratio_of_sizes > 0.5);
  }
}

}  // namespace
}  // namespace wmi::encoders
