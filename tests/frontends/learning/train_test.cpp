#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "frontends/data/run_directory.h"
#include "tests/frontends/program.h"

using namespace wmi::frontends;

namespace {

namespace fs = std::filesystem;

/// A directory with a table of 40 rows.
struct Scratch : TemporaryDirectory {
  Scratch() {
    std::ofstream data(path("data.csv"));
    data << "x,colour,y\n";
    for (int i = 0; i < 40; ++i)
      data << i % 13 << "," << (i % 3 == 0 ? "red" : "blue") << "," << i % 13 + (i * 7) % 5 << "\n";
  }
};

/// Every file of a directory, by name.
std::map<std::string, std::string> everything(const fs::path& directory) {
  std::map<std::string, std::string> result;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file())
      result[fs::relative(entry.path(), directory)] = contents(entry.path());
  return result;
}

}  // namespace

TEST_CASE("more weights than the cap, and columns with two periods, are refused") {
  const Scratch scratch;
  const auto refused = [&](const std::string& options) {
    const Finished finished =
        ciber("train " + (scratch / "data.csv") + " --target y --out " + (scratch / "run") +
              " --search no --epochs 1 --samples 1 " + options);
    CHECK(finished.exit == 2);
    return finished.errors;
  };
  CHECK(refused("--hidden 100000000") ==
        "ciber: --hidden: more than 20000000 weights; take fewer units, or --cap tensors=N\n");
  CHECK(refused("--hidden 30 --cap tensors=100") ==
        "ciber: --hidden: more than 100 weights; take fewer units, or --cap tensors=N\n");
  CHECK(refused("--periods x=13,x=26") ==
        "ciber: --periods: 'x=26' names a column that has a period already\n");
}

TEST_CASE("a diverged training is not called complete") {
  const Scratch scratch;
  const Finished finished =
      ciber("train " + (scratch / "data.csv") +
            " --target y --hidden 5 --epochs 20 --samples 3 --every 1 --rate 1000 --out " +
            (scratch / "run"));
  CHECK(finished.exit == 1);
  CHECK(contains(finished.errors, "the training has diverged: the log likelihood of its own rows"));
  CHECK(!contains(finished.output, "complete"));
  // Nor is it taken for a run afterwards.
  const auto refusal = [&](const std::string& words, int exit) {
    const Finished found = ciber(words);
    CHECK(found.exit == exit);
    CHECK(found.output.empty());
    return found.errors;
  };
  const std::string run = scratch / "run", data = scratch / "data.csv";
  for (const std::string& words :
       {"train --resume --out " + run, "predict " + run + " " + data, "report " + run,
        "sample " + run, "evaluate " + run + " --data " + data})
    CHECK(contains(refusal(words, 1), "run: the training has diverged: the log likelihood"));
  CHECK(contains(refusal("train " + data + " --target y --out " + run, 2),
                 "holds a run already, whose training has failed; remove it"));
}

TEST_CASE("encoded inputs are part of the network, and certified predictions know them") {
  const Scratch scratch;
  const std::string run = scratch / "run";
  const Finished trained =
      ciber("train " + (scratch / "data.csv") +
            " --target y --bins 3 --hidden 4 --epochs 200 --samples 2 --every 1"
            " --trajectories 2 --rate 0.003 --weight-decay 0"
            " --likelihood heteroscedastic --out " +
            run);
  CHECK(trained.errors == "");
  REQUIRE(trained.exit == 0);
  const Run made = read_run(scratch.path("run"));
  CHECK(made.network.layers[0].name == "bins");
  CHECK(made.network.layers[1].name == "scale");
  const std::string line = "predict " + run + " " + (scratch / "data.csv");
  const Finished fast = ciber(line), certified = ciber(line + " --digits 6 --forward exact");
  REQUIRE(fast.exit == 0);
  REQUIRE(certified.exit == 0);
  // The mean of the first row, in floats and exactly.
  const auto first = [](const std::string& text) {
    std::istringstream lines(text);
    std::string each;
    std::getline(lines, each);
    std::getline(lines, each);
    return std::stod(each.substr(each.find(',') + 1));
  };
  CHECK(first(fast.output) == doctest::Approx(first(certified.output)).epsilon(1e-4));
  CHECK(ciber("train " + (scratch / "data.csv") + " --target y --bins 3 --network x.safetensors" +
              " --out " + (scratch / "other"))
            .exit == 2);
}

