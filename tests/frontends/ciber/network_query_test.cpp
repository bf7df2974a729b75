#include "frontends/ciber/network_query.h"

#include <doctest/doctest.h>

#include "frontends/networks/network.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/solve.h"
#include "tests/source_directory.h"

namespace wmi::frontends {
namespace {

const std::string net = (source_directory() / "docs" / "examples" / "net.safetensors").string();

std::vector<Answer> answers(const NetworkQuery& asked,
                            const Enumerator& enumerator = *make_split()) {
  return solve(make_task(read_network(net), asked), enumerator, *make_auto({})).answers;
}

TEST_CASE("questions about a network are answered in their order") {
  NetworkQuery asked;
  asked.input = "1,0.5";
  asked.unknowns = {"fc1.weight[0,0]=[-1,1]", "fc1.bias[2]=triangular(-1,0,4)"};
  asked.questions = {
      {"mean", ""}, {"cdf", "1"}, {"probability", "out[0] > out[1]"}, {"largest", "1"}};
  const std::vector<Answer> found = answers(asked);
  REQUIRE(found.size() == 6);
  // relu1[0] = max(w, 0) has mean 1/4; relu1[1] = 5/8; relu1[2] = max(b - 3/2, 0) has mean 25/96:
  // out[0] = 1/4 + 5/16 - 25/192.
  CHECK(*found[0].value == Interval(ratio(83, 192)));
  // Complementary, since ties have no volume.
  CHECK(found[4].value->lower + found[5].value->lower == 1);
  CHECK(found[4].value == answers(asked, *make_z3())[4].value);
}

TEST_CASE("an auditable query asks the same questions, unless the network is between bounds") {
  NetworkQuery asked;
  asked.input = "1,0.5";
  asked.unknowns = {"fc1.weight[0,0]=[-1,1]"};
  asked.questions = {{"mean", ""}, {"cdf", "1"}};
  const AuditableQuery made = make_auditable(read_network(net), asked);
  REQUIRE(made.task);
  const Task task = make_task(read_network(net), asked);
  REQUIRE(made.task->queries.size() == task.queries.size());
  for (std::size_t i = 0; i < task.queries.size(); ++i)
    CHECK(made.task->queries[i].text == task.queries[i].text);

  asked.width = "1/10";
  CHECK(!make_auditable(read_network(net), asked).task);
}

}  // namespace
}  // namespace wmi::frontends
