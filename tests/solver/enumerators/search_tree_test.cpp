#include "solver/enumerators/search_tree.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"

namespace wmi::tests {
namespace {

TEST_CASE("a path is written and read") {
  const std::string text = "t0/3 l1/2 17+ 4- g2/3 r 0+";
  const SearchPath path = parse_path(text);
  REQUIRE(path.size() == 7);
  CHECK(path[2].at == SearchNode{SearchNode::Kind::decision, 17});
  CHECK(path[2].branch == 0);
  CHECK(path[3].branch == 1);
  CHECK(path[4].branches == 3);
  CHECK(to_text(path) == text);
  CHECK(parse_path("").empty());
}

TEST_CASE("what is no path is refused") {
  for (const char* text : {" ", "17", "17*", "17+ ", "17+  4-", "g3/3", "g1", "g1/0", "l/2", "x",
                           "99999999999+", "r1", "-1+", "17+4-", "t0/9999999999"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_path(text), Error);
  }
}

TEST_CASE("a tree is written and read, and is complete") {
  const std::string text = "(17 . (g . ?2 (r (l ?1 .))))";
  const SearchTree tree = parse_tree(text);
  CHECK(to_text(tree) == text);
  CHECK_FALSE(tree.finished());
  const std::vector<OpenPlace> open = open_places(tree);
  REQUIRE(open.size() == 2);
  CHECK(to_text(open[0].path) == "17- g1/3");
  CHECK(open[0].unit == 2);
  CHECK(to_text(open[1].path) == "17- g2/3 r l0/2");
  CHECK(parse_tree(".").finished());
}

TEST_CASE("a tree that lacks a branch is refused") {
  for (const char* text : {"", "(", "(17 .)", "(17 . . .)", "(17)", "(r . .)", "(g)", "(17 . .",
                           "(17 . .))", ". .", "?", "(x . .)", "(17  . .)", "!"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_tree(text), Error);
  }
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "(1 ";
  CHECK_THROWS_AS(parse_tree(deep), Error);
}

TEST_CASE("trees of one search are merged, and none covers the place of another") {
  SearchTree tree = along(parse_path("17+"), parse_tree("(3 . ?0)"));
  merge(tree, along(parse_path("17-"), parse_tree(".")));
  CHECK(to_text(tree) == "(17 (3 . ?0) .)");
  CHECK(to_text(at(tree, parse_path("17+"))) == "(3 . ?0)");
  CHECK_THROWS_AS(at(tree, parse_path("18+")), Error);
  CHECK_THROWS_AS(at(tree, parse_path("17- 1+")), Error);
  CHECK_THROWS_AS(merge(tree, along(parse_path("17-"), parse_tree("."))), Error);
  CHECK_THROWS_AS(merge(tree, along(parse_path("18-"), parse_tree("."))), Error);
  CHECK_THROWS_AS(to_text(along(parse_path("17-"), parse_tree("."))), Error);
}

}  // namespace
}  // namespace wmi::tests
