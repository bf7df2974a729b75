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

bool is_digest(std::string_view text) {
  constexpr std::string_view mark = "sha256:";
  return text.starts_with(mark) && text.size() == mark.size() + 2 * SHA256_DIGEST_SIZE &&
         text.find_first_not_of("0123456789abcdef", mark.size()) == std::string_view::npos;
}

}  // namespace wmi::frontends
