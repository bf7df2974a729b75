#include "encoders/enclosure.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "solver/terms/error.h"
#include "tests/encoders/known_functions.h"

using namespace wmi;
using namespace wmi::encoders;

namespace {

/// Checks that the function lies between the bounds at many points, in the range and far beyond.
void check_encloses(const Enclosure& enclosure) {
  static std::map<std::pair<Smooth, int>, Interval> truths;
  for (int i = -240; i <= 240; ++i) {
    const Rational x = ratio(i, 17);
    CAPTURE(x.get_d());
    Interval& truth = truths[{enclosure.function, i}];
    if (truth == Interval()) truth = value_of(enclosure.function, x);
    const Rational lower = enclosure.lower.value(x), upper = enclosure.upper.value(x);
    REQUIRE(lower <= truth.upper);  // the interval is far narrower than the bounds
    REQUIRE(truth.lower <= upper);
    REQUIRE(upper - lower <= enclosure.width);
  }
  for (const PiecewiseLinear* bound : {&enclosure.lower, &enclosure.upper})
    for (const Rational& x : bound->at) {
      const Interval truth = value_of(enclosure.function, x);
      REQUIRE(enclosure.lower.value(x) <= truth.upper);
      REQUIRE(truth.lower <= enclosure.upper.value(x));
    }
}

}  // namespace

TEST_CASE("the bounds enclose the function on the whole line, whatever the number of pieces") {
  for (const KnownFunction& known : known_functions)
    for (const std::size_t pieces : {1, 2, 5, 16}) {
      CAPTURE(static_cast<int>(known.function));
      CAPTURE(pieces);
      const Enclosure found =
          enclose(known.function, {-known.reach, known.reach + ratio(1, 7) * 3, pieces + 2, {}});
      CHECK(found.pieces <= pieces + 2);
      check_encloses(found);
    }
}

TEST_CASE("a requested width holds everywhere") {
  for (const KnownFunction& known : known_functions)
    for (const Rational& width : {ratio(1, 3), ratio(1, 50), ratio(1, 500)}) {
      CAPTURE(static_cast<int>(known.function));
      CAPTURE(width.get_d());
      const Enclosure found = enclose(known.function, {-known.reach, known.reach, {}, width});
      CHECK(found.width <= width);
      check_encloses(found);
    }
}

TEST_CASE("narrower bounds have more pieces") {
  const auto pieces = [](const Rational& width) {
    return enclose(Smooth::tanh, {-6, 6, {}, width}).pieces;
  };
  CHECK(pieces(ratio(1, 10)) < pieces(ratio(1, 100)));
  CHECK(pieces(ratio(1, 100)) < pieces(ratio(1, 1000)));
  CHECK(pieces(ratio(1, 100)) < 30);
}

TEST_CASE("a range is widened as far as the width requires") {
  for (const Smooth function : {Smooth::tanh, Smooth::sigmoid, Smooth::gelu, Smooth::softplus}) {
    const EnclosureRequest wanted = request_within(function, -2, 3, ratio(1, 10'000));
    CHECK(wanted.low < -2);
    CHECK(wanted.high > 3);
    CHECK(enclose(function, wanted).width <= ratio(1, 10'000));
  }
  const EnclosureRequest enough = request_within(Smooth::tanh, -4, 4, ratio(1, 10));
  CHECK(enough.low == -4);
  CHECK(enough.high == 4);
  CHECK_THROWS_WITH_AS(
      enclose(Smooth::tanh, request_within(Smooth::tanh, -4, 4, ratio(1, 1'000'000))),
      "attribute 'width' 1/1000000 needs more than 1024 pieces", Error);
}

TEST_CASE("requests that cannot be met are refused") {
  const auto refused = [](Smooth function, const EnclosureRequest& request, const char* what) {
    CHECK_THROWS_WITH_AS(enclose(function, request), what, Error);
  };
  refused(Smooth::tanh, {-1, 1, {}, {}}, "give one of the attributes 'pieces' and 'width'");
  refused(Smooth::tanh, {-1, 1, 4, ratio(1, 4)}, "give one of the attributes 'pieces' and 'width'");
  refused(Smooth::tanh, {-1, 1, {}, Rational(-1)}, "attribute 'width' must be above 0");
  refused(Smooth::tanh, {-1, 1, 0, {}}, "attribute 'pieces' must be between 1 and 1024");
  refused(Smooth::tanh, {1, 2, 4, {}}, "attribute 'low' must be between -32 and -1/8");
  refused(Smooth::sigmoid, {-40, 2, 4, {}}, "attribute 'low' must be between -32 and -1/8");
  refused(Smooth::gelu, {-2, 1, 4, {}}, "attribute 'high' must be between 3/2 and 32");
  refused(Smooth::hardswish, {-2, 3, 4, {}}, "attribute 'low' must be between -32 and -3");
  refused(Smooth::hardswish, {-4, 4, 2, {}},
          "attribute 'pieces' must be at least 3 for this range");
  refused(Smooth::tanh, {-1, 1, {}, ratio(1, 10)},
          "attribute 'width' 1/10 needs a wider range: beyond it the bounds are further apart");
}
