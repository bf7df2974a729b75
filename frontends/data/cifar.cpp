#include "frontends/data/cifar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "frontends/packed/packed_file.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t classes = 10;

}  // namespace

bnn::Images read_cifar(const std::string& path, std::size_t most) {
  constexpr std::size_t record = 1 + bnn::Images::bytes;
  constexpr std::size_t most_images = 100'000;
  const std::string bytes = read_unpacked(path, std::min(most, most_images) * record);
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
