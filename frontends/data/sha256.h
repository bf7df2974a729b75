#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace wmi::frontends {

/// The SHA-256 digest (FIPS 180-4) of what was added, in pieces of any length.
///
///     Sha256 hash;
///     hash.add("abc");
///     hash.hexadecimal();  // ba7816bf...
class Sha256 {
 public:
  void add(std::string_view bytes);
  /// Of all that was added so far.
  std::string hexadecimal() const;

 private:
  void compress(const unsigned char* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::string rest_;  // shorter than a block
  std::uint64_t bytes_ = 0;
};

}  // namespace wmi::frontends
