#include "frontends/ciber/event.h"

#include <doctest/doctest.h>

#include <string>

#include "solver/terms/error.h"
#include "tests/frontends/reading.h"

namespace wmi::frontends {
namespace {

TEST_CASE("an event is parsed into a formula, and a mistake is named with its position") {
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

TEST_CASE("an event about terms between bounds has a certain and a possible formula") {
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
  // A negative multiple swaps the bounds.
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

}  // namespace
}  // namespace wmi::frontends
