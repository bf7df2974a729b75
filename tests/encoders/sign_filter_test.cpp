#include "encoders/sign_filter.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace wmi;
using namespace wmi::encoders;

namespace {

/// The range of an affine form, exactly.
Interval range(const Polynomial& form, const std::vector<Interval>& ranges) {
  Interval result;
  for (const Polynomial::Term& term : form.terms())
    result += Interval(term.coefficient) *
              (term.monomial.empty() ? Interval(Rational(1)) : ranges[term.monomial[0].variable]);
  return result;
}

}  // namespace

TEST_CASE("signs are those of exact ranges, also next to 0") {
  std::size_t decided = 0, open = 0;
  for (unsigned seed = 0; seed < 20'000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 engine(seed);
    const auto number = [&] {
      const double mantissa = static_cast<double>(static_cast<std::int64_t>(engine()));
      return Rational(std::ldexp(mantissa, -static_cast<int>(engine() % 100)));
    };
    SignFilter filter;
    std::vector<Interval> ranges;
    Polynomial form;
    for (Variable variable = 0; variable < 1 + engine() % 5; ++variable) {
      const Rational a = number(), b = engine() % 4 == 0 ? a : number();
      ranges.emplace_back(std::min(a, b), std::max(a, b));
      filter.set_range(variable, ranges.back());
      form += number() * Polynomial::variable(variable);
    }
    // Moved so that one end is 0, almost 0, or anywhere.
    const Interval all = range(form, ranges);
    form -= Polynomial(engine() % 2 == 0 ? all.lower : all.upper);
    if (engine() % 4 != 0) {
      Integer small = 1;
      small <<= engine() % 80;
      form += Polynomial((all.upper - all.lower + 1) * ratio(engine() % 2 == 0 ? 1 : -1, small));
    }
    const Interval exact = range(form, ranges);
    const std::optional<AffineTensor> tensor = AffineTensor::make(Tensor<Polynomial>({1}, {form}));
    REQUIRE(tensor);
    const std::optional<int> sign = filter.sign(*tensor, 0);
    if (!sign) {
      ++open;
      continue;
    }
    ++decided;
    CHECK((*sign <= 0 || exact.lower > 0));
    CHECK((*sign >= 0 || exact.upper < 0));
    CHECK((*sign != 0 || (exact.lower == 0 && exact.upper == 0)));
  }
  CHECK(decided > 1000);
  CHECK(open > 1000);
}

TEST_CASE("signs of numbers are exact, and nothing is said of unknown or huge ranges") {
  const auto sign = [](const SignFilter& filter, const Polynomial& form) {
    const std::optional<AffineTensor> tensor = AffineTensor::make(Tensor<Polynomial>({1}, {form}));
    return filter.sign(tensor.value(), 0);
  };
  const Integer huge = Integer(1) << 3000;
  const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
  SignFilter filter;
  filter.set_range(0, Interval(1, 2));
  CHECK(sign(filter, 0) == 0);
  CHECK(sign(filter, ratio(1, huge)) == 1);
  CHECK(sign(filter, Rational(-huge)) == -1);
  CHECK(sign(filter, x) == 1);
  CHECK(sign(filter, x - Polynomial(ratio(5, 2))) == -1);
  CHECK(!sign(filter, x + y));
  CHECK(!sign(filter, x - Polynomial(ratio(1, huge))));
  filter.set_range(1, Interval(-huge, huge));
  CHECK(!sign(filter, x + y));
  filter.set_range(1, Interval(huge, huge));
  CHECK(sign(filter, x + y).value_or(1) == 1);
}
