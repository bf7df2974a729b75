// A property, as `ciber verify` reads it.

#include "frontends/formats/vnnlib.h"

#include "frontends/ciber/verify/input_box.h"
#include "frontends/ciber/verify/property_formula.h"
#include "tests/fuzz/target.h"

using namespace wmi;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const frontends::Property property =
        frontends::read_vnnlib({"fuzz", std::string(fuzz::text(data, size))});
    frontends::property_text(property);
    frontends::unsafe_regions(property);
    const std::vector<Interval> box = frontends::input_box(property);
    frontends::simplified(frontends::relaxed(property), box);
  } catch (const Error&) {
  }
  return 0;
}
