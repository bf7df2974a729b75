#include "frontends/packed/packed_file.h"

#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "frontends/common/caps.h"
#include "frontends/common/read_file.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr std::string_view gzip_magic = "\x1f\x8b";
constexpr std::string_view xz_magic("\xFD\x37zXZ\0", 6);
constexpr std::size_t block = std::size_t{1} << 20;
constexpr std::uint64_t xz_memory = std::uint64_t{1} << 28;  // bytes that a decoder may allocate

const unsigned char* data(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

/// Calls `decode(room, size)`, which returns how many bytes it wrote, until it returns 0 or there
/// are `most` bytes.
template <class Decode>
std::string collect(std::size_t most, const Decode& decode) {
  std::string result;
  while (result.size() < most) {
    const std::size_t before = result.size(), size = std::min(block, most - before);
    result.resize(before + size);
    const std::size_t written =
        decode(reinterpret_cast<unsigned char*>(result.data() + before), size);
    result.resize(before + written);
    if (written == 0) break;
  }
  return result;
}

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
std::string unpack_gzip(std::string_view packed, std::size_t most) {
  Gzip gzip;
  z_stream& stream = gzip.stream;
  bool ended = false;
  return collect(most, [&](unsigned char* room, std::size_t size) {
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
  });
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

std::string unpack_xz(std::string_view packed, std::size_t most) {
  Xz xz;
  lzma_stream& stream = xz.stream;
  stream.next_in = data(packed);
  stream.avail_in = packed.size();
  bool ended = false;
  return collect(most, [&](unsigned char* room, std::size_t size) {
    stream.next_out = room;
    stream.avail_out = size;
    while (stream.avail_out > 0 && !ended) {
      const lzma_ret state = lzma_code(&stream, LZMA_FINISH);
      if (state != LZMA_OK && state != LZMA_STREAM_END) throw Error("is damaged or cut off");
      ended = state == LZMA_STREAM_END;
    }
    return size - stream.avail_out;
  });
}

/// The first `most` bytes of the decompressed ones.
std::string unpacked_head(std::string bytes, std::size_t most) {
  if (bytes.starts_with(gzip_magic)) return unpack_gzip(bytes, most);
  if (bytes.starts_with(xz_magic)) return unpack_xz(bytes, most);
  if (bytes.size() > most) bytes.resize(most);
  return bytes;
}

}  // namespace

std::string unpacked(std::string bytes, std::size_t most) {
  std::string result = unpacked_head(std::move(bytes), most + 1);
  if (result.size() > most) throw Error("has more than " + std::to_string(most) + " bytes");
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
