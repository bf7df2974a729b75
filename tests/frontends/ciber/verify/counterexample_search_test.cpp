#include "frontends/ciber/verify/counterexample_search.h"

#include <doctest/doctest.h>

#include "solver/enumerator.h"
#include "tests/frontends/ciber/verify/small_problems.h"

namespace wmi::frontends {
namespace {

using Outcome = CounterexampleSearch::Outcome;

struct Searched {
  CounterexampleSearch search;
  bool excluded;
};

Searched searched(Network network, std::size_t inputs, std::size_t outputs,
                  const std::string& asserts, const CounterexampleOptions& options = {}) {
  const VerificationProblem problem =
      make_verification_problem(std::move(network), property(inputs, outputs, asserts), {});
  const CounterexampleSearch found = search_counterexample(problem, *make_split(), options);
  return {found, excludes_all(problem, found)};
}

const Network identity = linear_network(1, 1, {1}, {0});

TEST_CASE("a property without a point is excluded, also in regions without volume") {
  const Searched none = searched(identity, 1, 1, unit_box(1) + "(assert (>= Y_0 1.1))");
  CHECK(none.search.outcome == Outcome::none);
  CHECK(none.excluded);
  // X_0 <= 0 leaves a single point of the box, where Y_0 = 0.
  const Searched flat = searched(
      identity, 1, 1, unit_box(1) + "(assert (or (and (<= X_0 0) (>= Y_0 0.5)) (>= Y_0 2)))");
  CHECK(flat.excluded);
}

TEST_CASE("a property that touches the boundary is not excluded") {
  // Y_0 >= 1 at X_0 = 1 alone.
  const Searched touching = searched(identity, 1, 1, unit_box(1) + "(assert (>= Y_0 1))");
  CHECK(touching.search.outcome == Outcome::found);
  CHECK(!touching.excluded);
  // The same in a region that is flat in the box.
  const Searched flat = searched(
      identity, 1, 1, unit_box(1) + "(assert (or (and (<= X_0 0) (<= Y_0 0)) (>= Y_0 2)))");
  CHECK(flat.search.outcome == Outcome::found);
}

TEST_CASE("a network with steps excludes nothing") {
  // sign(x) is 1 where x >= 0: 0 and below are no values of x in [1, 2], but -1/2 needs a step.
  const Network sign = linear_network(1, 1, {1}, {0}, {{"sign1", encoders::Sign{}, {"fc1"}}});
  const Searched found = searched(sign, 1, 1, "(assert (<= -1 X_0 1))(assert (>= Y_0 2))");
  CHECK(found.search.outcome == Outcome::none);
  CHECK(!found.excluded);
}

TEST_CASE("a property with volume has a witness, in few decimals") {
  const Searched found = searched(two_relus(), 2, 2, unit_box(2) + "(assert (>= Y_1 0.5))");
  REQUIRE(found.search.outcome == Outcome::found);
  REQUIRE(found.search.witness);
  const Witness& witness = *found.search.witness;
  const Rational difference = witness.inputs[0] - witness.inputs[1];
  CHECK(difference >= ratio(1, 2));
  CHECK(witness.outputs[1] == Interval(difference));
  CHECK(witness.outputs[0] == Interval(witness.inputs[0] + witness.inputs[1]));
  for (const Rational& input : witness.inputs) CHECK(input.get_den() <= 100);
}

TEST_CASE("a search that is stopped says so") {
  std::stop_source stop;
  stop.request_stop();
  const Searched found =
      searched(identity, 1, 1, unit_box(1) + "(assert (>= Y_0 1.1))", {.stop = stop.get_token()});
  CHECK(found.search.outcome != Outcome::found);
  CHECK((found.search.outcome == Outcome::stopped || found.excluded));
}

}  // namespace
}  // namespace wmi::frontends
