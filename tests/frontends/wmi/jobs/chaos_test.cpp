// Jobs whose workers are killed all the time, or have a full disk: the answer is that of one process.

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/process.h"
#include "tests/skipped.h"
#include "tests/source_directory.h"
#include "tests/temporary_directory.h"

namespace wmi::tests {
namespace {

std::string chaos() {
  return ::quoted((source_directory() / "tests/frontends/wmi/jobs/chaos.sh").string());
}

std::string planes(int count) {
  std::string text =
      "(declare-const x Real) (declare-const y Real) (declare-const z Real)\n"
      "(assert (and (<= 0 x 1) (<= 0 y 1) (<= 0 z 1)))\n";
  for (int i = 1; i <= count; ++i)
    text += "(weight (< (+ x (* (- " + std::to_string((i * 7) % 11) + " 5) y) (* (- " +
            std::to_string((i * 5) % 13) + " 6) z)) (/ (- " + std::to_string((i * 37) % 29) +
            " 9) 7)) (+ 1 (/ x " + std::to_string(i + 1) + ")))\n";
  return text + "(get-wmi)\n(get-probability (< x y))\n";
}

TEST_CASE("workers that are killed or have a full disk do not change the answer") {
  const std::string wmi = ::quoted(program_path("wmi"));
  const TemporaryDirectory place;
  place.file("problem.smt2", planes(45));
  const std::string file = place / "problem.smt2", job = place / "job";
  REQUIRE(run(wmi + " split " + file + " --parts 12 --out " + job).exit == 0);
  const Finished done = run(chaos() + " " + wmi + " " + job + " 0.4 0.1");
  CAPTURE(done.errors);
  CHECK(std::atoi(done.output.c_str()) > 0);
  const Finished joined = run(wmi + " join " + job + " --json --recheck 2");
  CHECK(joined.exit == 0);
  CHECK(joined.output == run(wmi + " " + file + " --json").output);
}

TEST_CASE("on a disk that is full a part says so in one line, and works when there is room again") {
  if (run("unshare -m true").exit != 0) return skipped("no right to mount a small disk");
  const std::string wmi = ::quoted(program_path("wmi"));
  const TemporaryDirectory place;
  place.file("problem.smt2", planes(20));
  const std::string file = place / "problem.smt2", disk = place / "disk";
  std::filesystem::create_directory(place.path() / "disk");
  // In a mount namespace of its own: the disk is gone with the shell.
  const Finished found =
      run("unshare -m sh -c " +
          ::quoted("mount -t tmpfs -o size=96k none " + disk + " && " + wmi + " split " + file +
                   " --parts 6 --out " + disk + "/job && cat /dev/zero > " + disk +
                   "/filler; for unit in $(" + wmi + " units " + disk + "/job); do " + wmi +
                   " part " + disk + "/job --unit $unit && echo written; done; rm " + disk +
                   "/filler; for unit in $(" + wmi + " units " + disk + "/job); do " + wmi +
                   " part " + disk + "/job --unit $unit; done; " + wmi + " join " + disk + "/job"));
  CAPTURE(found.errors);
  CHECK(found.errors.find("No space left on device") != std::string::npos);
  CHECK(found.output == run(wmi + " " + file).output);
}

TEST_CASE("so with more than 50 000 cells of a property of ACAS Xu") {
  if (std::getenv("WMI_LONG") == nullptr) return;
  const auto data = data_folder("vnncomp");
  if (!data) return;
  const std::string ciber = ::quoted(program_path("ciber"));
  const TemporaryDirectory place;
  const std::string job = place / "job";
  const std::string verify =
      ciber + " verify " +
      ::quoted((*data / "acasxu/ACASXU_run2a_4_5_batch_2000.onnx.gz").string()) + " " +
      ::quoted((*data / "acasxu/prop_2.vnnlib").string()) + " --digits 4 ";
  REQUIRE(run(verify + "--parts 50 --job " + job).exit == 0);
  const Finished done = run(chaos() + " " + ciber + " " + job + " 10 5");
  const Finished joined = run(ciber + " join " + job + " --json --recheck 3");
  CHECK(joined.output == run(verify + "--json").output);
  CHECK(joined.output.find("\"cells\":52771") != std::string::npos);
}

}  // namespace
}  // namespace wmi::tests