TEST_CASE("drawn hidden weights learn a smooth function, the same for any threads and by parts") {
  const Scratch scratch;
  std::ofstream data(scratch.path("smooth.csv"));
  data << "x,y\n";
  for (int i = 0; i < 90; ++i) data << 0.05 * i << "," << std::sin(0.05 * i) << "\n";
  data.close();
  const std::string line =
      "train " + (scratch / "smooth.csv") + " --target y --hidden-weights drawn --hidden 30 --out ";
  const Finished trained = ciber(line + (scratch / "one") + " --threads 1");
  CHECK(trained.errors == "");
  REQUIRE(trained.exit == 0);
  CHECK(contains(trained.output, "\n  bins 0; homoscedastic\n"));
  CHECK(contains(trained.output, "lambda 1"));
  REQUIRE(ciber(line + (scratch / "two") + " --threads 2").exit == 0);
  CHECK(everything(scratch.path("one")) == everything(scratch.path("two")));
  const Run made = read_run(scratch.path("one"));
  CHECK(made.samples.size() == made.samples.back().trajectory + 1);  // one of each
  REQUIRE(made.predictive);
  CHECK(made.predictive->lambda == 1);
  CHECK(!made.predictive->at_sample);
  // At 2.22 the sine is 0.79657.
  const std::string ask = "predict " + (scratch / "one") + " --posterior conditional --input 2.22";
  const Finished fast = ciber(ask), certified = ciber(ask + " --digits 6");
  REQUIRE(fast.exit == 0);
  REQUIRE(certified.exit == 0);
  const auto mean = [](const Finished& found) {
    return std::stod(found.output.substr(found.output.find("mean") + 5));
  };
  CHECK(mean(fast) == doctest::Approx(0.79657).epsilon(1e-3));
  CHECK(mean(certified) == doctest::Approx(mean(fast)).epsilon(1e-6));
  CHECK(ciber("report " + (scratch / "one") + " --out -").exit == 0);
  CHECK(ciber("explain " + (scratch / "one") + " --row 3").exit == 0);
  const Finished compared =
      ciber("evaluate " + (scratch / "one") + " --data " + (scratch / "smooth.csv"));
  CHECK(compared.exit == 0);
  CHECK(contains(compared.errors, "swag: left out; a trajectory has a single sample"));
  // The same by a training that was killed after some of the trajectories.
  Run killed = made;
  killed.path = scratch.path("two");
  killed.complete = false;
  killed.samples.resize(2);
  killed.predictive.reset();
  write_run(killed);
  REQUIRE(ciber("train --resume --out " + (scratch / "two")).exit == 0);
  CHECK(everything(scratch.path("one")) == everything(scratch.path("two")));
  CHECK(ciber("train " + (scratch / "data.csv") + " --target colour --hidden-weights drawn --out " +
              (scratch / "no"))
            .exit == 2);
}

TEST_CASE("a transformed target is learned, and predicted in its own units") {
  const Scratch scratch;
  std::ofstream data(scratch.path("sizes.csv"));
  data << "x,y,z\n";
  for (int i = 0; i < 60; ++i) data << i % 13 << "," << std::exp(i % 13 + 0.1 * (i % 3)) << ",0\n";
  data.close();
  const std::string train = "train " + (scratch / "sizes.csv") + " --target y --ignore z " +
                            "--target-transform log --hidden 4 --epochs 60 --samples 2 --every 1 " +
                            "--trajectories 2 --rate 0.01 --bins 0 --out ";
  REQUIRE(ciber(train + (scratch / "run")).exit == 0);
  const Run made = read_run(scratch.path("run"));
  CHECK(made.standardisation.target_transform == wmi::bnn::TargetTransform::log);
  CHECK(made.standardisation.target_mean < 10);  // of logarithms
  const std::string line = "predict " + (scratch / "run") + " --input 4";
  const Finished found = ciber(line + " --above 0");
  REQUIRE(found.exit == 0);
  CHECK(contains(found.output, "its log has the law"));
  CHECK(std::stod(found.output.substr(found.output.find("low_0.95") + 8)) > 0);
  CHECK(std::stod(found.output.substr(found.output.find("above") + 5)) == 1);
  const Finished certified = ciber(line + " --above 100 --at 50 --digits 5 --json");
  REQUIRE(certified.exit == 0);
  for (const char* const each : {"mean", "deviation", "low_0.9", "above", "density", "log_density"})
    CHECK(contains(certified.output, "\"" + std::string(each) + "\":{"));
  CHECK(contains(ciber(line + " --via wmi --likelihood triangular").errors, "without a transform"));
  CHECK(ciber("report " + (scratch / "run") + " --out -").exit == 0);
  CHECK(ciber("evaluate " + (scratch / "run") + " --data " + (scratch / "sizes.csv")).exit == 0);
  const Finished zeros = ciber("train " + (scratch / "sizes.csv") +
                               " --target x --target-transform log --out " + (scratch / "zeros"));
  CHECK(zeros.exit == 1);
  CHECK(contains(zeros.errors, "' has no transform 'log'"));
  // Wherever the row is: learnt from, validated on or set aside.
  for (const int place : {2, 11, 17, 25, 38}) {
    CAPTURE(place);
    std::string text = "x,y\n";
    for (int i = 0; i < 40; ++i)
      text += std::to_string(i) + "," + (i == place ? "0" : std::to_string(1 + i)) + "\n";
    const std::string out = scratch / ("none" + std::to_string(place));
    std::ofstream(scratch.path() / "one.csv") << text;
    const Finished refused =
        ciber("train " + (scratch / "one.csv") +
              " --target y --target-transform log --conformal 0.2 --out " + out);
    CHECK(refused.exit == 1);
    CHECK(contains(refused.errors, "one.csv:" + std::to_string(place + 2) +
                                       ": column 'y': '0' has no transform 'log'"));
  }
}

