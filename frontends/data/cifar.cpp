#include "frontends/data/cifar.h"

#include <fmt/format.h>
#include <lzma.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t classes = 10;
constexpr std::uint64_t memory_limit = std::uint64_t{1} << 28;

struct Decoder {
  lzma_stream stream = LZMA_STREAM_INIT;
  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder() { lzma_end(&stream); }
};

std::string unpacked(std::istream& in, const std::string& path, std::size_t most) {
  Decoder decoder;
  lzma_stream& stream = decoder.stream;
  if (lzma_stream_decoder(&stream, memory_limit, LZMA_CONCATENATED) != LZMA_OK)
    throw Error(path + ": cannot be unpacked");
  std::vector<char> block(1 << 16);
  std::string result(most, '\0');
  stream.next_out = reinterpret_cast<std::uint8_t*>(result.data());
  stream.avail_out = most;
  lzma_action action = LZMA_RUN;
  while (stream.avail_out > 0) {
    if (stream.avail_in == 0 && action == LZMA_RUN) {
      in.read(block.data(), static_cast<std::streamsize>(block.size()));
      stream.next_in = reinterpret_cast<const std::uint8_t*>(block.data());
      stream.avail_in = static_cast<std::size_t>(in.gcount());
      if (!in) action = LZMA_FINISH;
    }
    const lzma_ret state = lzma_code(&stream, action);
    if (state == LZMA_STREAM_END) break;
    if (state != LZMA_OK) throw Error(path + ": is damaged or cut off");
  }
  result.resize(most - stream.avail_out);
  return result;
}

}  // namespace

std::string read_xz(const std::string& path, std::size_t most) {
  if (std::filesystem::is_directory(path)) throw Error(path + ": is a directory");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(path + ": cannot be read");
  std::string start(6, '\0');
  in.read(start.data(), 6);
  const bool packed = start == std::string(
                                   "\xFD"
                                   "7zXZ\0",
                                   6);
  in.clear();
  in.seekg(0);
  if (packed) return unpacked(in, path, most);
  const std::uintmax_t size = std::filesystem::file_size(path);
  std::string result(static_cast<std::size_t>(std::min<std::uintmax_t>(size, most)), '\0');
  in.read(result.data(), static_cast<std::streamsize>(result.size()));
  if (static_cast<std::size_t>(in.gcount()) != result.size())
    throw Error(path + ": cannot be read");
  return result;
}

bnn::Images read_cifar(const std::string& path, std::size_t most) {
  constexpr std::size_t record = 1 + bnn::Images::bytes;
  constexpr std::size_t most_images = 100'000;
  const std::string bytes = read_xz(path, std::min(most, most_images) * record);
  if (bytes.empty() || bytes.size() % record != 0)
    throw Error(fmt::format("{}: has {} bytes, which are no whole images of {}", path, bytes.size(),
                            record));
  bnn::Images result;
  for (std::size_t at = 0; at < bytes.size(); at += record) {
    const auto name = static_cast<unsigned char>(bytes[at]);
    if (name >= classes)
      throw Error(fmt::format("{}: image {} has the class {}, and there are {}", path, at / record,
                              name, classes));
    result.classes.push_back(name);
    for (std::size_t i = 1; i < record; ++i)
      result.pixels.push_back(static_cast<std::uint8_t>(bytes[at + i]));
  }
  return result;
}

}  // namespace wmi::frontends
