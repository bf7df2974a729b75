// Jobs of `ciber query` and `ciber verify`, against one process, byte for byte.

#include <doctest/doctest.h>

#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/process.h"
#include "tests/skipped.h"
#include "tests/source_directory.h"
#include "tests/temporary_directory.h"

namespace wmi::tests {
namespace {

const std::string ciber = ::quoted(program_path("ciber"));

std::string example(const std::string& name) {
  return ::quoted((source_directory() / "docs/examples" / name).string());
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

/// Answers by a job in several parts, and compares with the same command without --job.
void compare(const std::string& command, const std::string& options, const std::string& style,
             const std::string& budget) {
  CAPTURE(command);
  const TemporaryDirectory place;
  const std::string job = place / "job";
  const Finished made = run(ciber + " " + command + " " + options + " --job " + job + " --parts 6");
  CAPTURE(made.errors);
  REQUIRE(made.exit == 0);
  for (std::vector<std::string> open;
       !(open = words(run(ciber + " units " + job).output)).empty();) {
    std::string list = open[0];
    for (std::size_t i = 1; i < open.size(); ++i) list += "," + open[i];
    const Finished solved = run(ciber + " part " + job + " --unit " + list + budget);
    CAPTURE(solved.errors);
    REQUIRE(solved.exit == 0);
  }
  const Finished joined = run(ciber + " join " + job + " " + style);
  const Finished whole = run(ciber + " " + command + " " + options + " " + style);
  CHECK(joined.output == whole.output);
  CHECK(joined.errors == whole.errors);
  CHECK(joined.exit == whole.exit);
  CHECK(run(ciber + " join " + job + " --recheck 3 " + style).output == whole.output);
}

TEST_CASE("a job answers questions about a network as one process does") {
  const std::string query = "query " + example("net.safetensors");
  const std::string unknown =
      "--input 1,0.5 --unknown 'fc1.bias[2]=[-1,1]' --unknown 'fc1.weight[0,1]=[-1,2]' "
      "--unknown 'fc1.bias[1]=triangular(-1,0,1)' ";
  compare(query, unknown + "--mean --variance --distribution", "--json", " --budget 0.001");
  compare(query, unknown + "--mean --probability 'out[0] > 1/3' --digits 6", "", "");
}

TEST_CASE("a job verifies a property as one process does, with the same witness") {
  const std::string verify = "verify " + example("net.onnx") + " " + example("net.vnnlib");
  compare(verify, "", "--json", " --budget 0.001");
  compare(verify, "--digits 5", "", "");
}

TEST_CASE("a job of proofs about a network gives the certificate of one process") {
  const std::string commands[] = {
      "query " + example("net.safetensors") +
          " --input 1,0.5 --unknown 'fc1.weight[0,0]=[-1,1]' --unknown 'fc1.bias[1]=[-1,2]' "
          "--probability 'out[0] > out[1]' --mean",
      "verify " + example("net.onnx") + " " + example("net.vnnlib")};
  for (const std::string& command : commands) {
    CAPTURE(command);
    const TemporaryDirectory place;
    const std::string job = place / "job", joined = place / "joined", whole = place / "whole";
    const Finished made = run(ciber + " " + command + " --proof --parts 5 --job " + job);
    CAPTURE(made.errors);
    REQUIRE(made.exit == 0);
    for (std::string open; !(open = run(ciber + " units " + job).output).empty();)
      for (const std::string& unit : words(open))
        REQUIRE(run(ciber + " part " + job + " --unit " + unit + " --budget 0.01").exit == 0);
    const Finished found = run(ciber + " join " + job + " --json --certificate " + joined);
    const Finished expected = run(ciber + " " + command + " --json --certificate " + whole);
    CHECK(found.output == expected.output);
    CHECK(found.errors == expected.errors);
    const std::string compared = "cmp " + joined + " " + whole;
    CHECK(run(compared).exit == 0);
    CHECK(run(::quoted(program_path("wmi-check")) + " " + joined).exit == 0);
  }
}

TEST_CASE("so with a property of ACAS Xu, which is searched in doubles") {
  const std::optional<std::filesystem::path> data = data_folder("vnncomp");
  if (!data) return;
  const auto file = [&](const std::string& name) {
    return ::quoted((*data / "acasxu" / name).string());
  };
  // A violated property, and one that holds: of this there is nothing to divide.
  compare("verify " + file("ACASXU_run2a_1_2_batch_2000.onnx.gz") + " " + file("prop_2.vnnlib"),
          "--digits 3", "--json", " --budget 0.5");
  compare("verify " + file("ACASXU_run2a_1_1_batch_2000.onnx.gz") + " " + file("prop_1.vnnlib"),
          "--digits 3", "", "");
}

TEST_CASE("a job of another program is refused, and so is what does not go with a job") {
  const TemporaryDirectory place;
  const std::string job = place / "job";
  const std::string query = ciber + " query " + example("net.safetensors") +
                            " --input 1,0.5 --unknown 'fc1.bias[2]=[-1,1]' --job " + job;
  CHECK(run(query + " --certificate " + (place / "proof")).exit == 2);
  REQUIRE(run(query).exit == 0);
  const Finished other = run(::quoted(program_path("wmi")) + " join " + job);
  CHECK(other.exit == 1);
  CHECK(other.errors.find("the job was made by ciber") != std::string::npos);
}

}  // namespace
}  // namespace wmi::tests
