#include "frontends/cli/setting.h"

#include <doctest/doctest.h>

namespace wmi::frontends {
namespace {

struct Entry {
  std::string_view name, description;
};

std::span<const Entry> engines() {
  static constexpr Entry table[] = {{"split", "cuts"}, {"z3", "asks a solver"}};
  return table;
}

constexpr Setting engine{"engine", "NAME", "split", "of all files",
                         kind::OneOf{.table = choices_of<engines>, .noun = "engine"}};

TEST_CASE("choices come from a list of words, from a table, or from the name of the value") {
  CHECK(choices({"a", "NAME", "", "", kind::OneOf{"x|yy|z"}}).at(1).name == "yy");
  CHECK(choices({"a", "yes|no", "", ""}).size() == 2);
  CHECK(choices(engine).at(1).description == "asks a solver");
  CHECK(choices({"a", "N", "", "", kind::Count{1, 2}}).empty());
}

TEST_CASE("a value of another kind is a mistake that is described") {
  const auto wrong = [](ValueKind kind, const std::string& value) {
    return mistake({"a", "A", "", "", kind}, value).value_or("");
  };
  CHECK(wrong(kind::Text{}, "anything") == "");
  CHECK(wrong(kind::Text{}, "") == "needs a value; see --help");
  CHECK(wrong(kind::Number{-1, 0.5}, "-1e-3") == "");
  CHECK(wrong(kind::Number{-1, 0.5}, "0.6") == "'0.6' is no number from -1 to 0.5");
  CHECK(wrong(kind::Number{-1, 0.5}, "nan") == "'nan' is no number from -1 to 0.5");
  CHECK(wrong(kind::Count{0, 7}, "7") == "");
  CHECK(wrong(kind::Count{0, 7}, "8") == "'8' is no whole number from 0 to 7");
  CHECK(wrong(kind::Count{0, 7}, "\n") == "'\\n' is no whole number from 0 to 7");
  CHECK(wrong(kind::Counts{}, "5,6") == "");
  CHECK(wrong(kind::Counts{}, "5,0") == "'5,0' is no list of numbers above 0, such as 50,20");
  CHECK(wrong(kind::OneOf{"x|y"}, "y") == "");
  CHECK(wrong(kind::OneOf{"x|y|z"}, "w") == "no 'w'; choose x, y or z");
  CHECK(mistake(engine, "spilt") == "no engine named 'spilt'; choose split or z3");
}

TEST_CASE("help has the description, the default and the choices that are described") {
  CHECK(help_text({"a", "N", "3", "how many"}) == "how many (default: 3)");
  CHECK(help_text({"a", "N", "", "how many"}) == "how many");
  CHECK(help_text(engine) == "of all files\nsplit  cuts (default)\nz3     asks a solver");
  CHECK(description_text(engine) == "of all files\nsplit  cuts\nz3     asks a solver");
  CHECK(help_text({"a", "NAME", "x", "x or y", kind::OneOf{"x|y"}}) == "x or y (default: x)");
}

}  // namespace
}  // namespace wmi::frontends
