#include "frontends/wmi/explanation.h"

#include <doctest/doctest.h>

#include "frontends/formats/format.h"

namespace wmi::frontends {
namespace {

NamedExplanation explained(const Task& task) {
  return explain(task, *make_split(), *make_auto({}), {});
}

TEST_CASE("definitions without names are called by their conditions") {
  const Task task = read_smtlib({"test",
                                 "(declare-const x Real) (assert (<= 0 x 1))\n"
                                 "(get-expectation (ite (< x 0.25) 1 x))"})
                        .at(0);
  const NamedExplanation found = explained(task);
  REQUIRE(found.names.size() == 1);
  CHECK(found.explanation.patterns.size() == 2);
  CHECK(found.explanation.patterns[0].mass == Interval(ratio(3, 4)));
}

TEST_CASE("a unit whose condition holds where it is off is reversed") {
  Task task = read_smtlib({"test",
                           "(declare-const x Real) (assert (<= 0 x 1))\n"
                           "(get-expectation (ite (< x 0.25) 1 x))"})
                  .at(0);
  const Variable unit = task.queries[0].term.variables()[0];
  task.names[unit] = {"h[0]", false};
  const bool plain = explained(task).explanation.patterns[0].holds[0];
  task.names[unit].reversed = true;
  const NamedExplanation reversed = explained(task);
  CHECK(reversed.names == std::vector<std::string>{"h[0]"});
  CHECK(reversed.explanation.patterns[0].holds[0] != plain);
}

}  // namespace
}  // namespace wmi::frontends
