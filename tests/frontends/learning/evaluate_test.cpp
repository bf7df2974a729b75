#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bnn/training/methods.h"
#include "bnn/training/recipes.h"
#include "solver/terms/error.h"
#include "tests/frontends/program.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

namespace fs = std::filesystem;

/// A data set of 40 rows with three splits, and room for results.
struct Scratch : TemporaryDirectory {
  Scratch() {
    const fs::path path = TemporaryDirectory::path();
    fs::create_directories(path / "data");
    std::ofstream data(path / "data/data.txt");
    for (int i = 0; i < 40; ++i)
      data << i % 7 << " " << i % 5 << " " << i % 7 + 0.1 * (i % 5) << "\n";
    std::ofstream(path / "data/index_features.txt") << "0\n1\n";
    std::ofstream(path / "data/index_target.txt") << "2\n";
    for (int split = 0; split < 3; ++split) {
      std::ofstream test(path / ("data/index_test_" + std::to_string(split) + ".txt"));
      for (int i = 0; i < 5; ++i) test << split + 7 * i << "\n";
    }
  }
};

}  // namespace

TEST_CASE("an evaluation does not mix its files with those of a run") {
  const Scratch scratch;
  std::ofstream(scratch.path("table.csv")) << "x,y\n1,2\n2,3\n3,5\n4,7\n";
  fs::create_directory(scratch.path("a.run"));
  std::ofstream(scratch.path("a.run/run.json")) << "{}";
  const Finished finished = ciber("evaluate " + (scratch / "table.csv") +
                                  " --target y --rivals no --folds 2 --out " + (scratch / "a.run"));
  CHECK(finished.exit == 2);
  CHECK(finished.errors ==
        "ciber: --out: " + scratch.path("a.run") + " holds a run; name another directory\n");
}

TEST_CASE("an interrupted evaluation resumes to the same results") {
  const Scratch scratch;
  for (const char* const recipe : {"boston", "yacht"}) {  // without validation rows, and with some
    CAPTURE(recipe);
    const std::string name = recipe;
    const std::string words = "evaluate " + (scratch / "data") + " --recipe " + name +
                              " --epochs 6 --samples 4 --trajectories 2 --hidden 5 --out ";
    const Finished whole = ciber(words + (scratch / (name + "_whole")) + " --threads 2");
    CHECK(whole.errors == "");
    REQUIRE(whole.exit == 0);
    const Finished first = ciber(words + (scratch / (name + "_parts")) + " --splits 1");
    CHECK(first.exit == 0);
    // Of more splits than are asked for, the first count.
    CHECK(ciber(words + (scratch / (name + "_whole")) + " --splits 1").output == first.output);
    const Finished rest = ciber(words + (scratch / (name + "_parts")) + " --threads 1");
    CHECK(rest.errors == "ciber: 1 of 3 splits are done already\n");
    CHECK(rest.output == whole.output);
    CHECK(contents(scratch.path(name + "_parts/results.csv")) ==
          contents(scratch.path(name + "_whole/results.csv")));
    // A line for each method that is compared as a rule, all of them finite.
    for (const bnn::ComparedMethod& method : bnn::methods())
      CHECK((whole.output.find("\n" + std::string(method.name) + " ") != std::string::npos) ==
            method.standard);
    CHECK(whole.output.find("nan") == std::string::npos);
  }
  // Results of one recipe are not mixed with those of another.
  const Finished other = ciber("evaluate " + (scratch / "data") + " --recipe boston --out " +
                               (scratch / "yacht_whole"));
  CHECK(other.exit == 1);
  CHECK(other.errors.find("holds the results of something else") != std::string::npos);
}

TEST_CASE("a signal stops an evaluation, with a message how to resume") {
  const Scratch scratch;
  // Only once it is at work: loading takes long on a busy machine.
  const Finished found =
      ciber("evaluate " + (scratch / "data") + " --recipe boston --epochs 100000000 --out " +
            (scratch / "long") + " & until [ -e " + (scratch / "long") +
            " ]; do sleep 0.1; done; sleep 2; kill $!; wait $!");
  CHECK(found.exit == 3);
  CHECK(found.errors ==
        "ciber: stopped by SIGTERM after 0 of 3 splits; the same command goes on\n");
}

