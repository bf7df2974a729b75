#include "encoders/smooth_function.h"

#include <doctest/doctest.h>

#include "tests/encoders/known_functions.h"

namespace wmi::encoders {
namespace {

TEST_CASE("values have narrow enclosures") {
  const Rational narrow = 1 / power(Rational(2), 60), slack = ratio(1, 1'000'000'000'000'000);
  for (const KnownFunction& known : known_functions)
    for (const Rational& x :
         {Rational(-32), Rational(-8), Rational(-3), ratio(-7, 5), ratio(-1, 3), Rational(0),
          ratio(1, 1000), ratio(1, 2), Rational(1), ratio(8, 3), Rational(5), Rational(32)}) {
      CAPTURE(static_cast<int>(known.function));
      CAPTURE(x.get_d());
      const Interval found = value_of(known.function, x);
      CHECK(found.lower <= found.upper);
      CHECK(found.upper - found.lower <= narrow);
      const long double truth = known.truth(static_cast<long double>(x.get_d()));
      // Thirds are rounded to doubles, and functions that grow like x inherit the error.
      const Rational off = slack * (1 + abs(x));
      CHECK(found.lower <= Rational(static_cast<double>(truth)) + off);
      CHECK(found.upper >= Rational(static_cast<double>(truth)) - off);
    }
}

TEST_CASE("enclosures contain known digits") {
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

TEST_CASE("a number may have many digits") {
  const Rational x = ratio(1, 3) + 1 / power(Rational(3), 2000);
  for (const KnownFunction& known : known_functions) {
    const Interval there = value_of(known.function, x),
                   near = value_of(known.function, ratio(1, 3));
    CHECK(abs(there.midpoint() - near.midpoint()) <= ratio(1, 1'000'000'000));
  }
}

TEST_CASE("the second derivative encloses second differences") {
  for (const KnownFunction& known : known_functions) {
    CAPTURE(static_cast<int>(known.function));
    SmoothCurve curve(known.function);
    const Rational h = ratio(1, 1000), slack = ratio(1, 1'000'000);
    for (int i = -17; i <= 17; ++i) {
      const Rational x = ratio(i, 3), a = x - h, b = x + h;
      bool kink = false;
      for (const Rational& at : curve.kinks()) kink = kink || (a < at && at < b);
      if (kink) continue;
      const Interval bounds = curve.second_derivative(a, b);
      const Rational difference =
          ((curve.value(a) + curve.value(b) - Interval(2) * curve.value(x)) / Interval(h * h))
              .midpoint();
      CHECK(bounds.lower - slack <= difference);
      CHECK(difference <= bounds.upper + slack);
    }
  }
}

TEST_CASE("functions approach their asymptotes from the given side") {
  for (const KnownFunction& known : known_functions) {
    CAPTURE(static_cast<int>(known.function));
    SmoothCurve curve(known.function);
    for (const Rational& x : {Rational(-12), Rational(12)}) {
      const Asymptote line = x < 0 ? curve.left() : curve.right();
      const Interval distance = curve.value(x) - Interval(line.at(x));
      if (line.from_above)
        CHECK(distance.upper >= 0);
      else
        CHECK(distance.lower <= 0);
      CHECK(abs(distance.midpoint()) <= ratio(1, 10'000));
    }
    CHECK(curve.tail_distance(-12, 12) <= ratio(1, 10'000));
  }
}

}  // namespace
}  // namespace wmi::encoders
