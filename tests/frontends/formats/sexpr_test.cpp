#include "frontends/formats/sexpr.h"

#include <doctest/doctest.h>

#include "frontends/common/caps.h"
#include "tests/frontends/reading.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

std::vector<Tree> read_all(std::string_view text, Lexicon lexicon = Lexicon::smtlib) {
  SexprReader reader(text, {1, 1}, lexicon);
  std::vector<Tree> result;
  while (std::optional<Tree> tree = reader.next()) result.push_back(std::move(*tree));
  return result;
}

std::string refusal(std::string_view text, Lexicon lexicon = Lexicon::smtlib) {
  return complaint([&] { read_all(text, lexicon); });
}

}  // namespace

TEST_CASE("a tree is in preorder, and each node has its end and its location") {
  const Tree tree = read_all("(assert\n  (<= 0 x))")[0];
  REQUIRE(tree.size() == 6);
  CHECK(tree[0].end == 6);
  CHECK(children(tree, 0) == std::vector<std::uint32_t>{1, 2});
  CHECK(children(tree, 2) == std::vector<std::uint32_t>{3, 4, 5});
  CHECK(children(tree, 5).empty());
  CHECK(tree[1].where == Location{1, 2});
  CHECK(tree[2].where == Location{2, 3});
  CHECK(tree[5].where == Location{2, 9});
}

TEST_CASE("the first character of a token determines its kind") {
  const Tree tree = read_all(R"((x 12 0.1 1e-3 "a ""b""" |c d| :at -2.0 -> & ^ ~ ()))")[0];
  const auto kind = [&](std::uint32_t node) { return tree[node].kind; };
  CHECK(kind(1) == Sexpr::Kind::symbol);
  CHECK(kind(2) == Sexpr::Kind::number);
  CHECK(kind(3) == Sexpr::Kind::number);
  CHECK(kind(4) == Sexpr::Kind::number);
  CHECK(tree[4].text == "1e-3");
  CHECK(kind(5) == Sexpr::Kind::string);
  CHECK(tree[5].text == "a \"b\"");
  CHECK(kind(6) == Sexpr::Kind::symbol);
  CHECK(tree[6].text == "c d");
  CHECK(kind(7) == Sexpr::Kind::keyword);
  CHECK(tree[7].text == "at");
  for (std::uint32_t node = 8; node < 13; ++node) CHECK(kind(node) == Sexpr::Kind::symbol);
  CHECK(kind(13) == Sexpr::Kind::list);
}

TEST_CASE("an expression is printed on one line, with quotes where SMT-LIB needs them") {
  const std::string text = R"((a () (|b c| "x""y" :at 1e-3) |1| ||))";
  CHECK(to_string(read_all(text)[0]) == text);
  CHECK(to_string(read_all("( a  |b|\n; no\n (c ) )")[0]) == "(a b (c))");
  CHECK(to_string(read_all("(a (b c))")[0], 2) == "(b c)");
  CHECK(quoted_symbol("fc2.weight[0,3]") == "|fc2.weight[0,3]|");
  CHECK(quoted_symbol("θ") == "|θ|");
  CHECK(quoted_symbol("x_1.y") == "x_1.y");
  CHECK(quoted_symbol("100 %") == "|100 %|");
  CHECK(quoted_symbol("a|b\\c 1%") == "|a%7Cb%5Cc 1%25|");  // no quotes can hold these
}

TEST_CASE("expressions follow one another, between comments") {
  const std::vector<Tree> trees = read_all("\xef\xbb\xbf(a) ; (b)\r\n\tc;");
  REQUIRE(trees.size() == 2);
  CHECK(trees[0][0].where == Location{1, 4});  // after a byte order mark of three bytes
  CHECK(trees[1][0].where == Location{2, 2});
  CHECK(read_all("").empty());
  CHECK(read_all(" ; nothing").empty());
}

TEST_CASE("columns count from the given start") {
  SexprReader reader("a b\nc", {7, 10});
  CHECK(reader.next()->front().where == Location{7, 10});
  CHECK(reader.next()->front().where == Location{7, 12});
  CHECK(reader.next()->front().where == Location{8, 1});
}

TEST_CASE("in the Lisp formats a bar is a symbol and numbers are not validated") {
  const Tree tree = read_all("(| a 1/3)", Lexicon::lisp)[0];
  CHECK(tree[1].text == "|");
  CHECK(tree[3].kind == Sexpr::Kind::number);
  CHECK(tree[3].text == "1/3");
}

TEST_CASE("text that is not an expression is refused with its location") {
  CHECK(refusal("(a\n  (b") == "2:3: this '(' is never closed");
  CHECK(refusal("(a))") == "1:4: this ')' closes nothing");
  CHECK(refusal("(a \"b") == "1:4: this string is never closed");
  CHECK(refusal("|b") == "1:1: this quoted symbol is never closed");
  CHECK(refusal("|a\\b|") == "1:3: a quoted symbol cannot contain '\\'");
  CHECK(refusal("(: a)") == "1:2: ':' is not a keyword");
  CHECK(refusal("12ab") == "1:1: '12ab' is not a number");
  CHECK(refusal("1. ") == "1:1: '1.' is not a number");
  CHECK(refusal("1e") == "1:1: '1e' is not a number");
  CHECK(refusal("(1/3)") == "1:2: '1/3' is not a number; a fraction is written (/ 1 3)");
  CHECK(refusal(std::string_view("a\0b", 3)) ==
        "1:2: byte 0x00 is not text; is this a binary file?");
  CHECK(refusal("; \xff") == "1:3: byte 0xff is not text; is this a binary file?");
  CHECK(refusal("\x7f") == "1:1: byte 0x7f is not text; is this a binary file?");
}

TEST_CASE("expressions are read up to the nesting cap and refused beyond it") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + std::string(depth, ')');
  };
  CHECK(read_all(nested(frontends::caps::nesting))[0].size() == frontends::caps::nesting);
  CHECK(to_string(read_all(nested(frontends::caps::nesting))[0]) ==
        nested(frontends::caps::nesting));
  CHECK(refusal(nested(frontends::caps::nesting + 1)) ==
        "1:10001: parentheses nested deeper than 10000");
  CHECK(refusal(std::string(1'000'000, '(')) == "1:10001: parentheses nested deeper than 10000");
}
