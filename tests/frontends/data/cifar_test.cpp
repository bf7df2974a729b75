#include "frontends/data/cifar.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"
#include "tests/temporary_directory.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

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

TEST_CASE("the first images of a file are read") {
  const TemporaryDirectory scratch;
  const std::string file = scratch.file("batch.bin", three_images());
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

TEST_CASE("damaged image files are refused") {
  const TemporaryDirectory scratch;
  std::string bytes = three_images();
  CHECK(refusal(scratch.path("none")) == "none: cannot be opened: No such file or directory");
  CHECK(refusal(scratch.file("short", bytes.substr(0, 5000))) ==
        "short: has 5000 bytes, which are no whole images of 3073");
  CHECK(refusal(scratch.file("empty", "")) ==
        "empty: has 0 bytes, which are no whole images of 3073");
  bytes[3073] = 10;
  CHECK(refusal(scratch.file("class", bytes)) ==
        "class: image 1 has the class 10, and there are 10");
}
