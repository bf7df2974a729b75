#include "encoders/enclosure.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "solver/terms/error.h"

using namespace wmi;
using namespace wmi::encoders;

namespace {

struct Known {
  Smooth function;
  long double (*truth)(long double);
  Rational reach;
};

const Known all[] = {
    {Smooth::tanh, [](long double x) { return std::tanh(x); }, 4},
    {Smooth::sigmoid, [](long double x) { return 1 / (1 + std::exp(-x)); }, 8},
    {Smooth::gelu, [](long double x) { return x * std::erfc(-x / std::sqrt(2.0L)) / 2; }, 4},
    {Smooth::softplus,
     [](long double x) { return std::max(x, 0.0L) + std::log1p(std::exp(-std::abs(x))); }, 8},
    {Smooth::hardswish, [](long double x) { return x <= -3  ? 0
                                                   : x >= 3 ? x
                                                            : x * (x + 3) / 6; },
     3},
};

/// The function lies between the bounds at many points, in the range and far beyond it.
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

TEST_CASE("values are enclosed, narrowly") {
  const Rational narrow = 1 / power(Rational(2), 60), slack = ratio(1, 1'000'000'000'000'000);
  for (const Known& known : all)
    for (const Rational& x :
         {Rational(-32), Rational(-8), Rational(-3), ratio(-7, 5), ratio(-1, 3), Rational(0),
          ratio(1, 1000), ratio(1, 2), Rational(1), ratio(8, 3), Rational(5), Rational(32)}) {
      CAPTURE(static_cast<int>(known.function));
      CAPTURE(x.get_d());
      const Interval found = value_of(known.function, x);
      CHECK(found.lower <= found.upper);
      CHECK(found.upper - found.lower <= narrow);
      const long double truth = known.truth(static_cast<long double>(x.get_d()));
      // Thirds are not doubles, and functions that grow like x are off by what x is off by.
      const Rational off = slack * (1 + abs(x));
      CHECK(found.lower <= Rational(static_cast<double>(truth)) + off);
      CHECK(found.upper >= Rational(static_cast<double>(truth)) - off);
    }
}

TEST_CASE("known digits lie in the enclosures") {
  // tanh(1), 1/(1+1/e), Phi(1), log(2)
  const auto holds = [](const Interval& found, const char* digits) {
    const Rational known = parse_number(digits);
    CHECK(abs(found.midpoint() - known) <= parse_number("1e-24"));
  };
  holds(value_of(Smooth::tanh, 1), "0.761594155955764888119458282604793590");
  holds(value_of(Smooth::sigmoid, 1), "0.731058578630004879251159241821836274");
  holds(value_of(Smooth::gelu, 1), "0.841344746068542948585232545632037");
  holds(value_of(Smooth::softplus, 0), "0.693147180559945309417232121458176568");
}

TEST_CASE("a number with many digits is no obstacle") {
  const Rational x = ratio(1, 3) + 1 / power(Rational(3), 2000);
  for (const Known& known : all) {
    const Interval there = value_of(known.function, x),
                   near = value_of(known.function, ratio(1, 3));
    CHECK(abs(there.midpoint() - near.midpoint()) <= ratio(1, 1'000'000'000));
  }
}

TEST_CASE("the bounds enclose the function on the whole line, whatever the number of pieces") {
  for (const Known& known : all)
    for (const std::size_t pieces : {1, 2, 5, 16}) {
      CAPTURE(static_cast<int>(known.function));
      CAPTURE(pieces);
      const Enclosure found =
          enclose(known.function, {-known.reach, known.reach + ratio(1, 7) * 3, pieces + 2, {}});
      CHECK(found.pieces <= pieces + 2);
      check_encloses(found);
    }
}

TEST_CASE("a width that is asked for is kept, everywhere") {
  for (const Known& known : all)
    for (const Rational& width : {ratio(1, 3), ratio(1, 50), ratio(1, 500)}) {
      CAPTURE(static_cast<int>(known.function));
      CAPTURE(width.get_d());
      const Enclosure found = enclose(known.function, {-known.reach, known.reach, {}, width});
      CHECK(found.width <= width);
      check_encloses(found);
    }
}

TEST_CASE("bounds that are asked to be narrower have more pieces") {
  const auto pieces = [](const Rational& width) {
    return enclose(Smooth::tanh, {-6, 6, {}, width}).pieces;
  };
  CHECK(pieces(ratio(1, 10)) < pieces(ratio(1, 100)));
  CHECK(pieces(ratio(1, 100)) < pieces(ratio(1, 1000)));
  CHECK(pieces(ratio(1, 100)) < 30);
}

TEST_CASE("a range is widened as far as a width needs it") {
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
