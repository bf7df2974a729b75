#include "frontends/wmi/jobs/digest.h"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <array>
#include <cstdint>

namespace wmi::frontends {

std::string digest(std::string_view bytes) {
  sha256_ctx hash;
  sha256_init(&hash);
  sha256_update(&hash, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> result{};
  sha256_digest(&hash, result.size(), result.data());
  return fmt::format("sha256:{:02x}", fmt::join(result, ""));
}

}  // namespace wmi::frontends
