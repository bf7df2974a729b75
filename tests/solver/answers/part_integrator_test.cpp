#include "solver/answers/part_integrator.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

/// 0 <= x <= 1, weight 3 below 1/2 and 1 above.
struct Steps : SmallProblem {
  const Polynomial x = unit_real("x");
  const std::unique_ptr<Integrator> integrator = make_triangulation({});

  Steps() { weight(terms.less(x, ratio(1, 2)), 3); }
};

TEST_CASE_FIXTURE(Steps, "the integrals over a part are sums over its cells") {
  for (const EnumeratorEntry& entry : enumerators()) {
    CAPTURE(entry.name);
    const std::unique_ptr<Enumerator> enumerator = entry.make();
    const Evaluation evaluation(*integrator);
    const std::vector<Polynomial> monomials = {1, x};
    const Evaluation::Result found =
        enumerate_parts(*enumerator, {})({problem, {0}}, monomials, evaluation);
    CHECK(found.integrals == std::vector<Interval>{Interval(2), Interval(ratio(3, 4))});
    CHECK(found.cells == 2);
  }
}

TEST_CASE_FIXTURE(SmallProblem, "so they are where long numbers make the search one in doubles") {
  const Polynomial x = unit_real("x");
  weight(truth, terms.choice(terms.less(x, ratio(1, 2)), 3, 1000003));
  const std::unique_ptr<Integrator> integrator = make_triangulation({});
  for (const EnumeratorEntry& entry : enumerators()) {
    CAPTURE(entry.name);
    const std::unique_ptr<Enumerator> enumerator = entry.make();
    CHECK(enumerator->in_doubles(problem, goals) == (entry.name == "split"));
    const std::vector<Polynomial> monomials = {1};
    const Evaluation::Result found =
        enumerate_parts(*enumerator, {})({problem, {0}}, monomials, Evaluation(*integrator));
    CHECK(found.integrals == std::vector<Interval>{Interval(500003)});
    CHECK(found.cells == 2);
  }
}

TEST_CASE_FIXTURE(Steps, "it stops when it is told to") {
  std::stop_source source;
  source.request_stop();
  const std::unique_ptr<Enumerator> enumerator = make_split();
  const std::vector<Polynomial> monomials = {1};
  CHECK_THROWS_AS(enumerate_parts(*enumerator, source.get_token())({problem, {0}}, monomials,
                                                                   Evaluation(*integrator)),
                  Stopped);
}

}  // namespace
}  // namespace wmi::tests
