// An ONNX model: what is accepted can be run, and is read back after it has been written.

#include <algorithm>

#include "encoders/bracket.h"
#include "frontends/common/caps.h"
#include "frontends/networks/network.h"
#include "frontends/networks/onnx/read_onnx.h"
#include "tests/fuzz/target.h"

using namespace wmi;
using namespace wmi::frontends;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wmi::caps::entries.set(2'000);  // of each value, so that every model is small
  wmi::caps::seen.set(2'000);
  Safetensors written;
  try {
    const encoders::Network network = onnx::read_onnx(fuzz::text(data, size)).network;
    if (network.layers.size() <= 20)
      encoders::run_bracketed_exactly(network,
                                      encoders::Tensor<Rational>::filled(network.input, 1));
    written = to_safetensors(network);
    const std::string bytes = to_bytes(written);
    fuzz::require(to_safetensors(to_network(parse_safetensors(bytes))) == written,
                  "what is written is read back");
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
