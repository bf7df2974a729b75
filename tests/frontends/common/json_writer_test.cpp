#include "frontends/common/json_writer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include "frontends/formats/json.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

std::string number(double value) { return JsonText(value).text(); }

TEST_CASE("strings are quoted and escaped, and are UTF-8") {
  CHECK(json_string("a \"b\" \\ \n\x1f \u00fc") == "\"a \\\"b\\\" \\\\ \\u000a\\u001f \u00fc\"");
  CHECK_THROWS_AS(json_string("\xff"), Error);
  CHECK_THROWS_AS(json_string(std::string(1, '\0')), Error);
}

TEST_CASE("strings of any bytes are displayed, with U+FFFD for malformed UTF-8") {
  const auto shown = [](std::string_view bytes) { return JsonText::display(bytes).text(); };
  CHECK(shown("a\n\x01\"") == "\"a\\n\\u0001\\\"\"");
  CHECK(shown("\xff\xfe") == "\"\ufffd\ufffd\"");
  CHECK(shown("\xe2\x82x") == "\"\ufffdx\"");
  CHECK(shown("\xe0\x80") == "\"\ufffd\ufffd\"");
  CHECK(shown("\xf0\x9f\x98") == "\"\ufffd\"");
  CHECK(shown("\u00fc\U0001f600") == "\"\u00fc\U0001f600\"");
}

TEST_CASE("numbers are written as short as they read back, without an exponent if they are usual") {
  CHECK(number(0) == "0");
  CHECK(number(-0.5) == "-0.5");
  CHECK(number(0.1) == "0.1");
  CHECK(number(100000) == "100000");
  CHECK(number(1e15) == "1000000000000000");
  CHECK(number(1e16) == "1e+16");
  CHECK(number(0.0001) == "0.0001");
  CHECK(number(0.00001) == "1e-05");
  CHECK(number(1e300) == "1e+300");
  CHECK(number(std::nan("")) == "null");
  CHECK(number(std::numeric_limits<double>::infinity()) == "null");
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const double value =
        std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 200) - 150);
    CHECK(std::strtod(number(value).c_str(), nullptr) == value);
  }
}

TEST_CASE("values of every kind are members and elements, in order") {
  JsonObject object;
  object.add("z", nullptr).add("a", true).add("n", -3).add("big", std::size_t{1} << 63);
  object.add("text", "t").add("exact", JsonText::verbatim("0.10"));
  object.add("list", JsonArray::of(std::vector<std::string>{"x", "y"}));
  object.add("empty", JsonObject()).add("none", JsonArray());
  CHECK(object.text() ==
        R"({"z":null,"a":true,"n":-3,"big":9223372036854775808,"text":"t","exact":0.10,)"
        R"("list":["x","y"],"empty":{},"none":[]})");
}

TEST_CASE("lines break where they are asked to, also before the closing bracket") {
  JsonArray array(JsonSpacing::blanks);
  array.line(2).add(1).line(2).add(2).add(3);
  CHECK(array.text() == "[\n  1,\n  2, 3]");
  JsonObject object(JsonSpacing::blanks);
  object.add("a", 1).line(1).add("b", array).line(0);
  CHECK(object.text() == "{\"a\": 1,\n \"b\": [\n  1,\n  2, 3]\n}");
  CHECK(JsonObject().line(0).text() == "{\n}");
}

TEST_CASE("the reader reads what the writer wrote") {
  const std::string name = "a \"b\" \\ \n \u00fc";
  const std::string text = JsonObject().add(name, JsonArray().add(0.1).add(name)).text();
  const Json json(text);
  const Json::Value list = json.root().items().at(0);
  CHECK(list.key() == name);
  CHECK(list.items().at(0).text() == "0.1");
  CHECK(list.items().at(1).text() == name);
}

}  // namespace
}  // namespace wmi::frontends
