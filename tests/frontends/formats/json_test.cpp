#include "frontends/formats/json.h"

#include <doctest/doctest.h>

#include "tests/frontends/reading.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

std::string refusal(std::string_view text) {
  return complaint([&] { Json json(text); });
}

}  // namespace

TEST_CASE("every kind of JSON value is read, with its location") {
  const Json json("{\"a\": [null, true, false, -1.50e+2],\n \"b\": {}, \"c\": \"x\"}");
  const Json::Value root = json.root();
  CHECK(root.kind() == Json::Kind::object);
  const std::vector<Json::Value> items = root.at("a").items();
  REQUIRE(items.size() == 4);
  CHECK(items[0].kind() == Json::Kind::null);
  CHECK(items[1].kind() == Json::Kind::boolean);
  CHECK(items[1].text() == "true");
  CHECK(items[2].text() == "false");
  CHECK(items[3].kind() == Json::Kind::number);
  CHECK(items[3].where() == Location{1, 27});
  CHECK(root.at("b").kind() == Json::Kind::object);
  CHECK(root.at("b").items().empty());
  CHECK(root.at("c").text() == "x");
  CHECK(root.at("c").where() == Location{2, 16});
  CHECK(root.at("c").inside() == Location{2, 17});
  CHECK(root.items()[1].key() == "b");
  CHECK(root.items()[1].key_where() == Location{2, 2});
  CHECK_FALSE(root.find("d").has_value());
}

TEST_CASE("a JSON number keeps every digit it was written with") {
  const char* text = "0.100000000000000000000000000000000000001";
  CHECK(Json(text).root().text() == text);
}

TEST_CASE("JSON escapes are resolved, and locations inside such a string are unknown") {
  const Json json(R"(["a\"\\\/\b\f\n\r\t", "\u00e9\u2208\ud835\udc65", "é"])");
  const std::vector<Json::Value> items = json.root().items();
  CHECK(items[0].text() == "a\"\\/\b\f\n\r\t");
  CHECK(items[1].text() == "é∈𝑥");
  CHECK(items[1].inside() == Location{});
  CHECK(items[2].text() == "é");
}

TEST_CASE("a JSON member that is missing or of another kind is named in the error") {
  const Json json(R"( {"a": 1})");
  CHECK(complaint([&] { json.root().at("b"); }) == "1:2: 'b' is missing");
  CHECK(complaint([&] { json.root().at("a").expect(Json::Kind::string, "'a'"); }) ==
        "1:8: 'a' must be a string, not a number");
}

TEST_CASE("invalid JSON is refused with its location") {
  CHECK(refusal("") == "1:1: expected a value, not the end of the text");
  CHECK(refusal("[1,\n 2") == "1:1: this '[' is never closed");
  CHECK(refusal("{\"a\": 1") == "1:1: this '{' is never closed");
  CHECK(refusal("[1 2]") == "1:4: expected ',' or ']', not '2'");
  CHECK(refusal("[1,]") == "1:4: expected a value, not ']'");
  CHECK(refusal("[1}") == "1:3: expected ',' or ']', not '}'");
  CHECK(refusal("{\"a\" 1}") == "1:6: expected ':', not '1'");
  CHECK(refusal("{a: 1}") == "1:2: expected a name in quotes, not 'a'");
  CHECK(refusal("{\"a\": 1,}") == "1:9: expected a name in quotes, not '}'");
  CHECK(refusal("{\"a\": 1, \"a\": 2}") == "1:10: the name 'a' stands twice in this object");
  CHECK(refusal("1 2") == "1:3: expected the end of the text, not '2'");
  CHECK(refusal("[Infinity]") == "1:2: expected a value, not 'Infinity'");
  CHECK(refusal("nul") == "1:1: expected a value, not 'nul'");
  CHECK(refusal("01") == "1:1: expected a number, not '01'");
  CHECK(refusal("1.") == "1:1: expected a number, not '1.'");
  CHECK(refusal("-") == "1:1: expected a number, not '-'");
  CHECK(refusal("1e") == "1:1: expected a number, not '1e'");
  CHECK(refusal("[\"a]") == "1:2: this string is never closed");
  CHECK(refusal("[\"a\n\"]") == "1:2: this string is not closed at the end of its line");
  CHECK(refusal("\"\\x\"") == "1:2: no such escape in a string");
  CHECK(refusal("\"\\u12g4\"") == "1:6: expected four hexadecimal digits after \\u, not 'g4'");
  CHECK(refusal("\"\\ud835\"") == "1:2: half of a surrogate pair");
  CHECK(refusal("\"\\udc65\"") == "1:2: half of a surrogate pair");
  CHECK(refusal("\"\\u0000\"") == "1:2: the character \\u0000 is not text");
  CHECK(refusal("\"\xff\"") == "1:2: a byte that is not text in a string");
  CHECK(refusal("\xff") == "1:1: expected a value, not a byte that is not text");
}

TEST_CASE("JSON is read up to the nesting cap and refused beyond it") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(refusal(nested(10'000)) == "no complaint");
  CHECK(refusal(nested(10'001)) == "1:10001: brackets nested deeper than 10000");
}
