#include "frontends/networks/onnx/network_file.h"

#include "frontends/common/caps.h"
#include "frontends/common/read_file.h"
#include "frontends/networks/network.h"
#include "frontends/packed/packed_file.h"
#include "solver/terms/error.h"

namespace wmi::frontends {

onnx::ReadNetwork read_any_network(const std::string& path) {
  const std::string packed = read_file(path);
  const std::string bytes = unpacked(packed, caps::file);
  if (bytes.find_first_not_of('\0') == std::string::npos)
    throw Error(bytes.empty() ? "no network: the file is empty"
                              : "no network: all bytes of the file are 0");
  if (onnx::looks_like_onnx(bytes)) return onnx::read_onnx(bytes);
  if (bytes != packed) return {to_network(parse_safetensors(bytes)), {}};
  return {read_network(path), {}};
}

}  // namespace wmi::frontends
