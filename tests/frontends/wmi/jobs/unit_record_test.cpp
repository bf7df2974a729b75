#include "frontends/wmi/jobs/unit_record.h"

#include <doctest/doctest.h>

#include "frontends/wmi/jobs/digest.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

UnitRecord example() {
  UnitRecord record;
  record.job = "sha256:00";
  record.version = "1";
  record.build = "00ff";
  record.unit = "17.2";
  record.places = {parse_path("t0/1 3+"), parse_path("t0/1 3- 4+")};
  record.trees = {parse_tree("(5 . ?1)"), parse_tree("?2")};
  record.calls = 7;
  record.seconds = 1.5;
  UnitRecord::OfTask part;
  part.found.sums.cells = 3;
  part.found.sums.sums = {Interval(ratio(-1, 3)), Interval(0, 1)};
  part.found.sums.counts = {2, 1};
  part.found.sums.laws = {TruncatedPowers({{Rational(1), {Rational(0), ratio(1, 2)}}}),
                          TruncatedPowers::too_long_measure()};
  part.found.refusals = {{{0, 4}, {1}, "region is \"unbounded\"\n"}};
  record.tasks = {part};
  record.note = "a note";
  return record;
}

/// With a digest that is right.
std::string signed_text(const std::string& body) { return body + digest(body) + "\n"; }

std::string body_of(const std::string& text) { return text.substr(0, text.find('\n') + 1); }

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), by);
}

TEST_CASE("a record is written and read") {
  const UnitRecord record = example();
  const std::string text = to_text(record);
  const UnitRecord read = parse_record(text);
  CHECK(to_text(read) == text);
  CHECK(read.build == "00ff");
  CHECK(read.tasks[0].found.sums.sums == record.tasks[0].found.sums.sums);
  CHECK(read.tasks[0].found.sums.laws[0].knots() == record.tasks[0].found.sums.laws[0].knots());
  CHECK(read.tasks[0].found.sums.laws[1].too_long());
  CHECK(read.tasks[0].found.refusals == record.tasks[0].found.refusals);
  const auto units = read.left_open();
  REQUIRE(units.size() == 2);
  CHECK(wmi::to_text(units[0].at(0)) == "t0/1 3+ 5-");
  CHECK(wmi::to_text(units[1].at(0)) == "t0/1 3- 4+");
}

TEST_CASE("a record that is cut off or changed anywhere is refused") {
  const std::string text = to_text(example());
  for (std::size_t i = 0; i < text.size(); ++i) {
    CAPTURE(i);
    CHECK_THROWS_AS(parse_record(text.substr(0, i)), Error);
    std::string changed = text;
    changed[i] ^= 1;
    CHECK_THROWS_AS(parse_record(changed), Error);
  }
  CHECK_THROWS_AS(parse_record(text + "\n"), Error);
}

TEST_CASE("a record with a right digest and a wrong shape is refused") {
  const std::string body = body_of(to_text(example()));
  CHECK_NOTHROW(parse_record(signed_text(body)));
  const auto refused = [&](const std::string& old, const std::string& by) {
    CAPTURE(by);
    CHECK_THROWS_AS(parse_record(signed_text(replaced(body, old, by))), Error);
  };
  refused("\"wmi-unit\":1", "\"wmi-unit\":2");
  refused("\"wmi-unit\":1", "\"other\":1");
  refused("(5 . ?1)", "(5 .)");
  refused("(5 . ?1)", "(5 . ?3)");
  refused("(5 . ?1)", "(5 . !)");
  refused("\"?2\"", "\".\",\".\"");
  refused("-1/3", "-1/0");
  refused("-1/3", "1e9");
  refused("-1/3", "0x10");
  refused("-1/3", "");
  refused("[\"0\",\"1\"]", "[\"2\",\"1\"]");
  refused("[\"0\",\"1\"]", "[\"2\"]");
  refused("\"cells\":3", "\"cells\":-3");
  refused("\"cells\":3", "\"cells\":99999999999999999999999");
  refused("\"at\":[0,4]", "\"at\":[0,4294967296]");
  refused("t0/1 3+", "t1/1 3+");
  refused("{\"wmi-unit\"", "[\"wmi-unit\"");
}

TEST_CASE("open places become units, those nearest to the root one each") {
  std::vector<SearchTree> trees = {parse_tree("(1 (2 (3 (4 ?0 ?0) ?0) ?0) ?0)")};
  number_units(trees, 0);
  CHECK(wmi::to_text(trees[0]) == "(1 (2 (3 (4 ?1 ?2) ?3) ?4) ?5)");
  number_units(trees, 3);
  CHECK(wmi::to_text(trees[0]) == "(1 (2 (3 (4 ?3 ?3) ?3) ?1) ?2)");
  number_units(trees, 1);
  CHECK(wmi::to_text(trees[0]) == "(1 (2 (3 (4 ?1 ?1) ?1) ?1) ?1)");
}

TEST_CASE("units are named after the one that left them") {
  CHECK(parse_unit("17") == std::vector<std::size_t>{17});
  CHECK(parse_unit("17.2.3") == std::vector<std::size_t>{17, 2, 3});
  CHECK(unit_name("0", 4) == "4");
  CHECK(unit_name("4", 1) == "4.1");
  for (const char* name : {"", "0", "x", "1.", ".1", "1..2", "01", "1.0", "-1", "../1", "1/2",
                           "0.1", "1,2", " 1", "1 ", "+1", "99999999999999999999"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(parse_unit(name), Error);
  }
}

TEST_CASE("the file of a unit has its name, if that is not too long for a file") {
  CHECK(file_name("17.2") == "17.2");
  std::string unit = "1";
  for (int i = 0; i < 20'000; ++i) unit += ".1";
  CHECK(parse_unit(unit).size() == 20'001);
  const std::string other = unit.substr(0, unit.size() - 1) + "2";
  CHECK(file_name(unit).size() < 110);
  CHECK(file_name(unit) != file_name(other));
  CHECK(file_name(unit).find_first_not_of("0123456789abcdef.~") == std::string::npos);
  for (int i = 0; i < 20'000; ++i) unit += ".1.1";
  CHECK_THROWS_AS(parse_unit(unit), Error);
}

}  // namespace
}  // namespace wmi::frontends
