// Tensors: what is accepted is written and read back as the same.

#include "frontends/networks/safetensors.h"

#include "tests/fuzz/target.h"

using namespace wmi;
using namespace wmi::frontends;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Safetensors file;
  try {
    file = parse_safetensors(fuzz::text(data, size));
  } catch (const Error&) {
    return 0;
  }
  std::string bytes;
  try {
    bytes = to_bytes(file);
  } catch (const Error&) {  // an entry that is no float, as an I64 may be beside others
    return 0;
  }
  fuzz::require(parse_safetensors(bytes) == file, "what is written is read back");
  return 0;
}
