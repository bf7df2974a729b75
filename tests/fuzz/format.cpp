// The reader of problems that FORMAT names.

#include "tests/fuzz/written_again.h"

using namespace wmi;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::require_written_again([&] {
    return frontends::read({"input", std::string(fuzz::text(data, size))}, FORMAT);
  });
  return 0;
}
