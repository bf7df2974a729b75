#include "bnn/data/target_transform.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bnn/data/dataset.h"
#include "solver/terms/error.h"

using namespace wmi;
using namespace wmi::bnn;

namespace {

constexpr TargetTransform all[] = {TargetTransform::none, TargetTransform::log,
                                   TargetTransform::log1p, TargetTransform::logit,
                                   TargetTransform::asinh};

}  // namespace

TEST_CASE("transforms have inverses and derivatives") {
  for (const TargetTransform transform : all) {
    CAPTURE(name(transform));
    CHECK(target_transform(name(transform)) == transform);
    for (const double x : {-3.0, -0.5, 0.0, 0.25, 4.0}) {
      CAPTURE(x);
      const double y = inverse(transform, x), step = 1e-6;
      CHECK(is_possible(transform, y));
      CHECK(transformed(transform, y) == doctest::Approx(x).epsilon(1e-12));
      const double slope =
          (inverse(transform, x + step) - inverse(transform, x - step)) / (2 * step);
      CHECK(inverse_slope(transform, x) == doctest::Approx(slope).epsilon(1e-6));
      CHECK(log_slope(transform, y) == doctest::Approx(-std::log(slope)).epsilon(1e-6));
    }
  }
  CHECK(transformed(TargetTransform::log, 0) == -INFINITY);
  CHECK(transformed(TargetTransform::log, -1) == -INFINITY);
  CHECK(transformed(TargetTransform::logit, 1) == INFINITY);
  CHECK(!is_possible(TargetTransform::log1p, -1));
  CHECK_THROWS_AS(target_transform("cube"), Error);
}

TEST_CASE("targets are transformed before they are standardised") {
  Dataset data{Matrix(3, 1), {1, std::exp(1.0), std::exp(2.0)}};
  const Standardisation found =
      fit_standardisation(data, true, Scaling::standard, TargetTransform::log);
  CHECK(found.target_mean == doctest::Approx(1));
  CHECK(found.target_scale == doctest::Approx(std::sqrt(2.0 / 3)));
  const Dataset rows = standardised(data, found);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(own_target(rows.targets[i], found) == doctest::Approx(data.targets[i]));
  data.targets[1] = 0;
  CHECK_THROWS_AS(fit_standardisation(data, true, Scaling::standard, TargetTransform::log), Error);
}
