#include "frontends/learning/compared_methods.h"

#include <doctest/doctest.h>

#include "frontends/cli/usage_error.h"
#include "frontends/learning/commands.h"
#include "solver/terms/error.h"
#include "tests/frontends/learning/given.h"

using namespace wmi;
using namespace wmi::frontends;

TEST_CASE("methods that pool trajectories are compared only if there are several") {
  const Settings standard = given(evaluate_command(), {});
  for (const bnn::ComparedMethod* method : compared_methods(standard, false))
    CHECK(!method->pooled);
  CHECK(compared_methods(standard, true).size() > compared_methods(standard, false).size());
  const Settings named = given(evaluate_command(), {"--methods=average,ensemble"});
  const std::vector<const bnn::ComparedMethod*> found = compared_methods(named, true);
  REQUIRE(found.size() == 2);
  CHECK(found[1]->name == "ensemble");
  CHECK_THROWS_AS(compared_methods(named, false), UsageError);
  CHECK_THROWS_AS(compared_methods(given(evaluate_command(), {"--methods=avarage"}), true), Error);
}
