// Certificates of jobs, put together from the proofs of their units: the bytes of one process.

#include "frontends/wmi/jobs/certificate_graft.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "solver/terms/error.h"
#include "tests/process.h"
#include "tests/source_directory.h"
#include "tests/temporary_directory.h"

namespace wmi::tests {
namespace {

namespace fs = std::filesystem;

const std::string wmi = ::quoted(program_path("wmi"));
const std::string checker = ::quoted(program_path("wmi-check"));

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

struct ProofJob {
  TemporaryDirectory place;
  std::string job = place / "job", proof = place / "joined", whole = place / "whole";
  std::string file;

  explicit ProofJob(std::string problem, const std::string& parts = "6")
      : file(::quoted(std::move(problem))) {
    const Finished made =
        run(wmi + " split " + file + " --proof --parts " + parts + " --out " + job);
    CAPTURE(made.errors);
    REQUIRE(made.exit == 0);
  }
  std::vector<std::string> units() const { return words(run(wmi + " units " + job).output); }
  Finished part(const std::string& unit, const std::string& options = "") const {
    return run(wmi + " part " + job + " --unit " + unit + " " + options);
  }
  void solve_all(const std::string& options) const {
    for (std::vector<std::string> open; !(open = units()).empty();) {
      std::string list = open[0];
      for (std::size_t i = 1; i < open.size(); ++i) list += "," + open[i];
      REQUIRE(part(list, options).exit == 0);
    }
  }
  std::string joined() const { return read(place.path() / "joined"); }
  Finished join(const std::string& options = "") const {
    return run(wmi + " join " + job + " --certificate " + proof + " " + options);
  }
};

TEST_CASE("the certificate of a job is that of one process, byte for byte") {
  for (const char* name : {"certified_product", "density_of_forms", "free_booleans", "gap",
                           "two_weights_relu", "undefined", "echoes"}) {
    CAPTURE(name);
    const ProofJob job((source_directory() / "tests/golden" / (std::string(name) + ".smt2")));
    job.solve_all("--budget 0.002 --into 2");
    const Finished joined = job.join("--json --recheck 3");
    const Finished whole =
        run(wmi + " " + job.file + " --json --threads 1 --certificate " + job.whole);
    CHECK(joined.output == whole.output);
    CHECK(joined.errors == whole.errors);
    CHECK(joined.exit == whole.exit);
    CHECK(job.joined() == read(job.place.path() / "whole"));
    CHECK(job.joined().size() > 20);
    CHECK(run(checker + " " + job.file + " " + job.proof).exit == 0);
  }
}

TEST_CASE("a part of a proof hands back what its budget does not suffice for") {
  const ProofJob job((source_directory() / "docs/examples/relu.smt2").string(), "1");
  const std::vector<std::string> units = job.units();
  REQUIRE(!units.empty());
  REQUIRE(job.part(units[0], "--budget 0.000001 --into 3").exit == 0);
  CHECK(job.units().size() >= units.size() + 2);
  job.solve_all("--budget 0.000001");
  CHECK(job.join("--recheck 100").exit == 0);
  run(wmi + " " + job.file + " --certificate " + job.whole);
  CHECK(job.joined() == read(job.place.path() / "whole"));
}

TEST_CASE("a product behind a leaf is a unit, and the leaf stays in its parent") {
  // Where the second query's atom is false, the rest decomposes; a leaf comes before that.
  const TemporaryDirectory place;
  place.file("problem.smt2",
             "(declare-const x Real) (declare-const y Real) (declare-const b Bool)\n"
             "(declare-const c Bool)\n(assert (and (<= 0 x) (<= x 3) (<= (- 2) y) (<= y 0)))\n"
             "(weight true (+ (* (- (/ 3 2)) y) 1))\n(get-wmi (and (<= (+ y (- (/ 3 2))) 0) b))\n"
             "(get-wmi (= b (< (+ x (* (- 1) y) 4) 0)))\n(get-wmi)\n");
  for (const char* parts : {"1", "2", "4", "8", "20"}) {
    CAPTURE(parts);
    const ProofJob job((place.path() / "problem.smt2").string(), parts);
    job.solve_all("--budget 0.000001");
    CHECK(job.join("--recheck 100").exit == 0);
    run(wmi + " " + job.file + " --certificate " + job.whole);
    CHECK(job.joined() == read(job.place.path() / "whole"));
    CHECK(run(checker + " " + job.file + " " + job.proof).exit == 0);
  }
}

TEST_CASE("with open units it proves bounds") {
  const ProofJob job((source_directory() / "docs/examples/relu.smt2").string(), "8");
  CHECK(job.join().exit == 3);
  const std::vector<std::string> units = job.units();
  REQUIRE(units.size() > 4);
  for (std::size_t i = 0; i < units.size(); i += 2) REQUIRE(job.part(units[i]).exit == 0);
  const Finished joined = job.join("--allow-open");
  CHECK(joined.exit == 3);
  const Finished accepted = run(checker + " " + job.file + " " + job.proof);
  CAPTURE(accepted.errors);
  CHECK(accepted.exit == 0);
  CHECK(accepted.output.find("at least") != std::string::npos);
  CHECK(accepted.output.find("left open") != std::string::npos);
}

TEST_CASE("a proof that is lost, cut off or changed is named, and its unit is solved again") {
  const ProofJob job((source_directory() / "docs/examples/relu.smt2").string());
  job.solve_all("");
  REQUIRE(job.join().exit == 0);
  const std::string good = job.joined();
  std::vector<fs::path> proofs;
  for (const fs::directory_entry& entry : fs::directory_iterator(job.place.path() / "job/proof"))
    proofs.push_back(entry.path());
  REQUIRE(proofs.size() > 3);
  const std::string bytes = read(proofs[0]);

  const auto mended = [&](const std::string& what) {
    const Finished found = job.join();
    CAPTURE(found.errors);
    CHECK(found.exit == 1);
    CHECK(found.errors.find(proofs[0].filename().string()) != std::string::npos);
    CHECK(found.errors.find(what) != std::string::npos);
    fs::remove(proofs[0]);
    CHECK_FALSE(job.units().empty());
    job.solve_all("");
    REQUIRE(job.join().exit == 0);
    CHECK(job.joined() == good);
  };
  fs::remove(proofs[0]);
  mended("missing");
  std::ofstream(proofs[0], std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  mended("damaged");
  std::string changed = bytes;
  changed[bytes.size() / 2] ^= 1;
  std::ofstream(proofs[0], std::ios::binary) << changed;
  mended("its digest does not match");
}

TEST_CASE("what has no proof, and a job without proofs, are refused") {
  const TemporaryDirectory place;
  place.file("law.smt2", "(declare-const x Real)(assert (<= 0 x 1))(get-distribution x)");
  const std::string split = wmi + " split " + (place / "law.smt2") + " --out " + (place / "job");
  CHECK(run(split + " --proof").errors.find("cannot be certified") != std::string::npos);
  CHECK(run(split + " --proof --digits 5").exit == 2);
  CHECK(run(split + " --proof --enumerator z3").exit == 2);
  REQUIRE(run(split).exit == 0);
  CHECK(run(wmi + " join " + (place / "job") + " --certificate " + (place / "proof")).exit == 2);
  CHECK_FALSE(fs::exists(place.path() / "proof"));
}

}  // namespace
}  // namespace wmi::tests
