#include "frontends/ciber/verify/continuity.h"

#include <doctest/doctest.h>

#include "tests/frontends/ciber/verify/small_problems.h"

namespace wmi::frontends {
namespace {

bool continuous_with(const std::string& type, encoders::Attributes attributes = {}) {
  return is_continuous(
      linear_network(2, 2, {1, 2, 3, 4}, {0, 0},
                     {{"layer", encoders::make_layer(type, std::move(attributes)), {"fc1"}}}));
}

TEST_CASE("piecewise linear and smooth layers are continuous, steps are not") {
  for (const char* type : {"relu", "leaky_relu", "hardtanh", "abs", "relu6", "tanh", "sigmoid",
                           "gelu", "hardswish", "flatten"}) {
    CAPTURE(type);
    CHECK(continuous_with(type));
  }
  for (const char* type : {"sign", "step"}) {
    CAPTURE(type);
    CHECK(!continuous_with(type));
  }
}

TEST_CASE("a network with dropout is continuous for each mask") {
  const Network masked = linear_network(2, 2, {1, 2, 3, 4}, {0, 0},
                                        {{"drop", encoders::Dropout{ratio(1, 2), true}, {"fc1"}}});
  CHECK(is_continuous(masked));
}

}  // namespace
}  // namespace wmi::frontends
