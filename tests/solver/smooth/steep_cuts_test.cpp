#include "solver/smooth/steep_cuts.h"

#include <doctest/doctest.h>

#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

const Polytope square(2, {{{-1, 0}, 1}, {{1, 0}, 1}, {{0, -1}, 1}, {{0, 1}, 1}});

SmoothIntegrand of_forms(std::vector<Polynomial> forms, Function function) {
  SmoothIntegrand result;
  result.dimension = 2;
  result.factor = Polynomial(1);
  for (Polynomial& form : forms) {
    const auto variable = static_cast<Variable>(2 + result.functions.size());
    result.functions.push_back({variable, function, std::move(form)});
    result.powers.push_back({variable, 1});
  }
  return result;
}

TEST_CASE("a region is cut where a sigmoid of a linear form is steep, and nowhere else") {
  const auto parts = [&](const std::vector<Polynomial>& forms,
                         Function function = Function::sigmoid) {
    return cut_where_steep(of_forms(forms, function), square);
  };
  CHECK(parts({x + y}).size() == 1);                   // not steep
  CHECK(parts({100 * x * y}).size() == 1);             // not linear
  CHECK(parts({100 * x + 200}).size() == 1);           // not on the region
  CHECK(parts({100 * x}, Function::exp).size() == 1);  // no step
  CHECK(parts({100 * x}).size() == 2);
  CHECK(parts({100 * x, 100 * y, x}, Function::erf).size() == 4);
  CHECK(parts({100 * x, 100 * x}, Function::tanh).size() == 2);  // twice the same
}

TEST_CASE("the parts have the volume of the region, and no steep form changes sign in one") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const Polytope region(2, random.region(2, 2));
    if (region.flat()) continue;
    std::vector<Polynomial> forms;
    for (long k = 0; k < 3; ++k)
      forms.push_back(Rational(1000 + static_cast<long>(seed)) * Polynomial::variable(0) +
                      Rational(700 * k - 500) * Polynomial::variable(1) + 3 * k);
    Rational volume;
    for (const Polytope& part : cut_where_steep(of_forms(forms, Function::tanh), region)) {
      volume += exact(Polynomial(1), part);
      for (const Polynomial& form : forms) {
        bool above = false, below = false;
        for (const Point& vertex : part.vertices()) {
          above = above || form.at(vertex) > 16;
          below = below || form.at(vertex) < -16;
        }
        CHECK_FALSE((above && below));
      }
    }
    CHECK(volume == exact(Polynomial(1), region));
  }
}

}  // namespace
}  // namespace wmi::tests
