#include "frontends/common/read_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "tests/frontends/reading.h"
#include "tests/temporary_directory.h"

namespace wmi::frontends {
namespace {

std::string refusal(const std::string& path) {
  return complaint([&] { read_file(path); });
}

TEST_CASE("a file is read to its last byte") {
  const TemporaryDirectory directory;
  const std::string bytes = std::string("a\0\r\n\xff", 5) + std::string(200'000, 'x');
  const std::string file = directory.file("file", bytes);
  CHECK(read_file(file) == bytes);
  CHECK(read_input(file) == bytes);
  CHECK(read_file(directory.file("empty", "")).empty());
}

TEST_CASE("a file that cannot be read is refused with the reason") {
  const TemporaryDirectory directory;
  CHECK(refusal(directory.path("none")) == "cannot be opened: No such file or directory");
  CHECK(refusal("/") == "cannot be read: it is no plain file");
  CHECK(complaint([] { read_input("/"); }) == "cannot be read: Is a directory");
}

TEST_CASE("a pipe is an input but not a file, and is not waited for as one") {
  const TemporaryDirectory directory;
  const std::string pipe = directory.path("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(refusal(pipe) == "cannot be read: it is no plain file");
  std::thread writer([&] {
    const int end = open(pipe.c_str(), O_WRONLY | O_CLOEXEC);
    CHECK(write(end, "text", 4) == 4);
    close(end);
  });
  CHECK(read_input(pipe) == "text");
  writer.join();
}

TEST_CASE("a file larger than its cap is refused") {
  const TemporaryDirectory directory;
  const std::string file = directory.file("file", std::string(100, 'x'));
  CHECK(read_file(file, 100).size() == 100);
  CHECK(complaint([&] { read_file(file, 99); }) == "larger than 0 MiB");
  caps::file.set(99);
  CHECK(refusal(file) == "larger than 0 MiB");
  CHECK(complaint([&] { read_input(file); }) == "larger than 0 MiB");
  caps::file.set(caps::file.standard());
  CHECK(refusal(file) == "no complaint");
}

}  // namespace
}  // namespace wmi::frontends
