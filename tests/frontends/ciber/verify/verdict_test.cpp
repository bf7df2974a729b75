#include "frontends/ciber/verify/verdict.h"

#include <doctest/doctest.h>

namespace wmi::frontends {
namespace {

Verification with(const Interval& value) {
  Verification result;
  result.probability.value = value;
  return result;
}

TEST_CASE("the bounds of a probability decide the verdict") {
  CHECK(with(Rational(0)).verdict() == Verdict::holds);
  CHECK(with(ratio(1, 2)).verdict() == Verdict::violated);
  CHECK(with({ratio(1, 4), ratio(1, 2)}).verdict() == Verdict::violated);
  CHECK(with({0, ratio(1, 2)}).verdict() == Verdict::unknown);
  Verification stopped;
  stopped.probability.complete = false;
  CHECK(stopped.verdict() == Verdict::unknown);
  stopped.probability.lower = ratio(1, 1000);
  CHECK(stopped.verdict() == Verdict::violated);
}

TEST_CASE("a witness decides where bounds do not, but does not give measure") {
  Verification found = with({0, ratio(1, 2)});
  found.witness = Witness{};
  CHECK(found.verdict() == Verdict::violated);
  found = with(Rational(0));
  found.witness = Witness{};
  CHECK(found.verdict() == Verdict::holds);
  CHECK(name_of(found.verdict()) == "holds");
}

TEST_CASE("a property without any point holds, whatever was stopped") {
  Verification found;
  found.probability.complete = false;
  found.no_counterexample = true;
  CHECK(found.verdict() == Verdict::holds);
}

TEST_CASE("a probability that is proven to be 0 is an exact answer") {
  const Answer zero = zero_probability({"a step"});
  CHECK(*lower_bound(zero) == 0);
  CHECK(*upper_bound(zero) == 0);
  CHECK(zero.complete);
  CHECK(zero.assumptions == std::vector<std::string>{"a step"});
}

}  // namespace
}  // namespace wmi::frontends
