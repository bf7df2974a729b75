#pragma once

#include "solver/enumerators/branch.h"
#include "solver/enumerators/goal.h"
#include "solver/geometry/product_region.h"
#include "solver/terms/problem.h"

namespace wmi::tests {

/// A problem built by hand.
struct SmallProblem {
  Problem problem;
  Terms& terms = problem.terms;
  std::vector<Goal> goals = {{truth, {{Polynomial(1), 0}}, {}}};  // the WMI

  Polynomial real(const char* name, bool integrated = true) {
    problem.integrated.push_back(integrated);
    return Polynomial::variable(terms.declare_real(name));
  }
  /// A real between 0 and 1.
  Polynomial unit_real(const char* name) {
    const Polynomial x = real(name);
    require(terms.less_equal(0, x));
    require(terms.less_equal(x, 1));
    return x;
  }
  void require(Formula formula) { problem.assertions.push_back(formula); }
  void weight(Formula condition, const Polynomial& value) {
    problem.weights.push_back({condition, value});
  }

  Branch branch() const { return Branch(problem, cone(problem, goals)); }
  /// All integrated reals between 0 and 1.
  ProductRegion unit_cube() const {
    ProductRegion region(problem.integrated.size());
    for (Variable i = 0; i < problem.integrated.size(); ++i)
      region = region.above(LinearForm(Polynomial::variable(i)))
                   .below(LinearForm(Polynomial::variable(i) - 1));
    return region;
  }
};

}  // namespace wmi::tests
