// An event, as `ciber query --probability` takes it.

#include "frontends/ciber/event.h"

#include "tests/fuzz/target.h"

using namespace wmi;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Terms terms;
  const Variable x = terms.declare_real("out[0]");
  try {
    frontends::parse_event(fuzz::text(data, size), terms,
                           [&](const std::string& name) -> std::optional<Polynomial> {
                             if (name == "out[0]") return Polynomial::variable(x);
                             return std::nullopt;
                           });
  } catch (const Error&) {
  }
  return 0;
}
