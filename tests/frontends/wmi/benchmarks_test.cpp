// The benchmark problems of the data folder against their reference answers.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "frontends/formats/sequential.h"
#include "solver/solve.h"
#include "solver/terms/decimal.h"
#include "tests/frontends/reading.h"
#include "tests/skipped.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

bool long_run() { return std::getenv("WMI_LONG") != nullptr; }

/// The answers, on which every enumerator must agree.
std::vector<Answer> answers(const Script& script) {
  std::vector<Answer> result;
  for (const EnumeratorEntry& enumerator : enumerators()) {
    CAPTURE(enumerator.name);
    std::vector<Answer> found;
    for (const Task& task : script)
      for (Answer& answer : solve(task, *enumerator.make(), *make_triangulation({})).answers)
        found.push_back(std::move(answer));
    if (result.empty()) result = found;
    REQUIRE(found.size() == result.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i].value == result[i].value);
  }
  return result;
}

/// Equal to a relative 2e-11: the reference was computed from doubles.
bool near(const Rational& value, const Rational& reference) {
  return abs(value - reference) <= abs(reference) * ratio(2, Integer("100000000000"));
}

}  // namespace

TEST_CASE("the reference answers are met") {
  const auto folder = data_folder("wmi");
  if (!folder) return;
  const auto reference = nlohmann::json::parse(load(*folder / "answers.json").text);
  std::size_t count = 0;
  for (const auto& [name, answer] : reference.at("answers").items()) {
    if (count++ % 3 != 0 && !long_run() && !answer.contains("exact")) continue;
    CAPTURE(name);
    Script script = read(load(*folder / name));
    script.resize(1);
    script[0].queries.resize(1);
    const Answer found = answers(script)[0];
    REQUIRE(found.value);
    REQUIRE(found.value->exact());
    if (answer.contains("exact"))
      CHECK(to_string(found.value->lower) == answer.at("exact").get<std::string>());
    else
      CHECK(near(found.value->lower, parse_number(answer.at("decimal").get<std::string>())));
  }
  CHECK(count > 20);
}

TEST_CASE("the sequential files are answered to the twelve digits that they store") {
  const auto folder = data_folder("wmi");
  if (!folder) return;
  for (const auto& entry : std::filesystem::directory_iterator(*folder / "sequential")) {
    const Source source = load(entry.path());
    CAPTURE(source.name);
    Script script = read(source);
    REQUIRE(script.size() == 1);
    std::vector<StoredAnswer> stored = stored_answers(source);
    std::vector<Query>& queries = script[0].queries;
    REQUIRE(queries.size() == stored.size() + 1);
    queries.erase(queries.begin());  // (get-wmi)
    if (!long_run()) {               // every tenth
      std::vector<Query> some;
      std::vector<StoredAnswer> theirs;
      for (std::size_t i = 0; i < queries.size(); i += 10) {
        some.push_back(queries[i]);
        theirs.push_back(stored[i]);
      }
      queries = some;
      stored = theirs;
    }
    const std::vector<Answer> found = answers(script);
    for (std::size_t i = 0; i < found.size(); ++i) {
      CAPTURE(i);
      REQUIRE(found[i].value);
      CHECK(decimal(found[i].value->lower, 12) == decimal(stored[i].probability, 12));
    }
  }
}

TEST_CASE("one file of each other format is answered") {
  const auto folder = data_folder("wmi");
  if (!folder) return;
  SUBCASE("Kolb text is the JSON problem of the same name") {
    const Answer text = answers(read(load(*folder / "kolb/problem_10_2_4_6_50_2_1.txt")))[0];
    const Answer json = answers(read(load(*folder / "kolb/problem_10_2_4_6_50_2_1.json")))[0];
    CHECK(text.value == json.value);
  }
  SUBCASE("a density estimation tree is a density, within its rounded constants") {
    const std::vector<Answer> found = answers(read(load(*folder / "dets/iris-100-200.json")));
    CHECK(abs(found[0].value->lower - 1) < ratio(1, 1'000'000'000));
    for (const Answer& answer : found) {
      CHECK(answer.value->lower >= 0);
      CHECK(answer.value->upper <= ratio(1'000'001, 1'000'000));
    }
  }
  SUBCASE("a triple is named by any of its files") {
    const Script script = read(load(*folder / "triples/example_1.support"));
    CHECK(script == read(load(*folder / "triples/example_1.query")));
    const std::vector<Answer> found = answers(script);
    REQUIRE(found.size() == 2);
    // The query and its negation share the whole.
    Script other = script;
    other[0].queries[1].event = !other[0].queries[1].event;
    CHECK(answers(other)[1].value->lower + found[1].value->lower == 1);
  }
  SUBCASE("a road problem with evidence is a probability") {
    const Script script = read(load(*folder / "road/steps2_iteration1.txt"));
    const std::vector<Answer> found = answers(script);
    REQUIRE(script.size() == 2);
    REQUIRE(found.size() == 2);
    CHECK(script[1].problem.observations.size() == 1);
    CHECK(found[0].value->lower > 0);
    CHECK(found[1].value->lower > 0);
    CHECK(found[1].value->lower < 1);
    // The query and its negation share the slice.
    Script other = script;
    other[1].queries[0].event = !other[1].queries[0].event;
    CHECK(answers(other)[1].value->lower + found[1].value->lower == 1);
  }
}
