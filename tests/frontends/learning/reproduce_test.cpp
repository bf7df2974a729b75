// The published experiments: what they leave, that they go on, and the claims they assert.

#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "frontends/learning/experiments/experiment.h"
#include "frontends/learning/experiments/uci.h"
#include "solver/terms/error.h"
#include "tests/frontends/program.h"
#include "tests/markup.h"
#include "tests/skipped.h"
#include "tests/source_directory.h"

using namespace wmi::frontends;

namespace {

namespace fs = std::filesystem;

}  // namespace

TEST_CASE("the document of results is made of the recorded sections") {
  const TemporaryDirectory scratch;
  const fs::path docs = source_directory() / "docs";
  fs::copy(docs / "results", scratch.path() / "results");
  CHECK(ciber("reproduce warm-up --out " + (scratch / "results") + " --document " +
              (scratch / "results.md"))
            .exit == 0);
  CHECK(contents(scratch.path() / "results.md") == contents(docs / "results.md"));
}

TEST_CASE("experiments without data write files and a document, and are not run twice") {
  const TemporaryDirectory scratch;
  const std::string words = "reproduce warm-up sigmoid --quick --out ";
  const Finished first = ciber(words + (scratch / "one") + " --threads 2");
  CHECK(first.exit == 0);
  CHECK(count(first.output, "  holds: ") == 3);
  CHECK(count(first.output, "does not hold") == 0);
  // The exact figures of the worked example.
  const std::string table = contents(scratch.path() / "one/warm-up.csv");
  for (const char* const figure :
       {"445/1728", "415/1587", "4141000/15828627", "1840/7203", "0.257417797946", "3/4"})
    CHECK(table.find(figure) != std::string::npos);
  const Finished other = ciber(words + (scratch / "two") + " --threads 1");
  for (const char* const file : {"warm-up.csv", "warm-up.svg", "sigmoid.csv", "sigmoid.svg"})
    CHECK(contents(scratch.path("one/") + file) == contents(scratch.path("two/") + file));

  const Finished again = ciber(words + (scratch / "one") + " --document " + (scratch / "all.md"));
  CHECK(again.exit == 0);
  CHECK(again.output.empty());
  CHECK(count(again.errors, "is done already") == 2);
  const std::string document = contents(scratch.path() / "all.md");
  CHECK(document.find("## warm-up: ") < document.find("## sigmoid: "));
  CHECK(document.find("](one/warm-up.svg)") != std::string::npos);
  CHECK(document.find("<!--") == std::string::npos);
  // Another seed is another experiment.
  const Finished seeded = ciber("reproduce sigmoid --quick --seed 2 --out " + (scratch / "one"));
  CHECK(seeded.output.find("sigmoid (") != std::string::npos);
}

TEST_CASE("mistakes in arguments of reproduce are reported in one line") {
  const TemporaryDirectory scratch;
  const auto refusal = [&](const std::string& words) {
    const Finished found = ciber("reproduce " + words + " --out " + (scratch / "out"));
    CHECK(found.exit != 0);
    return found.errors;
  };
  CHECK(refusal("").starts_with("ciber: reproduce: name an experiment: all or warm-up, linear"));
  CHECK(refusal("figures").starts_with("ciber: reproduce: no 'figures'; choose all or warm-up"));
  CHECK(refusal("uci-small") == "ciber: --data: uci-small needs the folder of data sets\n");
  const std::string missing = refusal("uci-small --quick --data " + (scratch / "nowhere"));
  CHECK(missing.find("there is no data.txt") != std::string::npos);
  CHECK(count(missing, "\n") == 1);
}

TEST_CASE("the sets and splits of an experiment can be fewer") {
  Conditions conditions;
  conditions.sets = {"energy", "boston"};
  conditions.splits = 2;
  const std::vector<UciSet> sets = small_sets(conditions);
  REQUIRE(sets.size() == 2);
  CHECK(sets[0].name == "boston");
  CHECK(sets[1].name == "energy");
  CHECK(sets[1].splits == 2);
  conditions.sets = {"pol"};
  CHECK_THROWS_WITH_AS(small_sets(conditions),
                       "--sets: no set 'pol'; choose of boston, concrete, yacht, naval, energy",
                       wmi::Error);
}

TEST_CASE("the claims of all experiments hold in their quick form") {
  const std::optional<fs::path> small = data_folder("uci_small");
  if (!small) return;
  const fs::path data = small->parent_path();
  const TemporaryDirectory scratch;
  const Finished found =
      ciber("reproduce all --quick --seed 5 --data " + quoted(data.string()) + " --out " +
            (scratch / "out") + " --document " + (scratch / "results.md"));
  CHECK_MESSAGE(found.exit == 0, found.output, found.errors);
  const std::string document = contents(scratch.path() / "results.md");
  for (const ExperimentEntry& entry : experiments())
    CHECK(document.find("## " + std::string(entry.name) + ": ") != std::string::npos);
  CHECK(document.find("nan") == std::string::npos);
  CHECK(document.find("inf ") == std::string::npos);
}
