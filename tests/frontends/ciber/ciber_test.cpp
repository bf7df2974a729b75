// The program `ciber`: what it prints for partly unknown networks, and how it refuses.

#include <doctest/doctest.h>

#include "encoders/exact.h"
#include "frontends/ciber/event.h"
#include "frontends/ciber/network_query.h"
#include "frontends/networks/network.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/solve.h"
#include "tests/frontends/program.h"
#include "tests/frontends/reading.h"

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

TEST_CASE("events are read as they are written") {
  Terms terms;
  const Polynomial x = Polynomial::variable(terms.declare_real("x"));
  const Polynomial y = Polynomial::variable(terms.declare_real("y"));
  const Names names = [&](const std::string& name) -> std::optional<Term> {
    if (name == "x") return Term{x};
    if (name == "fc1.weight[0,3]") return Term{y};
    return std::nullopt;
  };
  const auto parsed = [&](const char* text) {
    const Event event = parse_event(text, terms, names);
    CHECK(event.exact());
    return event.certain;
  };
  CHECK(parsed("x > 1") == terms.less(1, x));
  CHECK(parsed("2*x-1<=fc1.weight[0,3]") == terms.less_equal(2 * x - 1, y));
  CHECK(parsed("0 < x < 1/3") ==
        terms.both(terms.less(0, x), terms.less(x, Polynomial(ratio(1, 3)))));
  CHECK(parsed("not x >= -(1e-1)") == !terms.less_equal(Polynomial(ratio(-1, 10)), x));
  CHECK(parsed("x = 1 or x < 0 and x != 2") ==
        terms.either(terms.equal(x, 1), terms.both(terms.less(x, 0), !terms.equal(x, 2))));
  for (const auto& [text, message] :
       {std::pair{"", "event '': at character 1: expected a name or a number"},
        std::pair{"x", "event 'x': at character 2: expected <, <=, >, >=, = or !="},
        std::pair{"x > z",
                  "event 'x > z': at character 5: 'z' is nothing here; outputs are out[0], "
                  "out[1], ..."},
        std::pair{"x > 1 y",
                  "event 'x > 1 y': at character 7: expected a comparison, 'and' or 'or'"},
        std::pair{"x/0 > 1",
                  "event 'x/0 > 1': at character 4: can only divide by a number that is not 0"},
        std::pair{"(x > 1", "event '(x > 1': at character 4: expected )"}})
    CHECK(complaint([&] { parsed(text); }) == message);
  CHECK(complaint([&] { parsed((std::string(1000, '(') + "x").c_str()); }) != "no complaint");
}

TEST_CASE("an event about terms between bounds holds certainly, or possibly") {
  Terms terms;
  const Polynomial low = Polynomial::variable(terms.declare_real("low"));
  const Polynomial high = Polynomial::variable(terms.declare_real("high"));
  const Polynomial w = Polynomial::variable(terms.declare_real("w"));
  const Names names = [&](const std::string& name) -> std::optional<Term> {
    if (name == "z") return Term{low, high};
    if (name == "w") return Term{w};
    return std::nullopt;
  };
  const auto parsed = [&](const char* text) { return parse_event(text, terms, names); };
  CHECK(parsed("z <= 1") == Event{terms.less_equal(high, 1), terms.less_equal(low, 1)});
  CHECK(parsed("z > w") == Event{terms.less(w, low), terms.less(w, high)});
  CHECK(parsed("not z > w") == Event{terms.less_equal(high, w), terms.less_equal(low, w)});
  // A negative multiple turns the bounds round.
  CHECK(parsed("w - 2*z < 0") == Event{terms.less(w, 2 * low), terms.less(w, 2 * high)});
  CHECK(parsed("z / -2 < 1") == Event{terms.less(Polynomial(ratio(-1, 2)) * low, 1),
                                      terms.less(Polynomial(ratio(-1, 2)) * high, 1)});
  CHECK(parsed("z = w") == Event{terms.both(terms.less_equal(w, low), terms.less_equal(high, w)),
                                 terms.both(terms.less_equal(w, high), terms.less_equal(low, w))});
  CHECK(parsed("z != w") == !parsed("z = w"));
  CHECK(parsed("z < 0 or z > 1 and w > 0") ==
        Event{terms.either(terms.less(high, 0), terms.both(terms.less(1, low), terms.less(0, w))),
              terms.either(terms.less(low, 0), terms.both(terms.less(1, high), terms.less(0, w)))});
  CHECK(complaint([&] { parsed("z*w > 0"); }) ==
        "event 'z*w > 0': at character 4: what comes after a smooth layer can only be multiplied "
        "by a number");
}

TEST_CASE("the formula that ciber writes has the same answers in wmi") {
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

TEST_CASE("every answer says what it is exact with respect to") {
  const Finished asked = ciber(
      "query " + net +
      " --input 1,0.5 --unknown 'fc2.bias[0]=gaussian(0,1)' --likelihood 'triangular(2)' --json");
  CHECK(asked.exit == 0);
  CHECK(asked.output.find("posterior of fc2.bias[0]: instead of the normal law") !=
        std::string::npos);
  CHECK(asked.output.find("likelihood: triangular of radius 2") != std::string::npos);
}

TEST_CASE("mistakes are one line, by name") {
  for (const auto& [arguments, exit, message] :
       {std::tuple{"--input 1", 1, "--input: 1 numbers for an input of shape [2]"},
        std::tuple{"--unknown 'fc1.bias[9]=[0,1]'", 1, "unknown 'fc1.bias[9]': has shape [3]"},
        std::tuple{"--unknown 'fc1.bias[0]=normal(0,1)'", 1, "no density named 'normal'"},
        std::tuple{"--density x", 1, "--density: 'x' is not a number"},
        std::tuple{"--largest 7", 1, "--largest: '7' is no number of an output; there are 2"},
        std::tuple{"--quantile 2", 1, "expected a probability above 0 and at most 1, not 2"},
        std::tuple{"--output z", 1, "--output: there is no 'z'"},
        std::tuple{"--frob", 2, "--frob: no such option"},
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