TEST_CASE("noise with heavy tails is learned, chosen and certified") {
  const Scratch scratch;
  std::ofstream(scratch.path("tails.csv")) << [] {
    std::string text = "x,y\n";
    for (int i = 0; i < 80; ++i)
      text += std::to_string(i % 16) + "," +
              std::to_string(i % 16 + (i % 9 == 0 ? 40 - i : i % 3)) + "\n";
    return text;
  }();
  for (const std::string tails : {"student", "two-scale"}) {
    CAPTURE(tails);
    const std::string run = scratch / (tails + ".run");
    const Finished trained =
        ciber("train " + (scratch / "tails.csv") + " --target y --bins 0 --hidden 4 --epochs 30" +
              " --samples 2 --every 1 --trajectories 2 --rate 0.01 --weight-decay 0" +
              " --likelihood homoscedastic --tails " + tails + " --out " + run);
    REQUIRE(trained.exit == 0);
    const Run made = read_run(scratch.path(tails + ".run"));
    CHECK(wmi::bnn::name(made.observation.tails.kind) == tails);
    REQUIRE(made.predictive);
    CHECK((made.predictive->freedom > 2) == (tails == "student"));
    CHECK((made.predictive->outliers > 0) == (tails == "two-scale"));
    const std::string rows = run + " " + (scratch / "tails.csv") + " --intervals 0.9 --json";
    const Finished fast = ciber("predict " + rows),
                   certified = ciber("predict " + rows + " --digits 6");
    CHECK(fast.exit == 0);
    CHECK(certified.exit == 0);
    CHECK(contains(fast.output, tails == "student" ? "likelihood: Student's law of " : "noise: "));
    CHECK(ciber("report " + run + " --out " + (scratch / (tails + ".html"))).exit == 0);
    CHECK(contains(contents(scratch.path(tails + ".html")),
                   tails == "student" ? "Student's law of" : "times as wide"));
    CHECK(ciber("explain " + run + " --row 3").exit == 0);
    CHECK(ciber("evaluate " + run + " --data " + (scratch / "tails.csv")).exit == 0);
    const Finished boxes = ciber("predict " + rows + " --posterior moment --partition last");
    CHECK(boxes.exit == (tails == "student" ? 1 : 0));
  }
  CHECK(contains(ciber("train " + (scratch / "tails.csv") + " --target y --tails student" +
                       " --target-transform asinh --out " + (scratch / "no.run"))
                     .errors,
                 "has no mean under Student's law"));
  CHECK(contains(ciber("train " + (scratch / "tails.csv") + " --target y --freedom 3 --out " +
                       (scratch / "no.run"))
                     .errors,
                 "--freedom: goes with --tails student"));
}

