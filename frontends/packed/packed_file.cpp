#include "frontends/packed/packed_file.h"

#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "frontends/common/caps.h"
#include "frontends/common/read_file.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr std::string_view gzip_magic = "\x1f\x8b";
constexpr std::string_view xz_magic("\xFD\x37zXZ\0", 6);
constexpr std::size_t block = std::size_t{1} << 20;
constexpr std::size_t small = std::size_t{1} << 13;  // of it, no format makes more than 60 MiB
constexpr std::uint64_t xz_memory = std::uint64_t{1} << 28;  // bytes that a decoder may allocate

const unsigned char* data(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

/// Calls `decode(room, size)`, which returns how many bytes it wrote, until it returns 0 or there
/// are `most` bytes. Each part goes to `take`. Returns how many bytes there were.
template <class Decode>
std::size_t decode_parts(std::size_t most, const Decode& decode,
                         const std::function<void(std::string_view)>& take) {
  std::vector<char> room(std::min(block, most));
  std::size_t total = 0;
  while (total < most) {
    const std::size_t size = std::min(room.size(), most - total);
    const std::size_t written = decode(reinterpret_cast<unsigned char*>(room.data()), size);
    if (written == 0) break;
    take({room.data(), written});
    total += written;
  }
  return total;
}

using Take = std::function<void(std::string_view)>;

struct Gzip {
  z_stream stream{};
  Gzip() {
    if (inflateInit2(&stream, 15 + 16) != Z_OK) throw Error("cannot be unpacked");
  }
  ~Gzip() { inflateEnd(&stream); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
};

/// A gzip file may have several members; other bytes after the last are ignored, as gzip does.
std::size_t unpack_gzip(std::string_view packed, std::size_t most, const Take& take) {
  Gzip gzip;
  z_stream& stream = gzip.stream;
  bool ended = false;
  const auto decode = [&](unsigned char* room, std::size_t size) {
    stream.next_out = room;
    stream.avail_out = static_cast<unsigned>(size);
    while (stream.avail_out > 0) {
      if (ended) {
        if (!packed.starts_with(gzip_magic)) break;
        inflateReset(&stream);
        ended = false;
      }
      const auto length = static_cast<unsigned>(std::min(block, packed.size()));
      stream.next_in = const_cast<unsigned char*>(data(packed));
      stream.avail_in = length;
      const int state = inflate(&stream, Z_NO_FLUSH);
      packed.remove_prefix(length - stream.avail_in);
      if (state != Z_OK && state != Z_STREAM_END) throw Error("is damaged or cut off");
      ended = state == Z_STREAM_END;
    }
    return size - stream.avail_out;
  };
  return decode_parts(most, decode, take);
}

struct Xz {
  lzma_stream stream = LZMA_STREAM_INIT;
  Xz() {
    if (lzma_stream_decoder(&stream, xz_memory, LZMA_CONCATENATED) != LZMA_OK)
      throw Error("cannot be unpacked");
  }
  ~Xz() { lzma_end(&stream); }
  Xz(const Xz&) = delete;
  Xz& operator=(const Xz&) = delete;
};

std::size_t unpack_xz(std::string_view packed, std::size_t most, const Take& take) {
  Xz xz;
  lzma_stream& stream = xz.stream;
  stream.next_in = data(packed);
  stream.avail_in = packed.size();
  bool ended = false;
  const auto decode = [&](unsigned char* room, std::size_t size) {
    stream.next_out = room;
    stream.avail_out = size;
    while (stream.avail_out > 0 && !ended) {
      const lzma_ret state = lzma_code(&stream, LZMA_FINISH);
      if (state != LZMA_OK && state != LZMA_STREAM_END) throw Error("is damaged or cut off");
      ended = state == LZMA_STREAM_END;
    }
    return size - stream.avail_out;
  };
  return decode_parts(most, decode, take);
}

/// The decoder of packed bytes, or null.
auto decoder_of(std::string_view bytes) {
  return bytes.starts_with(gzip_magic) ? unpack_gzip
         : bytes.starts_with(xz_magic) ? unpack_xz
                                       : nullptr;
}

/// The first `most` bytes of the decompressed ones.
std::string unpacked_head(std::string bytes, std::size_t most, std::size_t expected = 0) {
  if (const auto decode = decoder_of(bytes)) {
    std::string result;
    result.reserve(expected);
    decode(bytes, most, [&](std::string_view part) { result += part; });
    return result;
  }
  if (bytes.size() > most) bytes.resize(most);
  return bytes;
}

}  // namespace

/// What may become large is decoded twice: the first time it is counted, and nothing is kept.
std::string unpacked(std::string bytes, std::size_t most) {
  const auto refuse = [&] { throw Error("has more than " + std::to_string(most) + " bytes"); };
  std::size_t size = 0;
  if (const auto decode = decoder_of(bytes); decode != nullptr && bytes.size() > small) {
    size = decode(bytes, most + 1, [](std::string_view) {});
    if (size > most) refuse();
  }
  std::string result = unpacked_head(std::move(bytes), most + 1, size);
  if (result.size() > most) refuse();
  return result;
}

std::string read_unpacked(const std::string& path, std::size_t most) {
  try {
    return unpacked_head(read_file(path, std::max(caps::file.value(), caps::unpacked.value())),
                         most);
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
}

std::string read_unpacked(const std::string& path) {
  try {
    return unpacked(read_file(path, std::max(caps::file.value(), caps::unpacked.value())),
                    caps::unpacked);
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
}

}  // namespace wmi::frontends
