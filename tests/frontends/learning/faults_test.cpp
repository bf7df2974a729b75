// What ciber writes when it is killed, when a disk is full, when a directory cannot be written to:
// the old file or the new one, never half of one, one line that says why, the right exit status.

#include <doctest/doctest.h>

#include "frontends/data/run_directory.h"
#include "frontends/data/table.h"
#include "tests/frontends/fault_injection.h"
#include "tests/frontends/learning/line_run.h"

namespace wmi::frontends {
namespace {

/// Each command, the file that it writes, and what it is asked.
struct Output {
  std::string name;
  std::vector<std::string> arguments;
};

std::vector<Output> outputs(const TemporaryDirectory& inputs, const TemporaryDirectory& place) {
  const std::string run = line_run(inputs);
  const std::string data = inputs.file("new.csv", "x,y\n-1,-1.2\n0,0.3\n1,0.8\n2,2.5\n");
  return {{"table.csv", {"predict", run, data, "--out", place.path("table.csv"), "--overwrite"}},
          {"page.html",
           {"report", run, "--data", data, "--out", place.path("page.html"), "--overwrite"}},
          {"000.smt2",
           {"encode", run, "--data", data, "--posterior", "moment", "--out", place.path(""),
            "--overwrite"}}};
}

TEST_CASE("a command that is killed or has no disk space leaves the old file or the new one") {
  const TemporaryDirectory inputs, place;
  std::vector<std::string> written;
  for (const Output& output : outputs(inputs, place)) {
    CAPTURE(output.name);
    const std::string file = place.path(output.name);
    place.file(output.name, "the old one");
    written.push_back(output.name);
    std::ranges::sort(written);
    CHECK(run_program("ciber", output.arguments, killed_at(100)).exit == 128 + SIGXFSZ);
    CHECK(contents(file) == "the old one");
    CHECK(names_in(place.path("")) == written);

    const Finished full = run_program("ciber", output.arguments, full_at(100));
    CAPTURE(full.errors);
    CHECK(full.exit == 1);
    CHECK(contains(full.errors, "cannot write to " + file + ": File too large"));
    CHECK(contents(file) == "the old one");
    CHECK(names_in(place.path("")) == written);

    const ReadOnly locked(place.path(""));
    const Finished refused = run_program("ciber", output.arguments, obey_permissions);
    CAPTURE(refused.errors);
    CHECK(refused.exit == 1);
    CHECK(contains(refused.errors, "Permission denied"));
    CHECK(contents(file) == "the old one");
  }
}

TEST_CASE("a training killed while writing leaves readable files") {
  const TemporaryDirectory directory;
  std::string rows = "x,y\n";
  for (int i = 0; i < 20; ++i) rows += std::to_string(i) + "," + std::to_string(i % 7) + "\n";
  const std::string data = directory.file("data.csv", rows), run = directory.path("run");
  const std::vector<std::string> words = {"train",    data, "--target",  "y", "--hidden", "3",
                                          "--epochs", "1",  "--samples", "1", "--every",  "1",
                                          "--out",    run};
  CHECK(run_program("ciber", words, killed_at(300)).exit == 128 + SIGXFSZ);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(run))
    CHECK((entry.is_directory() || entry.path().filename() == "lock"));  // no file was complete
  fs::remove_all(run);
  const Finished full = run_program("ciber", words, full_at(300));
  CAPTURE(full.errors);
  CHECK(full.exit == 1);
  CHECK(contains(full.errors, "cannot write to " + run));
  CHECK(contains(full.errors, ": File too large"));
}

TEST_CASE("output to a closed pipe ends silently, output to a full device with a message") {
  const TemporaryDirectory inputs, place;
  const std::string run = line_run(inputs);
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  close(ends[0]);
  const Finished unread =
      run_program("ciber", {"predict", run, "--input", "1"}, [&] { dup2(ends[1], STDOUT_FILENO); });
  close(ends[1]);
  CHECK(unread.exit == 128 + SIGPIPE);
  CHECK(unread.errors.empty());
  const Finished full =
      run_program("ciber", {"predict", run, "--input", "1", "--out", "/dev/full"});
  CHECK(full.exit == 1);
  CHECK(contains(full.errors, "cannot write to /dev/full: No space left on device"));
}

}  // namespace
}  // namespace wmi::frontends
