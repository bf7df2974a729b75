#include "solver/enumerators/components.h"

#include <doctest/doctest.h>

#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

/// (x < 1/2 or a) and (y < 1/2 or b)
struct TwoParts : SmallProblem {
  const Polynomial x = real("x"), y = real("y");
  const Formula a = terms.declare_boolean("a"), b = terms.declare_boolean("b");
  const Formula first = terms.either(terms.less(x, ratio(1, 2)), a),
                second = terms.either(terms.less(y, ratio(1, 2)), b);

  TwoParts() {
    require(first);
    require(second);
  }
  std::vector<Component> found(const ProductRegion& region, bool all_weights = false) const {
    return components(problem, branch(), WeightEvaluator(problem), region, all_weights);
  }
};

TEST_CASE_FIXTURE(TwoParts, "formulas that share neither Booleans nor coordinates are components") {
  const std::vector<Component> parts = found(unit_cube());
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].formulas == std::vector<Formula>{first});
  CHECK(parts[0].booleans == std::vector<std::uint32_t>{a.node()});
  CHECK(parts[0].coordinates == std::vector<Variable>{0});
  CHECK(parts[1].coordinates == std::vector<Variable>{1});
}

TEST_CASE_FIXTURE(TwoParts, "a weight or a block of the region connects what it depends on") {
  CHECK(found(unit_cube().below(LinearForm(x + y - 1))).size() == 1);
  weight(a, y);
  CHECK(found(unit_cube()).size() == 1);
}

TEST_CASE_FIXTURE(TwoParts, "settled weights count if they are asked for") {
  weight(truth, x + 1);
  weight(truth, Polynomial(3));
  CHECK(found(unit_cube())[0].weights.empty());
  CHECK(found(unit_cube(), true)[0].weights == std::vector<std::uint32_t>{0});
}

TEST_CASE_FIXTURE(TwoParts, "coordinates that no component has are left") {
  std::vector<Component> parts = found(unit_cube());
  parts.pop_back();
  CHECK(in_none(parts, {0, 1}) == std::vector<Variable>{1});
}

}  // namespace
}  // namespace wmi::tests
