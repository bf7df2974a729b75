#include "solver/answers/flatness.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

struct Fixture {
  Problem problem;
  Polynomial w = declare("w"), z = declare("z");

  Polynomial declare(const char* name) {
    problem.integrated.push_back(true);
    return Polynomial::variable(problem.terms.declare_real(name));
  }
  void require(Formula formula) { problem.assertions.push_back(formula); }
  std::string warning() const { return explain_flatness(problem, *make_z3(), {}).value_or("none"); }
};

TEST_CASE_FIXTURE(Fixture, "the real that is pinned in every cell is named") {
  Terms& terms = problem.terms;
  require(terms.less_equal(-3, w));
  require(terms.less_equal(w, 3));
  require(terms.either(!terms.less(0, w), terms.equal(z, w)));
  require(terms.either(terms.less(0, w), terms.equal(z, 0)));
  CHECK(warning() ==
        "'z' is pinned by the formula, so the region has no volume and its WMI is 0; if it is a "
        "function of the others, integrate only those: (integrate w)");
}

TEST_CASE_FIXTURE(Fixture, "inequalities pin as well as equations") {
  Terms& terms = problem.terms;
  for (const Polynomial& real : {w, z}) {
    require(terms.less_equal(0, real));
    require(terms.less_equal(real, 1));
  }
  require(terms.less_equal(w, 0));
  CHECK(warning().starts_with("'w' is pinned"));
}

TEST_CASE_FIXTURE(Fixture, "a region with volume, or without points, needs no warning") {
  Terms& terms = problem.terms;
  require(terms.less_equal(0, w));
  require(terms.less_equal(w, 1));
  CHECK(warning() == "none");  // unbounded in z: a volume, if an infinite one
  require(terms.less(1, w));
  CHECK(warning() == "none");
}

}  // namespace
}  // namespace wmi
