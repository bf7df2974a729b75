#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "solver/terms/rational.h"

namespace wmi::frontends {

/// Decodes a little-endian number.
template <class Unsigned>
Unsigned little_endian(const char* bytes) {
  Unsigned result = 0;
  for (std::size_t i = sizeof(Unsigned); i-- > 0;)
    result =
        static_cast<Unsigned>((std::uint64_t{result} << 8) | static_cast<unsigned char>(bytes[i]));
  return result;
}

// Decoders of floats, which are widened to doubles; NaN stays NaN.

inline double decode_f64(const char* bytes) {
  return std::bit_cast<double>(little_endian<std::uint64_t>(bytes));
}
inline double decode_f32(const char* bytes) {
  return std::bit_cast<float>(little_endian<std::uint32_t>(bytes));
}
inline double decode_bf16(const char* bytes) {
  return std::bit_cast<float>(std::uint32_t{little_endian<std::uint16_t>(bytes)} << 16);
}
inline double decode_f16(const char* bytes) {
  const auto bits = little_endian<std::uint16_t>(bytes);
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  if (exponent == 31) return std::nan("");
  const double size =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

/// The number of a float by its decoder; nullopt for NaN and infinities.
template <double (*read)(const char*)>
std::optional<Rational> from_float(const char* bytes) {
  const double value = read(bytes);
  if (!std::isfinite(value)) return std::nullopt;
  return Rational(value);
}

/// The number of an integer, of at most 63 bits if it is unsigned.
template <class Signed, class Unsigned>
std::optional<Rational> from_integer(const char* bytes) {
  static_assert(sizeof(long) == 8, "GMP takes a long");
  return Rational(static_cast<long>(static_cast<Signed>(little_endian<Unsigned>(bytes))));
}

}  // namespace wmi::frontends
