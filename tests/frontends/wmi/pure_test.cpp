// What --pure writes is plain SMT-LIB: the program z3 reads it, and means the same by it.

#include <doctest/doctest.h>

#include <random>

#include "encoders/exact.h"
#include "frontends/ciber/network_query.h"
#include "frontends/networks/network.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/solve.h"
#include "tests/frontends/program.h"
#include "tests/frontends/reading.h"
#include "tests/skipped.h"

namespace wmi::frontends {
namespace {

using encoders::Network;
using encoders::Tensor;

bool has_z3() {
  static const bool found = std::system("z3 --version > /dev/null 2>&1") == 0;
  if (!found) skipped("no program z3");
  return found;
}

/// What z3 prints for a file with this text.
std::string z3_says(const std::string& text) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("pure.smt2", text), out = directory.path("out");
  std::system(("z3 -T:60 " + file + " > " + out + " 2>&1").c_str());
  return contents(out);
}

/// `text` with more assertions before its question.
std::string with(const std::string& text, const std::string& assertions) {
  const std::string question = "(check-sat)\n";
  REQUIRE(text.ends_with(question));
  return text.substr(0, text.size() - question.size()) + assertions + question;
}

std::string literal(const Rational& number) {
  const Rational size = abs(number);
  const std::string text =
      "(/ " + size.get_num().get_str() + ".0 " + size.get_den().get_str() + ".0)";
  return number < 0 ? "(- " + text + ")" : text;
}

std::string equals(const std::string& name, const Rational& value) {
  return "(= |" + name + "| " + literal(value) + ")";
}

class Draws {
 public:
  explicit Draws(unsigned seed) : random_(seed) {}

  Rational number() { return ratio(std::uniform_int_distribution<int>(-12, 12)(random_), 8); }
  Tensor<Rational> tensor(const encoders::Shape& shape) {
    auto result = Tensor<Rational>::filled(shape, 0);
    for (Rational& entry : result.entries) entry = number();
    return result;
  }

