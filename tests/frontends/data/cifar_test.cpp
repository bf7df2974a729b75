#include "frontends/data/cifar.h"

#include <doctest/doctest.h>
#include <lzma.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bnn/torch/residual.h"
#include "frontends/data/packed_file.h"
#include "frontends/networks/safetensors.h"
#include "solver/terms/error.h"
#include "tests/source_directory.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

namespace fs = std::filesystem;

struct Scratch {
  fs::path path = fs::temp_directory_path() / ("cifar_test_" + std::to_string(getpid()));
  Scratch() { fs::create_directories(path); }
  ~Scratch() { fs::remove_all(path); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
    return (path / name).string();
  }
};

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

TEST_CASE("images are read as they are stored, packed or not, as many as are asked for") {
  const Scratch scratch;
  const std::string bytes = three_images();
  for (const std::string& file :
       {scratch.write("plain.bin", bytes), scratch.write("packed.bin.xz", packed(bytes))}) {
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

TEST_CASE("damaged files of images are refused") {
  const Scratch scratch;
  std::string bytes = three_images();
  CHECK(refusal((scratch.path / "none").string()) ==
        "none: cannot be opened: No such file or directory");
  CHECK(refusal(scratch.write("short", bytes.substr(0, 5000))) ==
        "short: has 5000 bytes, which are no whole images of 3073");
  CHECK(refusal(scratch.write("empty", "")) ==
        "empty: has 0 bytes, which are no whole images of 3073");
  const std::string small = packed(bytes);
  CHECK(refusal(scratch.write("cut.xz", small.substr(0, small.size() / 2))) ==
        "cut.xz: is damaged or cut off");
  std::string broken = small;
  broken[broken.size() / 2] = static_cast<char>(broken[broken.size() / 2] ^ 0x55);
  CHECK(refusal(scratch.write("broken.xz", broken)) == "broken.xz: is damaged or cut off");
  bytes[3073] = 10;
  CHECK(refusal(scratch.write("class", bytes)) ==
        "class: image 1 has the class 10, and there are 10");
}

TEST_CASE("a pretrained network has the features that others computed with it") {
  const char* named = std::getenv("WMI_DATA");
  const fs::path data =
      named != nullptr ? fs::path(named) : source_directory() / ".." / "shared" / "data";
  if (!fs::is_directory(data / "cifar10") || !fs::is_directory(data / "cifar10_features")) {
    MESSAGE("skipped: no data");
    return;
  }
  constexpr std::size_t count = 40;
  const bnn::Images images = read_cifar(data / "cifar10" / "test_batch.bin.xz", count);
  bnn::Weights weights;
  for (const auto& [name, tensor] :
       read_safetensors(data / "cifar10_pretrained" / "resnet20.safetensors").tensors) {
    std::vector<double> entries;
    for (const Rational& entry : tensor.entries) entries.push_back(entry.get_d());
    weights[name] = {tensor.shape, std::move(entries)};
  }
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back(i);
  const bnn::Activations found = bnn::residual_forward(weights, images, rows);
  const std::string stored =
      read_unpacked(data / "cifar10_features" / "r20_test_n10000x64_scale8192.u16le.gz");
  const std::string names = read_unpacked(data / "cifar10_features" / "labels_test.u8");
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(images.classes[i] == static_cast<unsigned char>(names[i]));
    for (std::size_t j = 0; j < 64; ++j) {
      const std::size_t at = 2 * (i * 64 + j);
      const double expected = (static_cast<unsigned char>(stored[at]) +
                               256.0 * static_cast<unsigned char>(stored[at + 1])) /
                              8192;
      worst = std::max(worst, std::abs(found.entering.at(i, j) - expected));
      largest = std::max(largest, expected);
    }
  }
  CHECK(largest > 1);
  CHECK(worst < 1.0 / 8192);  // half a step of the stored numbers, and the rounding of floats
}
