#include "frontends/learning/prediction_text.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "solver/terms/error.h"

namespace wmi::frontends {

TEST_CASE("doubles are written so that the same bits are read") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (std::isnan(value)) continue;
    CHECK(std::bit_cast<std::uint64_t>(parse_exact_double(exact_text(value))) ==
          std::bit_cast<std::uint64_t>(value));
  }
  constexpr double infinite = std::numeric_limits<double>::infinity();
  CHECK(parse_exact_double(exact_text(infinite)) == infinite);
  CHECK(parse_exact_double(exact_text(-infinite)) == -infinite);
  CHECK(std::isnan(parse_exact_double(exact_text(std::nan("")))));
  CHECK_THROWS_AS(parse_exact_double("1 2"), Error);
  CHECK_THROWS_AS(parse_exact_double(""), Error);
}

TEST_CASE("a prediction is read as it was written") {
  Prediction prediction;
  prediction.estimated_error = 1e-9;
  prediction.quantities = {{"mean", 0.1},
                           {"low_0.9", -std::numeric_limits<double>::infinity()},
                           {"density", 0.25, Interval(ratio(1, 3), ratio(1, 2)), "", 21, true},
                           {"cdf", 0.5, Interval(ratio(1, 2)), "1/2", 17, true},
                           {"class", 2, {}, "a \"red\" one"},
                           {.name = "outcome", .value = std::nan(""), .certified = true}};
  const Prediction read = parse_prediction(to_text(prediction));
  CHECK(read.estimated_error == prediction.estimated_error);
  REQUIRE(read.quantities.size() == prediction.quantities.size());
  for (std::size_t i = 0; i < read.quantities.size(); ++i) {
    const Quantity &found = read.quantities[i], &expected = prediction.quantities[i];
    CHECK(found.name == expected.name);
    CHECK((found.value == expected.value || std::isnan(expected.value)));
    CHECK(found.bounds == expected.bounds);
    CHECK(found.text == expected.text);
    CHECK(found.digits == expected.digits);
    CHECK(found.certified == expected.certified);
  }
  Prediction failed;
  failed.error = "row 3: it overflows";
  CHECK(parse_prediction(to_text(failed)).error == failed.error);
  CHECK(to_text(failed).find('\n') == std::string::npos);
}

TEST_CASE("what is no prediction is refused") {
  for (const char* text : {"", "[]", "{}", "[\"\",\"0\"]", "[\"\",\"0\",[[\"mean\"]]]",
                           "[\"\",\"x\",[]]", "[\"\",\"0\",[[\"a\",\"1\",\"2\",1,\"\",1,true]]]",
                           "[\"\",\"0\",[[\"a\",\"1\",\"1/0\",\"1\",\"\",17,true]]]"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_prediction(text), Error);
  }
}

}  // namespace wmi::frontends