TEST_CASE("rows count by their weights, of which only the ratios matter") {
  const Scratch scratch;
  std::ofstream data(scratch.path("weighed.csv"));
  data << "x,two,kind,rare\n";
  for (int i = 0; i < 60; ++i)
    data << i % 13 << ",2," << (i % 6 == 0 ? "red" : "blue") << "," << (i % 6 == 0 ? 8 : 1) << "\n";
  data.close();
  const auto train = [&](const std::string& options, const std::string& run) {
    const Finished found =
        ciber("train " + (scratch / "weighed.csv") + " --target kind --hidden 4 --epochs 60 " +
              "--samples 2 --every 1 --trajectories 2 --rate 0.01 --bins 0 " + options + " --out " +
              (scratch / run));
    CHECK(found.exit == 0);
    return read_sample(read_run(scratch.path(run)), 0);
  };
  const auto plain = train("--ignore two,rare", "plain");
  CHECK(train("--row-weights two --ignore rare", "alike") == plain);
  CHECK(train("--row-weights rare --ignore two", "weighed") != plain);
  CHECK(read_run(scratch.path("alike")).schema.features.size() == 1);
  CHECK(read_training_rows(read_run(scratch.path("weighed")))->weights.size() == 60);
  train("--class-weights red=8 --ignore two,rare", "classes");
  // The same weights, by a column or by class.
  CHECK(read_training_rows(read_run(scratch.path("weighed")))->weights ==
        read_training_rows(read_run(scratch.path("classes")))->weights);
  const auto red = [&](const std::string& run) {
    const Finished found = ciber("predict " + (scratch / run) + " --input 5 --recalibrate no");
    return std::stod(found.output.substr(found.output.find("p_red") + 5));
  };
  CHECK(red("classes") > red("plain") + 0.1);
  CHECK(ciber("train " + (scratch / "weighed.csv") +
              " --target two --class-weights balanced --out " + (scratch / "none"))
            .exit != 0);
}

TEST_CASE("samples that hardly differ are warned of, unless validation rows chose their rate") {
  const Scratch scratch;
  const auto errors = [&](const std::string& options) {
    const Finished finished = ciber("train " + (scratch / "data.csv") +
                                    " --target y --hidden 5 --epochs 20 --samples 3 " +
                                    "--every 1 --out " + (scratch / "run") + options);
    CHECK(finished.exit == 0);
    fs::remove_all(scratch.path() / "run");
    return finished.errors;
  };
  CHECK(contains(errors(" --search no --sampling-rate 1e-9 --trajectories 1"),
                 "a larger --sampling-rate, or several --trajectories, would help"));
  CHECK(!contains(errors(" --trajectories 1"), "--sampling-rate"));
}

TEST_CASE("ciber train writes the same run directory each time") {
  const Scratch scratch;
  const std::string words =
      "train " + (scratch / "data.csv") +
      " --target y --hidden 5 --epochs 30 --samples 3 --every 1 --trajectories 2 --out ";
  const Finished first = ciber(words + (scratch / "one"));
  CHECK(first.errors == "");
  REQUIRE(first.exit == 0);
  CHECK(first.output.starts_with("40 rows, 3 inputs; 6 samples of 2 trajectories at the rate 0."));
  CHECK(first.output.find("\nChosen by the log likelihood of 8 validation rows, in") !=
        std::string::npos);
  CHECK(first.output.find("\nPredictions, by 16 validation rows of 2 parts:\n") !=
        std::string::npos);
  CHECK(contents(scratch.path() / "one" / "choices.txt")
            .find("\nCandidates:\n  bins 0; rate 0.003; ") != std::string::npos);
  CHECK(contents(scratch.path() / "one" / "search.csv").find("\n01-1,bins 0; rate 0.003; ") !=
        std::string::npos);
  const Run made = read_run(scratch.path() / "one");
  CHECK(made.complete);
  REQUIRE(made.samples.size() == 6);
  CHECK(made.samples[3].trajectory == 1);
  CHECK(read_sample(made, 5) != read_sample(made, 2));
  CHECK(read_training_rows(made)->rows() == 40);
  CHECK(contents(scratch.path() / "one" / "metrics.csv")
            .starts_with("trajectory,epoch,phase,rate,loss,validation\n0,1,train,"));
  CHECK(made.predictive);
  CHECK(!fs::exists(scratch.path() / "one" / "checkpoints"));
  REQUIRE(ciber(words + (scratch / "two") + " --threads 1").exit == 0);
  CHECK(everything(scratch.path() / "one") == everything(scratch.path() / "two"));

  const Finished again = ciber(words + (scratch / "one"));
  CHECK(again.exit == 2);
  CHECK(again.errors.find("holds a run already; give another name, or remove it") !=
        std::string::npos);
}

