#include "frontends/data/directory_lock.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "solver/terms/error.h"
#include "tests/temporary_directory.h"

namespace wmi::frontends {
namespace {

/// A process that locks a directory and waits; its number, once it has the lock.
pid_t start_holder(const std::string& directory) {
  int ready[2];
  REQUIRE(pipe(ready) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const DirectoryLock lock(directory);
    [[maybe_unused]] const ssize_t written = write(ready[1], "x", 1);
    for (;;) pause();
  }
  char byte = 0;
  REQUIRE(read(ready[0], &byte, 1) == 1);
  close(ready[0]);
  close(ready[1]);
  return child;
}

TEST_CASE(
    "one process writes to a directory, the other is told its number, and a dead one is gone") {
  const TemporaryDirectory place;
  const std::string directory = place.path("a/run");
  const pid_t holder = start_holder(directory);
  const std::string refusal = directory + ": another process (" + std::to_string(holder) +
                              ") writes to it; wait until it is done, or choose another directory";
  CHECK_THROWS_WITH_AS(DirectoryLock{directory}, refusal.c_str(), Error);
  kill(holder, SIGKILL);
  waitpid(holder, nullptr, 0);
  CHECK(names_in(directory) == std::vector<std::string>{"lock"});  // nobody holds it
  const DirectoryLock lock(directory);
  CHECK_THROWS_AS(DirectoryLock{directory}, Error);
}

TEST_CASE("a lock leaves nothing behind, and a directory only if something was written to it") {
  const TemporaryDirectory place;
  {
    const DirectoryLock lock(place.path("empty"));
    const DirectoryLock other(place.path("used"));
    place.file("used/file", "x");
  }
  CHECK(names_in(place.path()) == std::vector<std::string>{"used"});
  CHECK(names_in(place.path("used")) == std::vector<std::string>{"file"});
}

TEST_CASE("of processes that lock and release at the same time, one has the lock at a time") {
  const TemporaryDirectory place;
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    int gained = 0;
    for (int tries = 0; tries < 2'000'000 && gained < 100; ++tries) {
      try {
        const DirectoryLock lock(place.path("run"));
        // Exclusive: of two holders, one would find the file of the other.
        if (mkdir(place.path("run/mine").c_str(), 0777) != 0) _exit(1);
        rmdir(place.path("run/mine").c_str());
        ++gained;
      } catch (const Error&) {
      }
    }
    _exit(gained == 100 ? 0 : 2);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
}

}  // namespace
}  // namespace wmi::frontends
