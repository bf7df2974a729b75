// Engines that run the units of a job: the scripts of docs/examples/scale, as docs/scale.md has them.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/process.h"
#include "tests/skipped.h"
#include "tests/source_directory.h"
#include "tests/temporary_directory.h"

namespace wmi::tests {
namespace {

const std::string wmi = ::quoted(program_path("wmi"));

/// A job of about 20 units; programs of this build come first on the PATH.
struct Example {
  TemporaryDirectory place;
  std::string job = place / "job";
  std::string file = place / "problem.smt2";
  std::string path =
      "PATH=" + ::quoted(program_path("wmi").substr(0, program_path("wmi").rfind('/'))) +
      ":\"$PATH\" ";

  Example() {
    std::string text =
        "(declare-const x Real) (declare-const y Real)\n(assert (and (<= 0 x 1) (<= 0 y 1)))\n";
    for (int i = 1; i < 40; ++i)
      text += "(weight (< (+ x (* " + std::to_string(i) + " y)) " + std::to_string(i) + "/2) 2)\n";
    for (std::size_t at; (at = text.find("/2)")) != std::string::npos;) text.replace(at, 3, ".5)");
    place.file("problem.smt2", text + "(get-wmi)\n(get-variance (* x y))\n");
    REQUIRE(run(wmi + " split " + file + " --out " + job + " --parts 20").exit == 0);
  }

  void check(const Finished& found) const {
    CAPTURE(found.errors);
    CHECK(found.exit == 0);
    CHECK(found.output == run(wmi + " " + file).output);
    CHECK(run(wmi + " join " + job).exit == 0);
  }
};

std::string script(const std::string& name) {
  return ::quoted((source_directory() / "docs/examples/scale" / name).string());
}

TEST_CASE("GNU parallel solves a job, with units that hand work back") {
  if (!installed("parallel")) return;
  const Example example;
  example.check(run(example.path + script("parallel.sh") + " " + example.job + " 0.002"));
}

TEST_CASE("the script for GNU parallel solves further rounds, of integrals that cancel") {
  if (!installed("parallel")) return;
  Example example;
  std::string text =
      "(declare-const x Real) (declare-const y Real) (declare-const z Real)\n"
      "(assert (and (<= 0 x 1) (<= 0 y 1) (<= 0 z 1)))\n"
      "(weight true (- (* 1.000000001 x x x) 0.25))\n";
  for (const char* plane : {"(+ x y z) 1", "(+ x y) z", "(+ x z) y", "(+ y z) x"})
    text += "(weight (< " + std::string(plane) + ") 0.9999999999)\n";
  example.place.file("problem.smt2", text + "(get-wmi)\n");
  std::filesystem::remove_all(example.place.path() / "job");
  const std::string digits = " --digits 8 ";
  REQUIRE(run(wmi + " split " + example.file + digits + "--parts 2 --out " + example.job).exit ==
          0);
  const Finished found = run(example.path + script("parallel.sh") + " " + example.job);
  CAPTURE(found.errors);
  CHECK(found.exit == 0);
  CHECK(found.output == run(wmi + " " + example.file + digits).output);
  CHECK(std::filesystem::exists(example.place.path() / "job/done-2/1"));
}

TEST_CASE("GNU parallel resumes by its log, and repeats what fails") {
  if (!installed("parallel")) return;
  const Example example;
  const std::string log = example.place / "log";
  const std::string units = run(wmi + " units " + example.job + " | wc -l").output;
  // Killed in the middle: the log and the files both know what is done.
  const std::string line = example.path + "; seq " + units.substr(0, units.find('\n')) +
                           " | parallel --will-cite --joblog " + log +
                           " --resume --retries 3 wmi part " + example.job + " --unit {}";
  run("export " + example.path + "; timeout -s KILL 0.4 sh -c " +
      ::quoted(line.substr(line.find("seq"))));
  const Finished resumed = run("export " + line);
  CAPTURE(resumed.errors);
  CHECK(resumed.exit == 0);
  example.check(run(wmi + " join " + example.job));
}

TEST_CASE("a Slurm array solves a job, and a second one what the first handed back") {
  const Example example;
  const std::string array = "export " + example.path +
                            "; for task in $(seq 100); do SLURM_ARRAY_TASK_ID=$task " +
                            script("slurm.sh") + " " + example.job + " 2>/dev/null || true; done";
  run(array);
  const Finished again =
      run("export " + example.path + "; UNITS=$(wmi units " + example.job + "); export UNITS; " +
          "for task in 1 2; do SLURM_ARRAY_TASK_ID=$task " + script("slurm.sh") + " " +
          example.job + "; done");
  CHECK(again.exit == 0);
  example.check(run(wmi + " join " + example.job));
}

}  // namespace
}  // namespace wmi::tests
