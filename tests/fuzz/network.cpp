// The JSON of a network without tensors: what is accepted is written and read back.

#include "frontends/networks/network.h"

#include "tests/fuzz/target.h"

using namespace wmi;
using namespace wmi::frontends;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Safetensors file;
  file.metadata["network"] = fuzz::text(data, size);
  Safetensors written;
  try {
    written = to_safetensors(to_network(file));
  } catch (const Error&) {
    return 0;
  }
  fuzz::require(to_safetensors(to_network(written)) == written, "what is written is read back");
  return 0;
}
