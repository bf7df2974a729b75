// The program `ciber`: what it prints for partly unknown networks, and how it refuses.

#include <doctest/doctest.h>

#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/solve.h"
#include "tests/frontends/program.h"
#include "tests/frontends/reading.h"

namespace wmi::frontends {
namespace {

const std::string net = (source_directory() / "docs" / "examples" / "net.safetensors").string();

TEST_CASE("the formula that ciber encode writes has the same answers in wmi") {
  const Finished asked = ciber(
      "query " + net + " --input 1,0.5 --unknown 'fc1.bias[1]=bspline(-2,2,3)' --mean --variance");
  CHECK(asked.exit == 0);
  const Finished written = ciber(
      "encode " + net + " --input 1,0.5 --unknown 'fc1.bias[1]=bspline(-2,2,3)' --mean --variance");
  CHECK(written.exit == 0);
  CHECK(written.output.find("|relu1[1]|") != std::string::npos);
  const Script script = read({"written", written.output});
  std::string again;
  for (const Answer& answer : solve(script[0], *make_z3(), *make_auto({})).answers)
    again += to_string(answer.value->lower) + " = ";
  for (const Answer& answer : solve(script[0], *make_split(), *make_auto({})).answers)
    CHECK(asked.output.find(to_string(answer.value->lower) + " = ") != std::string::npos);
}

TEST_CASE("every answer lists its assumptions") {
  const Finished asked = ciber(
      "query " + net +
      " --input 1,0.5 --unknown 'fc2.bias[0]=gaussian(0,1)' --likelihood 'triangular(2)' --json");
  CHECK(asked.exit == 0);
  CHECK(asked.output.find("posterior of fc2.bias[0]: instead of the normal law") !=
        std::string::npos);
  CHECK(asked.output.find("likelihood: triangular of radius 2") != std::string::npos);
}

TEST_CASE("mistakes in arguments of query are reported in one line, by option") {
  for (const auto& [arguments, exit, message] :
       {std::tuple{"--input 1", 1, "--input: 1 numbers for an input of shape [2]"},
        std::tuple{"--unknown 'fc1.bias[9]=[0,1]'", 1, "unknown 'fc1.bias[9]': has shape [3]"},
        std::tuple{"--unknown 'fc1.bias[0]=cauchy(0,1)'", 1, "no density named 'cauchy'"},
        std::tuple{"--density x", 1, "--density: 'x' is not a number"},
        std::tuple{"--largest 7", 1, "--largest: '7' is no number of an output; there are 2"},
        std::tuple{"--quantile 2", 1, "expected a probability above 0 and at most 1, not 2"},
        std::tuple{"--output z", 1, "--output: there is no 'z'"},
        std::tuple{"--frob", 2, "--frob: 'ciber query' has no such option"},
        std::tuple{"--density", 2, "--density: needs a value"}}) {
    CAPTURE(arguments);
    const Finished refused = ciber("query " + net + " " + arguments);
    CHECK(refused.exit == exit);
    CHECK(refused.errors.starts_with("ciber: "));
    CHECK(refused.errors.find(message) != std::string::npos);
    CHECK(std::count(refused.errors.begin(), refused.errors.end(), '\n') == 1);
    CHECK(refused.output.empty());
  }
  CHECK(ciber("query /nonexistent").exit == 1);
  CHECK(ciber("fly").exit == 2);
  CHECK(ciber("--help").exit == 0);
  CHECK(ciber("query --help").output.find("--unknown NAME=LAW") != std::string::npos);
}

}  // namespace
}  // namespace wmi::frontends
