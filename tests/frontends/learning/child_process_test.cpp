#include "frontends/learning/child_process.h"

#include <doctest/doctest.h>

#include <thread>

#include "solver/terms/error.h"
#include "tests/temporary_directory.h"

using namespace wmi;
using namespace wmi::frontends;

TEST_CASE("a program reads and writes files, and has its exit status") {
  const TemporaryDirectory directory;
  const ChildStreams streams{directory.file("in", "some words\n"), directory.path("out"),
                             directory.path("errors")};
  const std::string script = "cat; echo bad >&2; exit 7";
  CHECK(run_child({"sh", "-c", script}, streams, {}) == 7);
  CHECK(contents(streams.output) == "some words\n");
  CHECK(contents(streams.errors) == "bad\n");
  CHECK(run_child({"sh", "-c", "kill -9 $$"}, {}, {}) == 128 + 9);
  CHECK(run_child({directory.path("no-such-program")}, {}, {}) == 127);
}

TEST_CASE("a request to stop ends the program") {
  std::stop_source source;
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    source.request_stop();
  });
  CHECK_THROWS_AS(run_child({"sleep", "60"}, {}, source.get_token()), Stopped);
}
