// A reader of problems, the one that FORMAT names. What it accepts can be written as SMT-LIB, and
// that is read back as the same text.

#include "frontends/formats/format.h"

#include "tests/fuzz/target.h"

using namespace wmi;
using namespace wmi::frontends;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Script script;
  try {
    script = read({"input", std::string(fuzz::text(data, size))}, FORMAT);
  } catch (const Error&) {
    return 0;
  }
  const std::string written = write_smtlib(script);
  const std::string again = write_smtlib(read({"written", written}, "smtlib"));
  fuzz::require(written == again, "what is written is read back");
  return 0;
}