 private:
  std::mt19937 random_;
};

encoders::Layer layer(std::string_view type,
                      std::map<std::string, encoders::Attributes::Value, std::less<>> values = {}) {
  return encoders::make_layer(type, encoders::Attributes(std::move(values)));
}

/// fc1 -> act -> fc2 and, beside it, fc1 -> fc2b: both are added.
Network residual(const encoders::Layer& activation, Draws& draw) {
  Network network{{2},
                  {{"fc1", encoders::Linear{}, {"input"}},
                   {"act", activation, {"fc1"}},
                   {"fc2", encoders::Linear{}, {"act"}},
                   {"relu2", encoders::Relu{}, {"fc2"}},
                   {"fc3", encoders::Linear{}, {"relu2"}},
                   {"sum", encoders::Add{}, {"fc3", "fc1"}}},
                  {"sum"},
                  {}};
  const std::size_t act = std::holds_alternative<encoders::Maxout>(activation) ? 2 : 4;
  for (const auto& [name, out, in] :
       {std::tuple<std::string, std::size_t, std::size_t>{"fc1", 4, 2},
        {"fc2", 3, act},
        {"fc3", 4, 3}}) {
    network.parameters[name + ".weight"] = draw.tensor({out, in});
    network.parameters[name + ".bias"] = draw.tensor({out});
  }
  return network;
}

TEST_CASE("z3 finds the outputs of a network in its pure formula, and no others") {
  if (!has_z3()) return;
  const std::vector<encoders::Layer> activations = {
      layer("relu"),
      layer("leaky_relu"),
      layer("relu6"),
      layer("hardtanh"),
      layer("hardsigmoid"),
      layer("abs"),
      layer("sign"),
      layer("step"),
      layer("maxout", {{"pieces", Rational(2)}}),
      layer("quantiser", {{"step", ratio(1, 4)}, {"low", Rational(-1)}, {"high", Rational(1)}}),
      layer("piecewise_linear", {{"at", std::vector<Rational>{-1, 0, 2}},
                                 {"values", std::vector<Rational>{0, 1, ratio(-1, 3)}}}),
      layer("tanh", {{"side", std::string("lower")}}),
  };
  Draws draw(3);
  for (std::size_t i = 0; i < activations.size(); ++i) {
    CAPTURE(i);
    const Network network = residual(activations[i], draw);
    NetworkQuery asked;
    asked.unknowns = {"fc1.weight[0,1]=[-2,2]", "fc1.weight[2,0]=triangular(-2,1,2)",
                      "fc1.bias[3]=[-2,2]"};
    asked.input = "1/2,-3/4";
    const std::string text = write_smtlib({make_task(network, asked)}, true);
    CHECK(text.find("(weight") == std::string::npos);
    CHECK(z3_says(text) == "sat\n");

    // The unknowns as numbers: the outputs are those of the network with these numbers.
    Network known = network;
    const Rational values[] = {draw.number(), draw.number(), draw.number()};
    known.parameters["fc1.weight"].entries[1] = values[0];
    known.parameters["fc1.weight"].entries[4] = values[1];
    known.parameters["fc1.bias"].entries[3] = values[2];
    const std::vector<Rational> outputs =
        encoders::run_exactly(known, {{2}, {ratio(1, 2), ratio(-3, 4)}})[0].entries;
    const std::string numbers = "(assert " + equals("fc1.weight[0,1]", values[0]) + ")(assert " +
                                equals("fc1.weight[2,0]", values[1]) + ")(assert " +
                                equals("fc1.bias[3]", values[2]) + ")\n";
    std::string all = "(and";
    for (std::size_t k = 0; k < outputs.size(); ++k)
      all += " " + equals("out[" + std::to_string(k) + "]", outputs[k]);
    all += ")";
    CHECK(z3_says(with(text, numbers + "(assert " + all + ")\n")) == "sat\n");
    CHECK(z3_says(with(text, numbers + "(assert (not " + all + "))\n")) == "unsat\n");
    CHECK(z3_says(with(text, "(assert (> |fc1.bias[3]| 2.0))\n")) == "unsat\n");
  }
}

TEST_CASE("z3 reads outputs that are products of unknowns, dropout, and both ends of a bracket") {
  if (!has_z3()) return;
  Draws draw(8);
  {  // the product of two unknowns: 3 * 1/2
    const Network line{
        {1}, {{"fc", encoders::Linear{}, {"input"}}}, {"fc"}, {{"fc.weight", {{1, 1}, {1}}}}};
    NetworkQuery asked;
    asked.unknowns = {"fc.weight[0,0]=[0,4]", "input[0]=[0,1]"};
    const std::string text = write_smtlib({make_task(line, asked)}, true);
    const std::string numbers =
        "(assert " + equals("fc.weight[0,0]", 3) + ")(assert " + equals("input[0]", ratio(1, 2));
    CHECK(z3_says(with(text, numbers + ")(assert " + equals("out[0]", ratio(3, 2)) + ")\n")) ==
          "sat\n");
    CHECK(z3_says(with(text, numbers + ")(assert (not " + equals("out[0]", ratio(3, 2)) +
                                 "))\n")) == "unsat\n");
  }
  {  // out is 0 or twice the input
    const Network dropped{{1},
                          {{"drop", layer("dropout", {{"mode", std::string("masks")}}), {"input"}}},
                          {"drop"},
                          {}};
    NetworkQuery asked;
    asked.input = "3";
    const std::string text = write_smtlib({make_task(dropped, asked)}, true);
    CHECK(z3_says(with(text, "(assert " + equals("out[0]", 6) + ")\n")) == "sat\n");
    CHECK(z3_says(with(text, "(assert " + equals("out[0]", 0) + ")\n")) == "sat\n");
    CHECK(z3_says(with(text, "(assert " + equals("out[0]", 3) + ")\n")) == "unsat\n");
  }
  {  // the lower end is never above the upper one
    const Network network = residual(layer("gelu", {{"pieces", Rational(6)}}), draw);
    NetworkQuery asked;
    asked.unknowns = {"fc1.bias[0]=[-2,2]"};
    const std::string text = write_smtlib({make_task(network, asked)}, true);
    CHECK(z3_says(text) == "sat\n");
    for (int k = 0; k < 4; ++k) {
      const std::string name = "out[" + std::to_string(k) + "]|";
      CHECK(z3_says(with(text, "(assert (> |lower " + name + " |upper " + name + "))\n")) ==
            "unsat\n");
    }
  }
}

TEST_CASE("names that SMT-LIB cannot quote, or that are taken, are written all the same") {
  if (!has_z3()) return;
  Draws draw(5);
  Network network = residual(layer("relu"), draw);
  network.layers[1].name = "out";  // its units are out[0], ..., which the outputs are, too
  network.layers[2].from = {"out"};
  network.layers[0].name = "a|b\\";
  network.layers[1].from = network.layers[5].from = {"a|b\\"};
  network.layers[5].from.push_back("fc3");
  for (const char* const tensor : {".weight", ".bias"}) {
    network.parameters[std::string("a|b\\") + tensor] =
        network.parameters.at(std::string("fc1") + tensor);
    network.parameters.erase(std::string("fc1") + tensor);
  }
  NetworkQuery asked;
  asked.unknowns = {"a|b\\.bias[0]=[-9,9]"};
  CHECK(z3_says(write_smtlib({make_task(network, asked)}, true)) == "sat\n");
}

TEST_CASE("z3 agrees on every golden file without its weights and questions") {
  if (!has_z3()) return;
  std::size_t satisfiable = 0;
  for (const fs::path& path : golden_files()) {
    CAPTURE(path.string());
    const Script script = read(load(path));
    std::string expected;
    for (const Task& task : script) {
      Query query;
      query.kind = Query::Kind::satisfiable;
      Task plain{task.problem, {query}};
      plain.problem.observations.clear();
      const std::string answer = solve(plain, *make_split(), *make_auto({})).answers[0].text;
      satisfiable += answer == "sat";
      expected += answer + "\n";
    }
    CHECK(z3_says(write_smtlib(script, true)) == expected);
  }
  CHECK(satisfiable > 20);
}

TEST_CASE("z3 agrees with results by hand on pure files") {
  if (!has_z3()) return;
  const std::string box = "(declare-const x Real) (declare-const A Bool) (assert (<= 0 x 1))";
  for (const auto& [text, expected] :
       {std::pair{"(assert (=> A (> x (/ 1 3)))) (weight A (* x x))", "sat\n"},
        std::pair{"(assert (and A (> (* 3 x) 4))) (weight A x)", "unsat\n"},
        std::pair{"(assert (< (ite A (- x) 1e-1) (- 1.5))) (get-wmi)", "unsat\n"},
        std::pair{"(assert (= (ite A (- x) 1e-1) (- 0.5))) (observe x 0.5)", "sat\n"}})
    CHECK(z3_says(write_smtlib(read({"by hand", box + text}), true)) == expected);
}

}  // namespace
}  // namespace wmi::frontends
