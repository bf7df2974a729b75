// Networks of the verification competition with 300 ReLUs, two of their inputs unknown: all
// activation patterns on a small box, and the exact share of it where the first output is least.

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "encoders/encode.h"
#include "encoders/exact.h"
#include "frontends/common/read_file.h"
#include "frontends/networks/onnx/network_file.h"
#include "solver/answers/explain.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/solve.h"
#include "tests/frontends/reading.h"
#include "tests/process.h"
#include "tests/skipped.h"
#include "tests/source_directory.h"
#include "tests/temporary_directory.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

/// The network; nullopt where the data is absent.
std::optional<encoders::Network> load_acasxu(const std::string& name) {
  const std::optional<fs::path> data = data_folder("vnncomp");
  if (!data) return std::nullopt;
  const fs::path file = *data / "acasxu" / ("ACASXU_run2a_" + name + "_batch_2000.onnx.gz");
  return read_any_network(file.string()).network;
}

/// The name of an input, by its number.
std::string input_name(const encoders::Network& network, std::size_t i) {
  return "input" + encoders::index_name(network.input, i);
}

TEST_CASE("ACAS Xu: probabilities of activation patterns and of clear of conflict") {
  const std::optional<encoders::Network> network = load_acasxu("1_1");
  if (!network) return;
  const Rational width = ratio(1, 25);
  const encoders::Tensor<Rational> input(network->input,
                                         {ratio(3, 5), 0, 0, ratio(9, 20), ratio(-9, 20)});
  const std::vector<encoders::Unknown> unknowns{
      {input_name(*network, 0), {Law::uniform(ratio(3, 5), ratio(3, 5) + width), ""}},
      {input_name(*network, 1), {Law::uniform(0, width), ""}}};
  encoders::Encoding encoding = encoders::encode(*network, input, unknowns);
  REQUIRE(encoding.outputs.size() == 5);
  CHECK(encoding.names.size() < 300);  // most units have one sign on so small a box
  CHECK(!encoding.names.empty());

  Terms& terms = encoding.problem.terms;
  std::vector<Formula> least;
  for (std::size_t k = 1; k < 5; ++k)
    least.push_back(terms.less(encoding.outputs[0], encoding.outputs[k]));
  Query query;
  query.kind = Query::Kind::probability;
  query.event = terms.all(least);
  const auto share = [&](const Enumerator& enumerator) {
    return *solve({encoding.problem, {query}}, enumerator, *make_auto({})).answers[0].value;
  };
  const Interval found = share(*make_split());
  CHECK(found.exact());

  std::vector<Variable> units;
  for (const auto& [variable, name] : encoding.names) units.push_back(variable);
  const Explanation explanation = explain(encoding.problem, units, *make_split(), *make_auto({}));
  REQUIRE(explanation.patterns.size() > 1);
  Rational mass;
  std::set<std::vector<bool>> patterns;
  for (const Pattern& pattern : explanation.patterns) {
    mass += pattern.mass.lower;
    patterns.insert(pattern.holds);
  }
  CHECK(mass == 1);
  CHECK(patterns.size() == explanation.patterns.size());

  // The same with the order of the outputs: for each pair a choice of 1 where the first is less.
  std::vector<Variable> choices = units;
  std::map<Variable, std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = i + 1; j < 5; ++j) {
      const Polynomial less =
          terms.choice(terms.less(encoding.outputs[i], encoding.outputs[j]), 1, 0);
      REQUIRE(less.variables().size() == 1);
      choices.push_back(less.variables()[0]);
      pairs.emplace(choices.back(), std::pair(i, j));
    }
  const Explanation ordered = explain(encoding.problem, choices, *make_split(), *make_auto({}));
  REQUIRE(ordered.definitions == choices);
  // What is on, and which outputs are less, as one row of bits for each pattern.
  std::map<std::vector<bool>, Rational> rows;
  Rational least_mass;
  for (const Pattern& pattern : ordered.patterns) {
    std::vector<bool> row;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const Definition& definition =
          terms.definition(terms.node(terms.defining_node(choices[i])).index);
      row.push_back(pairs.contains(choices[i])
                        ? (pattern.holds[i] ? definition.then : definition.otherwise) == 1
                        : pattern.holds[i] != encoding.names.at(choices[i]).reversed);
    }
    CHECK(rows.emplace(row, pattern.mass.lower).second);
    // Of pairs (0, 1), (0, 2), (0, 3), (0, 4): is the first output less than all others?
    if (std::all_of(row.begin() + static_cast<long>(units.size()),
                    row.begin() + static_cast<long>(units.size()) + 4,
                    [](bool less) { return less; }))
      least_mass += pattern.mass.lower;
  }
  CHECK(least_mass == found.lower);

  // Sampling gives the share roughly, and every sample's units and outputs are those of a pattern.
  std::mt19937 random(11);
  std::uniform_int_distribution<int> place(1, 9'999);
  constexpr int samples = 300;
  int hits = 0;
  std::set<std::vector<bool>> met;
  for (int i = 0; i < samples; ++i) {
    encoders::Tensor<Rational> point = input;
    const Rational x = ratio(3, 5) + width * ratio(place(random), 10'000);
    const Rational y = width * ratio(place(random), 10'000);
    point.entries[0] = x;
    point.entries[1] = y;
    encoders::ExactAlgebra algebra(*network);
    const auto values = encoders::run_all(*network, algebra, point);
    const std::vector<Rational>& scores = values.at(network->output[0]).entries;
    std::vector<bool> row;
    for (const Variable variable : choices) {
      if (const auto pair = pairs.find(variable); pair != pairs.end()) {
        row.push_back(scores[pair->second.first] < scores[pair->second.second]);
        continue;
      }
      const std::string& name = encoding.names.at(variable).text;  // relu3[17]
      const std::size_t open = name.find('[');
      const std::size_t entry = std::stoul(name.substr(open + 1));
      row.push_back(values.at(name.substr(0, open)).entries[entry] > 0);
    }
    CHECK(rows.contains(row));
    met.insert(row);
    bool is_least = true;
    for (std::size_t k = 1; k < 5; ++k) is_least = is_least && scores[0] < scores[k];
    hits += is_least;
  }
  CHECK(met.size() > 1);
  CHECK(std::abs(hits / double(samples) - found.lower.get_d()) < 0.1);
}

/// The verdicts on which two verifiers agree, by network and property.
std::map<std::pair<std::string, std::string>, std::string> read_verdicts(const fs::path& file) {
  std::map<std::pair<std::string, std::string>, std::string> result;
  std::istringstream lines(read_file(file.string()));
  for (std::string network, property, verdict; std::getline(lines, network, ',') &&
                                               std::getline(lines, property, ',') &&
                                               std::getline(lines, verdict);)
    result[{network, property}] = verdict;
  return result;
}

TEST_CASE("ACAS Xu: a property that holds is violated with probability 0, and no other") {
  const std::optional<fs::path> data = data_folder("vnncomp");
  if (!data) return;
  const auto verdicts = read_verdicts(*data / "acasxu" / "verdicts.csv");
  std::vector<std::string> names = {"1_1", "1_7", "1_8", "2_4", "3_3", "5_9"};
  if (std::getenv("WMI_LONG")) {
    names.clear();
    for (const char i : std::string("12345"))
      for (const char j : std::string("123456789")) names.push_back({i, '_', j});
  }
  const Interval box[2][5] = {{{ratio(-303531156, 1000000000), ratio(-298552812, 1000000000)},
                               {ratio(-9549297, 1000000000), ratio(9549297, 1000000000)},
                               {ratio(493380324, 1000000000), ratio(1, 2)},
                               {ratio(3, 10), ratio(1, 2)},
                               {ratio(3, 10), ratio(1, 2)}},
                              {{ratio(-303531156, 1000000000), ratio(-298552812, 1000000000)},
                               {ratio(-9549297, 1000000000), ratio(9549297, 1000000000)},
                               {0, 0},
                               {ratio(318181818, 1000000000), ratio(1, 2)},
                               {ratio(83333333, 1000000000), ratio(166666667, 1000000000)}}};
  for (const std::string& name : names) {
    CAPTURE(name);
    const std::optional<encoders::Network> network = load_acasxu(name);
    if (!network) return;
    for (const int property : {3, 4}) {
      CAPTURE(property);
      encoders::Tensor<Rational> input(network->input, std::vector<Rational>(5));
      std::vector<encoders::Unknown> unknowns;
      for (std::size_t k = 0; k < 5; ++k) {
        const Interval& range = box[property - 3][k];
        input.entries[k] = range.lower;
        if (!range.exact())
          unknowns.push_back(
              {input_name(*network, k), {Law::uniform(range.lower, range.upper), ""}});
      }
      encoders::Encoding encoding = encoders::encode(*network, input, unknowns);
      std::vector<Formula> least;
      for (std::size_t k = 1; k < 5; ++k)
        least.push_back(
            encoding.problem.terms.less_equal(encoding.outputs[0], encoding.outputs[k]));
      Query query;
      query.kind = Query::Kind::probability;
      query.event = encoding.problem.terms.all(least);
      const Interval found = *solve({encoding.problem, {query}}, *make_split(),
                                    *make_auto({.digits = 7, .wide_cells = true}))
                                  .answers[0]
                                  .value;
      CHECK(found.upper - found.lower <= ratio(1, 1000000));
      const std::string& verdict = verdicts.at({name, "prop_" + std::to_string(property)});
      if (verdict == "holds")
        CHECK(found == Interval(Rational(0)));
      else
        CHECK(found.lower > 0);
    }
  }
}

}  // namespace
}  // namespace wmi::frontends