TEST_CASE("mistakes in arguments of evaluate are reported in one line") {
  const Scratch scratch;
  const auto refusal = [&](const std::string& words) {
    const Finished found = ciber("evaluate " + words);
    CHECK(found.exit != 0);
    return found.errors;
  };
  CHECK(refusal((scratch / "data") + " --out x") ==
        "ciber: --recipe: needs a name: boston, concrete, energy, yacht or naval\n");
  CHECK(refusal((scratch / "data") + " --recipe boston") ==
        "ciber: --out: needs a directory for results.csv\n");
  CHECK(refusal((scratch / "data") + " --recipe bosten --out x").find("no recipe named 'bosten'") !=
        std::string::npos);
  CHECK(refusal((scratch / "data") + " --recipe boston --trajectories 1 --methods ensemble --out " +
                (scratch / "x")) == "ciber: --methods: ensemble needs several trajectories\n");
  CHECK(refusal((scratch / "data") + " --recipe boston --methods avarage --out " + (scratch / "x"))
            .find("no method named 'avarage'") != std::string::npos);
  CHECK(refusal("") ==
        "ciber: evaluate: needs one table, or one directory, a run's or one with splits\n");
}

TEST_CASE("a run is evaluated on rows that it has not seen") {
  const Scratch scratch;
  std::ofstream rows(scratch.path() / "rows.csv");
  rows << "x,y\n";
  for (int i = 0; i < 60; ++i) rows << i % 11 << "," << i % 11 + 0.3 * (i % 3) << "\n";
  rows.close();
  REQUIRE(ciber("train " + (scratch / "rows.csv") +
                " --target y --search no --hidden 5 --epochs 20 --samples 4 --every 1 "
                "--sampling-rate 0.05 --out " +
                (scratch / "run"))
              .exit == 0);
  const Finished found = ciber("evaluate " + (scratch / "run") + " --data " +
                               (scratch / "rows.csv") + " --methods average,conditional --json");
  CHECK(found.errors == "");
  CHECK(found.exit == 0);
  CHECK(found.output.starts_with("{\"method\":\"average\",\"log_likelihood\":{\"value\":"));
  CHECK(found.output.find("\"difference\":{\"value\":0,\"lower\":0,\"upper\":0}") !=
        std::string::npos);
  // Rows that cannot be read, or have no outcome, are left out.
  const std::string text = contents(scratch.path() / "rows.csv");
  std::ofstream(scratch.path() / "more.csv") << text << "w,1\n3,\n";
  const Finished more = ciber("evaluate " + (scratch / "run") + " --data " +
                              (scratch / "more.csv") + " --methods average,conditional --json");
  CHECK(more.exit == 1);
  CHECK(more.output == found.output);
  CHECK(more.errors == "ciber: " + (scratch.path() / "more.csv").string() +
                           ":62: column 'x': 'w' is no number\n"
                           "ciber: 1 of 62 rows are left out\n"
                           "ciber: 1 of 62 rows have no 'y' and are left out\n");
}

TEST_CASE("a recipe is found by its name") {
  CHECK(bnn::find_recipe("yacht").from_best);
  CHECK(bnn::find_recipe("concrete").every == 20);
  CHECK_THROWS_AS(bnn::find_recipe("mars"), Error);
}

namespace {

/// A table of 48 rows whose target is about twice x, or the class of its sign.
std::string doubled_table(bool classes) {
  std::string text = "x,colour,y\n";
  for (int i = 0; i < 48; ++i) {
    const int x = i * 7 % 48 - 24;
    text += std::to_string(x) + (i % 2 == 0 ? ",red," : ",blue,");
    text += classes ? (x < 0 ? "low" : "high") : std::to_string(2 * x + i % 3);
    text += "\n";
  }
  return text;
}

const std::string quick = " --folds 2 --hidden 3 --epochs 10 --samples 2 --trajectories 2 --json";

}  // namespace

