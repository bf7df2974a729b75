#include "frontends/common/write_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "tests/temporary_directory.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

TEST_CASE("a file appears when it is kept, and replaces the old one with its permissions") {
  const TemporaryDirectory directory;
  const std::string name = directory.file("file", "old");
  fs::permissions(name, fs::perms::owner_read | fs::perms::owner_write);
  {
    NewFile file(name);
    file.stream() << "half";
  }
  CHECK(contents(name) == "old");
  NewFile file(name);
  file.stream() << "new";
  CHECK(contents(name) == "old");
  file.keep();
  CHECK(contents(name) == "new");
  CHECK(fs::status(name).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(std::distance(fs::directory_iterator(directory.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("a symbolic link stays one, and its target is replaced") {
  const TemporaryDirectory directory;
  const std::string target = directory.file("target", "old");
  fs::create_symlink(target, directory.path("link"));
  save(directory.path("link"), "new");
  CHECK(fs::is_symlink(directory.path("link")));
  CHECK(contents(target) == "new");
}

TEST_CASE("a device that takes nothing is an error") {
  CHECK_THROWS_WITH_AS(save("/dev/full", "x"), "cannot write to /dev/full: No space left on device",
                       WriteError);
  save("/dev/null", "x");
}

TEST_CASE("a pipe is written to and stays a pipe") {
  const TemporaryDirectory directory;
  const std::string pipe = directory.path("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(reader >= 0);
  save(pipe, "answer");
  char text[16] = {};
  CHECK(read(reader, text, sizeof text) == 6);
  CHECK(std::string(text) == "answer");
  close(reader);
  CHECK(fs::is_fifo(pipe));
}

TEST_CASE("a file that cannot be replaced stays as it was") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("file");
  save(file, "old");
  CHECK(contents(file) == "old");
  CHECK_THROWS_AS(save(directory.path("none/file"), "x"), WriteError);
  // A full disk, as far as a process can have one of its own.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{1000, limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  CHECK_THROWS_AS(save(file, std::string(5000, 'x')), WriteError);
  setrlimit(RLIMIT_FSIZE, &limit);
  CHECK(contents(file) == "old");
  CHECK(std::distance(fs::directory_iterator(directory.path()), fs::directory_iterator()) == 1);
}

}  // namespace
}  // namespace wmi::frontends
