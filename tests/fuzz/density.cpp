// The law of an unknown, as `--unknown NAME=LAW` takes it.

#include "encoders/density.h"

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    wmi::encoders::parse_density(wmi::fuzz::text(data, size));
  } catch (const wmi::Error&) {
  }
  return 0;
}
