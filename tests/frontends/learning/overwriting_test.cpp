// Results about a run replace neither the run nor the table, and one process at a time writes to a
// run.

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "frontends/data/directory_lock.h"
#include "frontends/data/run_directory.h"
#include "tests/frontends/learning/line_run.h"
#include "tests/frontends/program.h"

namespace wmi::frontends {
namespace {

TEST_CASE("predict and report refuse to replace their table and their run") {
  const TemporaryDirectory directory;
  const std::string run = quoted(line_run(directory));
  const std::string data = directory.file("t.csv", "x,y\n-1,-1.2\n0,0.3\n1,0.8\n2,2.5\n");
  const std::string before = contents(data),
                    run_before = contents(line_run(directory) + "/run.json");
  for (const std::string& command : {
           "predict " + run + " " + quoted(data) + " --out " + quoted(data),
           "predict " + run + " " + quoted(data) + " --overwrite --out " + quoted(data),
           "predict " + run + " " + quoted(data) + " --out " + run + "/run.json",
           "predict " + run + " " + quoted(data) + " --overwrite --out " + run + "/run.json",
           "report " + run + " --data " + quoted(data) + " --out " + quoted(data),
           "report " + run + " --data " + quoted(data) + " --overwrite --out " + run +
               "/samples/000.safetensors",
       }) {
    CAPTURE(command);
    const Finished done = ciber(command);
    CAPTURE(done.errors);
    CHECK((done.exit == 1 || done.exit == 2));
    CHECK(contents(data) == before);
    CHECK(contents(line_run(directory) + "/run.json") == run_before);
  }
  const std::string predict = "predict " + run + " " + quoted(data) + " --out ";
  const std::string report = "report " + run + " --data " + quoted(data) + " --out ";
  for (const std::string& command :
       {predict + directory / "p.csv", predict + directory / "p.json" + " --json",
        report + directory / "page.html"})
    for (int i = 0; i < 2; ++i) {  // the second result replaces the first
      CAPTURE(command);
      CHECK(ciber(command).exit == 0);
    }
}

TEST_CASE("--overwrite replaces no file of a run but an earlier result") {
  const TemporaryDirectory directory;
  const std::string run = line_run(directory);
  const std::string data = directory.file("t.csv", "x,y\n-1,-1.2\n0,0.3\n1,0.8\n2,2.5\n");
  const std::string own =
      directory.file(fs::path(run).filename().string() + "/metrics.csv", "epoch,loss\n1,0.5\n");
  const std::string predict =
      "predict " + quoted(run) + " " + quoted(data) + " --overwrite --out " + quoted(run);
  const Finished done = ciber(predict + "/samples/../metrics.csv");
  CHECK(done.exit == 2);
  CHECK(contains(done.errors, "its directory is an input"));
  CHECK(contents(own) == "epoch,loss\n1,0.5\n");
  for (int i = 0; i < 2; ++i) CHECK(ciber(predict + "/p.csv").exit == 0);
}

/// The sample files of a run, and how many of them run.json lists.
std::size_t listed(const std::string& run) {
  const Run found = read_run(run);
  std::set<std::string> files;
  for (const SampleEntry& sample : found.samples) files.insert(sample.file);
  CHECK(files.size() == found.samples.size());
  std::set<std::string> written;
  for (const std::string& name : names_in(run + "/samples")) written.insert("samples/" + name);
  CHECK(files == written);
  return files.size();
}

TEST_CASE(
    "of two commands that write to a run, the second is refused with the first one's number") {
  const TemporaryDirectory directory;
  std::string rows = "x,y\n";
  for (int i = 0; i < 60; ++i) rows += std::to_string(i) + "," + std::to_string(i * i % 17) + "\n";
  const std::string data = directory.file("data.csv", rows);
  const std::string out = directory.path("r.run");
  const std::string train = "train " + quoted(data) + " --target y --out " + quoted(out) +
                            " --epochs 2 --samples 3 --every 1 --threads 1 --sampling-rate 0.05"
                            " --trajectories 1 --retrain yes --optimizer sgd";
  const std::string number = "another process (" + std::to_string(getpid()) + ") writes to it";
  {
    const DirectoryLock lock(out);
    const Finished refused = ciber(train);
    CHECK(refused.exit == 1);
    CHECK(contains(refused.errors, number));
    CHECK(!fs::exists(out + "/run.json"));
  }
  REQUIRE(ciber(train).exit == 0);
  CHECK(listed(out) == 3);
  const std::string sample = "sample " + quoted(out) + " --sampler swag --count 5 --threads 1";
  {
    const DirectoryLock lock(out);
    const Finished refused = ciber(sample);
    CHECK(refused.exit == 1);
    CHECK(contains(refused.errors, number));
    CHECK(ciber("predict " + quoted(out) + " " + quoted(data)).exit == 0);  // readers need no lock
  }
  CHECK(ciber(sample).exit == 0);
  CHECK(listed(out) == 8);
}

TEST_CASE("commands that start at once on one run add up, or are refused") {
  const TemporaryDirectory directory;
  const std::string run = line_run(directory);
  const std::size_t before = read_run(run).samples.size();
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(fork());
    if (children.back() == 0) {
      const std::string seed = std::to_string(i);
      become(program_path("ciber"), {"sample", run, "--sampler", "swag", "--count", "5",
                                     "--threads", "1", "--seed", seed});
    }
  }
  std::size_t succeeded = 0;
  for (const pid_t child : children) succeeded += exit_status(child) == 0 ? 1 : 0;
  CHECK(succeeded > 0);
  CHECK(read_run(run).samples.size() == before + 5 * succeeded);
}

}  // namespace
}  // namespace wmi::frontends
