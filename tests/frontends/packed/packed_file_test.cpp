#include "frontends/packed/packed_file.h"

#include <doctest/doctest.h>
#include <lzma.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "frontends/common/caps.h"
#include "tests/frontends/reading.h"
#include "tests/temporary_directory.h"

namespace wmi::frontends {
namespace {

std::string xz(const std::string& bytes) {
  std::string result(bytes.size() + 1000, '\0');
  std::size_t length = 0;
  REQUIRE(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr,
                                  reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(),
                                  reinterpret_cast<std::uint8_t*>(result.data()), &length,
                                  result.size()) == LZMA_OK);
  result.resize(length);
  return result;
}

std::string gzip(const TemporaryDirectory& directory, const std::string& bytes) {
  const std::string path = directory.path("packing.gz");
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  return contents(path);
}

std::string refusal(const std::string& path) {
  const std::string what = complaint([&] { read_unpacked(path); });
  return what.substr(what.rfind('/') + 1);
}

/// Three megabytes that do not compress away.
std::string long_text() {
  std::string result;
  unsigned state = 1;
  while (result.size() < 3'000'000) {
    state = state * 1664525 + 1013904223;
    result += static_cast<char>(state >> 24);
  }
  return result;
}

TEST_CASE("a file is unpacked if it is packed, whatever its name") {
  const TemporaryDirectory directory;
  const std::string text = long_text();
  for (const std::string& file : {directory.file("plain", text), directory.file("xz", xz(text)),
                                  directory.file("gzip", gzip(directory, text))}) {
    CAPTURE(file);
    CHECK(read_unpacked(file) == text);
    CHECK(read_unpacked(file, 1'234'567) == text.substr(0, 1'234'567));
    CHECK(read_unpacked(file, 0).empty());
  }
  CHECK(read_unpacked(directory.file("empty", "")).empty());
  CHECK(read_unpacked(directory.file("empty.gz", gzip(directory, ""))).empty());
}

TEST_CASE("packed files may be concatenated; gzip's may end in other bytes") {
  const TemporaryDirectory directory;
  const std::string a = gzip(directory, "one"), b = gzip(directory, "two");
  CHECK(read_unpacked(directory.file("two.gz", a + b)) == "onetwo");
  CHECK(read_unpacked(directory.file("more.gz", a + "\0\0")) == "one");
  CHECK(read_unpacked(directory.file("two.xz", xz("one") + xz("two"))) == "onetwo");
}

TEST_CASE("a damaged file is refused, and a missing one") {
  const TemporaryDirectory directory;
  for (std::string packed : {xz(long_text()), gzip(directory, long_text())}) {
    CHECK(refusal(directory.file("cut", packed.substr(0, packed.size() / 2))) ==
          "cut: is damaged or cut off");
    packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] ^ 0x55);
    CHECK(refusal(directory.file("broken", packed)) == "broken: is damaged or cut off");
  }
  CHECK(refusal(directory.path("none")) == "none: cannot be opened: No such file or directory");
}

TEST_CASE("bytes are unpacked up to a limit") {
  const TemporaryDirectory directory;
  const std::string packed = gzip(directory, "one two");
  CHECK(unpacked(packed, 7) == "one two");
  CHECK(unpacked("one two", 7) == "one two");
  CHECK(complaint([&] { unpacked(packed, 6); }) == "has more than 6 bytes");
  CHECK(complaint([&] { unpacked("one two", 6); }) == "has more than 6 bytes");
  CHECK(complaint([&] { unpacked(packed.substr(0, 20), 7); }) == "is damaged or cut off");
}

TEST_CASE("a small file that unpacks to a large one is refused at the cap") {
  const TemporaryDirectory directory;
  const std::string file = directory.file("bomb", gzip(directory, std::string(100'000, 'x')));
  caps::unpacked.set(99'999);
  CHECK(refusal(file) == "bomb: has more than 99999 bytes");
  caps::unpacked.set(100'000);
  CHECK(refusal(file) == "no complaint");
  caps::unpacked.set(caps::unpacked.standard());
}

TEST_CASE("a bomb is refused before its bytes are kept") {
  const TemporaryDirectory directory;
  // 400 MB, of which 390 KB are left; nothing of it is kept, so far less is resident.
  const std::string path = directory.path("bomb.gz");
  gzFile file = gzopen(path.c_str(), "wb");
  const std::string zeros(1 << 20, '\0');
  for (int i = 0; i < 400; ++i) gzwrite(file, zeros.data(), 1 << 20);
  gzclose(file);
  const pid_t child = fork();
  if (child == 0) {
    caps::unpacked.set(std::size_t{300} << 20);
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    const bool refused = refusal(path).ends_with("bytes");
    getrusage(RUSAGE_SELF, &after);
    _exit(refused && after.ru_maxrss - before.ru_maxrss < 50 << 10 ? 0 : 1);  // kilobytes
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

}  // namespace
}  // namespace wmi::frontends
