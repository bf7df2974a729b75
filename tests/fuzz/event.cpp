// An event, as `ciber query --probability` takes it.

#include "frontends/ciber/event.h"

#include "tests/fuzz/target.h"

using namespace wmi;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Terms terms;
  const Polynomial x = Polynomial::variable(terms.declare_real("out[0]"));
  const Polynomial y = Polynomial::variable(terms.declare_real("out[1]"));
  try {
    frontends::parse_event(fuzz::text(data, size), terms,
                           [&](const std::string& name) -> std::optional<frontends::Term> {
                             if (name == "out[0]") return frontends::Term{x, x};
                             if (name == "out[1]") return frontends::Term{x, y};
                             return std::nullopt;
                           });
  } catch (const Error&) {
  }
  return 0;
}
