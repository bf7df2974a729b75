#include "bnn/data/observation.h"

#include <doctest/doctest.h>

#include <cmath>

namespace wmi::bnn {
namespace {

TEST_CASE("a raw output becomes a variance through the link, and never less than the least") {
  const Observation exponential{Observation::Kind::heteroscedastic, Observation::Link::exponential,
                                0.5};
  CHECK(variance(exponential, std::log(3)) == doctest::Approx(3.5));
  CHECK(variance(exponential, -1000) == 0.5);
  const Observation softplus{Observation::Kind::heteroscedastic, Observation::Link::softplus, 0.5};
  CHECK(variance(softplus, 0) == doctest::Approx(std::log(2) + 0.5));
  CHECK(variance(softplus, 800) == 800.5);  // no overflow
  CHECK(variance(softplus, -800) == 0.5);
}

TEST_CASE("numbers are regressed, classes are not") {
  CHECK(Observation{Observation::Kind::heteroscedastic}.regression());
  CHECK(Observation{Observation::Kind::homoscedastic}.regression());
  CHECK(!Observation{Observation::Kind::softmax}.regression());
  CHECK(!Observation{Observation::Kind::sigmoid}.regression());
}

}  // namespace
}  // namespace wmi::bnn
