#include "frontends/data/cifar.h"

#include <doctest/doctest.h>
#include <lzma.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "solver/terms/error.h"
#include "tests/temporary_directory.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

namespace fs = std::filesystem;

std::string packed(const std::string& bytes) {
  std::string result(bytes.size() + 1000, '\0');
  std::size_t length = 0;
  REQUIRE(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr,
                                  reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(),
                                  reinterpret_cast<std::uint8_t*>(result.data()), &length,
                                  result.size()) == LZMA_OK);
  result.resize(length);
  return result;
}

/// Three images: the class of each, then bytes that count on.
std::string three_images() {
  std::string bytes;
  for (int image = 0; image < 3; ++image) {
    bytes.push_back(static_cast<char>(3 * image));
    for (int i = 0; i < 3072; ++i) bytes.push_back(static_cast<char>(i * 7 + image));
  }
  return bytes;
}

std::string refusal(const std::string& file) {
  try {
    read_cifar(file, 100);
  } catch (const Error& error) {
    const std::string what = error.what();
    return what.substr(what.rfind('/') + 1);
  }
  return "";
}

}  // namespace

TEST_CASE("the first images of a file are read, compressed or not") {
  const TemporaryDirectory scratch;
  const std::string bytes = three_images();
  for (const std::string& file :
       {scratch.file("plain.bin", bytes), scratch.file("packed.bin.xz", packed(bytes))}) {
    const bnn::Images all = read_cifar(file, 100);
    REQUIRE(all.count() == 3);
    CHECK(all.classes == std::vector<double>{0, 3, 6});
    CHECK(all.pixels.size() == 3 * 3072);
    CHECK(all.image(2)[100] == (100 * 7 + 2) % 256);
    CHECK(all.image(0)[3071] == (3071 * 7) % 256);
    const bnn::Images two = read_cifar(file, 2);
    CHECK(two.count() == 2);
    CHECK(std::equal(two.pixels.begin(), two.pixels.end(), all.pixels.begin()));
  }
}

TEST_CASE("damaged image files are refused") {
  const TemporaryDirectory scratch;
  std::string bytes = three_images();
  CHECK(refusal(scratch.path("none")) == "none: cannot be opened: No such file or directory");
  CHECK(refusal(scratch.file("short", bytes.substr(0, 5000))) ==
        "short: has 5000 bytes, which are no whole images of 3073");
  CHECK(refusal(scratch.file("empty", "")) ==
        "empty: has 0 bytes, which are no whole images of 3073");
  const std::string small = packed(bytes);
  CHECK(refusal(scratch.file("cut.xz", small.substr(0, small.size() / 2))) ==
        "cut.xz: is damaged or cut off");
  std::string broken = small;
  broken[broken.size() / 2] = static_cast<char>(broken[broken.size() / 2] ^ 0x55);
  CHECK(refusal(scratch.file("broken.xz", broken)) == "broken.xz: is damaged or cut off");
  bytes[3073] = 10;
  CHECK(refusal(scratch.file("class", bytes)) ==
        "class: image 1 has the class 10, and there are 10");
}
#include "tests/temporary_directory.h"
