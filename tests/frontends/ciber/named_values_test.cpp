#include "frontends/ciber/named_values.h"

#include <doctest/doctest.h>

#include "encoders/encode.h"
#include "tests/frontends/reading.h"

namespace wmi::frontends {
namespace {

/// An encoding of an output out[0] and a layer fc1 with one entry, over the unknown w.
encoders::Encoding encoding() {
  encoders::Encoding result;
  const Polynomial w = Polynomial::variable(result.problem.terms.declare_real("w"));
  result.problem.integrated.push_back(0);
  result.outputs = {2 * w};
  result.layers["fc1"] = {{1}, {w + 1}};
  return result;
}

TEST_CASE("outputs, entries of layers and unknowns have names") {
  const encoders::Encoding made = encoding();
  const NamedValues values(made);
  const Polynomial w = Polynomial::variable(0);
  CHECK(!values.bracketed());
  CHECK(values.find("w")->lower == w);
  CHECK(values.find("out[0]")->lower == 2 * w);
  CHECK(values.find("fc1[0]")->lower == w + 1);
  CHECK(values.find("fc1[0]")->exact());
  for (const char* name : {"out[1]", "fc1[1]", "fc2[0]", "fc1", "y", ""}) CHECK(!values.find(name));
}

TEST_CASE("behind a smooth layer a value lies between bounds, and equal bounds are exact") {
  encoders::Encoding made = encoding();
  const Polynomial w = Polynomial::variable(0);
  made.upper_outputs = {2 * w + 1};
  made.upper_layers["fc1"] = {{1}, {w + 1}};
  const NamedValues values(made);
  CHECK(values.bracketed());
  CHECK(values.output(0).lower == 2 * w);
  CHECK(values.output(0).upper() == 2 * w + 1);
  CHECK(values.find("fc1[0]")->exact());
}

TEST_CASE("a name of two different values is refused") {
  encoders::Encoding made = encoding();
  made.layers["out"] = {{1}, {Polynomial(7)}};
  CHECK(complaint([&] {
          NamedValues(made).find("out[0]");
        }).starts_with("'out[0]' is the name of a layer's entry and of something else"));
}

}  // namespace
}  // namespace wmi::frontends
