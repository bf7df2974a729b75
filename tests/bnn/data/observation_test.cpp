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

TEST_CASE("a bounded variance is an exponential where it is small, and never explodes") {
  const Observation bounded{Observation::Kind::heteroscedastic, Observation::Link::bounded, 0};
  CHECK(variance(bounded, std::log(1e-6)) == doctest::Approx(1e-6).epsilon(1e-7));
  CHECK(variance(bounded, std::log(100)) == doctest::Approx(50));  // e^raw / (1 + e^raw / 100)
  CHECK(variance(bounded, 1e6) == most_variance);
  CHECK(variance(bounded, -1e6) == 0);
  for (const double raw : {-3.0, 0.0, 4.0, 9.0})
    CHECK(variance_slope(bounded, raw) ==
          doctest::Approx((variance(bounded, raw + 1e-6) - variance(bounded, raw - 1e-6)) / 2e-6)
              .epsilon(1e-6));
}

TEST_CASE("a variance has a raw output that means it") {
  using Link = Observation::Link;
  for (const Link link : {Link::exponential, Link::softplus, Link::bounded})
    for (const double wanted : {1e-8, 1e-3, 1.0, 50.0}) {
      CAPTURE(wanted);
      const Observation observation{Observation::Kind::homoscedastic, link, 1e-10};
      CHECK(variance(observation, raw_of_variance(observation, wanted)) ==
            doctest::Approx(wanted).epsilon(1e-9));
      CHECK(variance(observation, raw_of_variance(observation, 0)) ==
            doctest::Approx(1e-10).epsilon(1e-9));
    }
  const Observation bounded{Observation::Kind::homoscedastic, Link::bounded, 0};
  CHECK(variance(bounded, raw_of_variance(bounded, 1e9)) == doctest::Approx(most_variance));
}

TEST_CASE("numbers are regressed, classes are not") {
  CHECK(Observation{Observation::Kind::heteroscedastic}.regression());
  CHECK(Observation{Observation::Kind::homoscedastic}.regression());
  CHECK(!Observation{Observation::Kind::softmax}.regression());
  CHECK(!Observation{Observation::Kind::sigmoid}.regression());
}

}  // namespace
}  // namespace wmi::bnn