TEST_CASE("words that a spreadsheet would compute are the same words in every fold") {
  const TemporaryDirectory scratch;
  std::string text = "x,word,y\n";
  for (int i = 0; i < 60; ++i)
    text += std::to_string(i) + (i % 2 == 0 ? ",=1+1," : ",-a,") + std::to_string(i % 7) + "\n";
  scratch.file("table.csv", text);
  const Finished finished =
      ciber("evaluate " + scratch / "table.csv" + " --target y --rivals no" + quick);
  CAPTURE(finished.errors);
  CHECK(finished.exit == 0);
  CHECK(finished.errors.find("word") == std::string::npos);  // no row has a word that is not known
}

TEST_CASE("one table is evaluated by cross-validation, each row once") {
  const TemporaryDirectory scratch;
  for (const bool classes : {false, true}) {
    CAPTURE(classes);
    scratch.file("table.csv", doubled_table(classes));
    const std::string line =
        "evaluate " + scratch / "table.csv" + " --target y --rivals no" + quick;
    const Finished finished = ciber(line);
    CHECK(finished.exit == 0);
    std::istringstream lines(finished.output);
    std::vector<nlohmann::json> rows;
    for (std::string text; std::getline(lines, text);) rows.push_back(nlohmann::json::parse(text));
    REQUIRE(rows.size() == 4);
    CHECK(rows[0]["method"] == "ciber");
    CHECK(rows[1]["method"] == "average");
    CHECK(rows[1]["difference"]["value"] == 0.0);
    // The difference is one of log likelihoods, for classes too.
    const auto log_likelihood = [&](const nlohmann::json& row) {
      return classes ? -row["nll"]["value"].get<double>()
                     : row["log_likelihood"]["value"].get<double>();
    };
    CHECK(rows[0]["difference"]["value"].get<double>() ==
          doctest::Approx(log_likelihood(rows[0]) - log_likelihood(rows[1])));
    CHECK(ciber(line + " --threads 1").output == finished.output);
  }
}

TEST_CASE("rivals of a Python forecast the same rows, and missing ones are named") {
  const TemporaryDirectory scratch;
  scratch.file("table.csv", doubled_table(false));
  // In place of a Python: a standard normal law for each row of the last argument.
  const std::string python = scratch.file(
      "python",
      "#!/bin/sh\nfor last; do :; done\n"
      "printf fake,1.5,1; while read -r line; do printf ',0,1'; done < \"$last\"; echo\n"
      "printf two,2,2; while read -r line; do printf ',0,1,0,1'; done < \"$last\"; "
      "echo\n"
      "echo 'missing,ngboost,Python has no ngboost'\n");
  fs::permissions(python, fs::perms::owner_all);
  const std::string start = "evaluate " + scratch / "table.csv" + " --target y" + quick;
  const Finished finished = ciber(start + " --python " + quoted(python));
  CHECK(finished.exit == 0);
  CHECK(contains(finished.output, "{\"method\":\"fake\","));
  CHECK(contains(finished.output, "{\"method\":\"two\","));
  // A mixture of equal laws is that law.
  const auto scores = [&](const std::string& name) {
    const std::size_t from = finished.output.find("{\"method\":\"" + name) + name.size() + 11;
    return finished.output.substr(from, finished.output.find('\n', from) - from);
  };
  CHECK(scores("two").substr(0, 60) == scores("fake").substr(0, 60));
  CHECK(contains(finished.errors, "ngboost: left out: Python has no ngboost"));
  const Finished table =
      ciber("evaluate " + scratch / "table.csv" + " --target y --folds 2 --hidden 3 --epochs 10 " +
            "--samples 2 --trajectories 1 --python " + quoted(python));
  CHECK(contains(table.output, "\nprocessor seconds: fake 3.0, two 4.0\n"));
  const Finished none = ciber(start + " --python " + scratch / "no-such-python");
  CHECK(none.exit == 1);
  CHECK(contains(none.errors, "this Python cannot be run"));
}

TEST_CASE("mistakes in an evaluation of a table are reported in one line") {
  const TemporaryDirectory scratch;
  scratch.file("table.csv", doubled_table(false));
  const std::string start = "evaluate " + scratch / "table.csv";
  CHECK(ciber(start).errors == "ciber: --target: name the column to predict\n");
  CHECK(contains(ciber(start + " --target z").errors, "there is no column 'z'"));
  CHECK(ciber(start + " --target y --methods average").exit == 2);
  CHECK(ciber(start + " --target y --folds 49").exit == 2);
}