TEST_CASE("a killed training resumes to the same bytes") {
  const Scratch scratch;
  const std::string words = " --target y --hidden 20 --epochs 200 --out ";
  const std::string start = "train " + (scratch / "data.csv") + words;
  REQUIRE(ciber(start + (scratch / "whole")).exit == 0);
  for (const std::string signal : {"INT", "KILL"}) {
    CAPTURE(signal);
    const std::string out = scratch / signal;
    // Once the first file is there, a signal; it may come late, then there is nothing to resume.
    ciber(start + out + " & p=$!; until [ -e " + out + "/run.json ]; do sleep 0.01; done; " +
          "sleep 0.1; kill -" + signal + " $p; wait $p");
    if (!read_run(scratch.path() / signal).complete) {
      const Finished refused = ciber(start + out);
      CHECK(refused.errors.find("unfinished; --resume goes on with it") != std::string::npos);
      const Finished other = ciber("train --resume --epochs 7 --out " + out);
      CHECK(other.errors.find("--epochs: the run was started with 200") != std::string::npos);
    }
    const Finished resumed = ciber("train --resume --out " + out);
    CHECK(resumed.exit == 0);
    CHECK(everything(scratch.path() / signal) == everything(scratch.path() / "whole"));
  }
  // Killed when the run was complete, and before its checkpoints were removed.
  fs::create_directory(scratch.path() / "KILL" / "checkpoints");
  fs::copy_file(scratch.path() / "KILL" / "run.json",
                scratch.path() / "KILL" / "checkpoints" / "000.safetensors");
  CHECK(ciber("train --resume --out " + scratch / "KILL").exit == 0);
  CHECK(everything(scratch.path() / "KILL") == everything(scratch.path() / "whole"));
}

TEST_CASE("a run is not resumed with other data") {
  const Scratch scratch;
  const std::string out = scratch / "run";
  REQUIRE(ciber("train " + (scratch / "data.csv") +
                " --target y --search no --epochs 1 --samples 2 --every 1 --out " + out)
              .exit == 0);
  const fs::path file = scratch.path() / "run" / "run.json";
  std::string text = contents(file);
  text.replace(text.find("\"complete\": true"), 16, "\"complete\": false");
  std::ofstream(file) << text;
  // The data may have moved; then it is named.
  fs::rename(scratch.path() / "data.csv", scratch.path() / "moved.csv");
  const Finished lost = ciber("train --resume --out " + out);
  CHECK(lost.exit == 1);
  CHECK(lost.errors.find("data.csv") != std::string::npos);
  CHECK(ciber("train " + (scratch / "moved.csv") + " --resume --out " + out).exit == 0);
  std::string found = contents(file);
  CHECK(found.replace(found.find("\"complete\": true"), 16, "\"complete\": false") == text);

  std::ofstream(file) << text;
  fs::rename(scratch.path() / "moved.csv", scratch.path() / "data.csv");
  std::ofstream(scratch.path() / "data.csv", std::ios::app) << "1,red,2\n";
  const Finished finished = ciber("train --resume --out " + out);
  CHECK(finished.exit == 1);
  CHECK(finished.errors.find("started with other data") != std::string::npos);
}

TEST_CASE("bad input is named, and no run directory is left") {
  const Scratch scratch;
  const std::string out = scratch / "run";
  const auto refusal = [&](const std::string& words) {
    const Finished finished = ciber("train " + words + " --out " + out);
    CHECK(finished.exit != 0);
    CHECK(!fs::exists(scratch.path() / "run"));
    return finished.errors;
  };
  const std::string data = scratch / "data.csv";
  CHECK(refusal(data) == "ciber: --target: name the column to predict\n");
  CHECK(refusal("--target y") == "ciber: give the file of the data: ciber train DATA.csv ...\n");
  CHECK(refusal(data + " --target z").find("there is no column 'z'") != std::string::npos);
  CHECK(refusal(data + " --target y --likelihood softmax") ==
        "ciber: --likelihood: softmax is for classes; see --task\n");
  CHECK(refusal(data + " --target y --activation cube").find("no activation 'cube'") !=
        std::string::npos);
  CHECK(refusal(data + " --target y --every 5x").find("such as 50steps") != std::string::npos);
  CHECK(refusal(data + " --target y --validation 0")
            .find("--validation: 0 of 40 rows are too few to choose by") != std::string::npos);
  const std::string large = scratch / "large.csv";
  std::ofstream(scratch.path() / "large.csv") << "x,y\n1e308,2\n-1e308,3\n3,1\n4,0\n";
  CHECK(refusal(large + " --target y --search no")
            .starts_with("ciber: column 'x': its numbers are too large or too small"));
}

TEST_CASE("a target of words is a classification") {
  const Scratch scratch;
  const std::string out = scratch / "classes";
  REQUIRE(ciber("train " + (scratch / "data.csv") +
                " --target colour --epochs 3 --samples 2 --every 1 --sampling-rate 0.01 --out " +
                out)
              .exit == 0);
  const Run made = read_run(scratch.path() / "classes");
  CHECK(made.schema.classes == std::vector<std::string>{"blue", "red"});
  CHECK(made.observation.kind == wmi::bnn::Observation::Kind::sigmoid);
}
