#include "encoders/attributes.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"

using namespace wmi;
using namespace wmi::encoders;

namespace {

Attributes some() {
  return Attributes({{"slope", ratio(1, 3)},
                     {"stride", Rational(2)},
                     {"padding", std::vector<Rational>{1, 0}},
                     {"mode", std::string("masks")}});
}

}  // namespace

TEST_CASE("attributes are taken by name and kind") {
  Attributes attributes = some();
  CHECK(attributes.number("slope") == ratio(1, 3));
  CHECK(attributes.naturals("stride", 2) == std::vector<std::size_t>{2, 2});
  CHECK(attributes.naturals("padding", 2) == std::vector<std::size_t>{1, 0});
  CHECK(attributes.word("mode") == "masks");
  CHECK_NOTHROW(attributes.finish());
}

TEST_CASE("a missing attribute has its default, or is an error") {
  Attributes attributes;
  CHECK(attributes.number("slope", ratio(1, 100)) == ratio(1, 100));
  CHECK(attributes.natural("groups", 1) == 1);
  CHECK(attributes.naturals("stride", 2, 1) == std::vector<std::size_t>{1, 1});
  CHECK(attributes.word("mode", "evaluation") == "evaluation");
  CHECK_THROWS_WITH_AS(attributes.number("slope"), "attribute 'slope' is missing", Error);
  CHECK_THROWS_WITH_AS(attributes.naturals("kernel", 2), "attribute 'kernel' is missing", Error);
  CHECK_THROWS_WITH_AS(attributes.numbers("at"), "attribute 'at' is missing", Error);
  CHECK_THROWS_WITH_AS(attributes.word("side"), "attribute 'side' is missing", Error);
}

TEST_CASE("an attribute of the wrong kind is refused by name") {
  CHECK_THROWS_WITH_AS(some().number("mode"), "attribute 'mode' must be a number", Error);
  CHECK_THROWS_WITH_AS(some().word("slope"), "attribute 'slope' must be a word", Error);
  CHECK_THROWS_WITH_AS(some().numbers("slope"), "attribute 'slope' must be a list of numbers",
                       Error);
  CHECK_THROWS_WITH_AS(some().natural("slope"),
                       "attribute 'slope' must be a natural number, not 1/3", Error);
  CHECK_THROWS_WITH_AS(some().naturals("padding", 3),
                       "attribute 'padding' must be a number or a list of 3", Error);
}

TEST_CASE("unknown attributes are refused by name") {
  Attributes attributes = some();
  attributes.number("slope");
  CHECK_THROWS_WITH_AS(attributes.finish(), "attribute 'mode' means nothing to this type of layer",
                       Error);
}
