#include "frontends/data/run_directory.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "bnn/training/mlp.h"
#include "bnn/training/model.h"
#include "bnn/training/parameters.h"
#include "solver/terms/error.h"
#include "tests/process.h"
#include "tests/temporary_directory.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

namespace fs = std::filesystem;

Run small_run(const fs::path& path) {
  Run run;
  run.path = path;
  run.network = bnn::mlp(3, {4}, 2);
  run.schema = {{{"size", {}}, {"colour", {"blue", "red"}}}, "price", {}};
  run.standardisation = {{0.1, 0, 1.0 / 3}, {1, 2, 3e-7}, -5, 2};
  run.data_hash = "sha256:00";
  run.seed = 18'446'744'073'709'551'615u;
  run.recipe = "{\"epochs\": \"3\"}";
  run.observation.tails = {bnn::Tails::Kind::student, 3.5};
  return run;
}

std::string refusal(const fs::path& path, std::size_t sample = 0) {
  try {
    const Run run = read_run(path);
    read_sample(run, sample);
    read_training_rows(run);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a written run is read back") {
  const TemporaryDirectory scratch;
  Run run = small_run(scratch.path() / "run");
  const bnn::Weights weights =
      bnn::initial_weights(bnn::weights_of(run.network, run.observation), 1);
  add_sample(run, weights, 0);
  add_sample(run, weights, 1);
  run.predictive.emplace();
  run.predictive->lambda = 1e10;
  run.predictive->at_sample = true;
  run.standardisation.input_least = {-1, -2, -3e-7};
  run.standardisation.input_most = {1, 2.5, 1.0 / 3};
  const bnn::Dataset rows{bnn::Matrix(2, 3), {0.1, -2}};
  write_training_rows(run, rows);
  write_run(run);
  const Run read = read_run(run.path);
  CHECK(read.schema.features[1].categories == run.schema.features[1].categories);
  CHECK(read.schema.target == "price");
  CHECK(read.standardisation.input_mean == run.standardisation.input_mean);
  CHECK(read.standardisation.input_scale == run.standardisation.input_scale);
  CHECK(read.standardisation.target_mean == -5);
  CHECK(read.seed == run.seed);
  CHECK(read.observation.tails.kind == bnn::Tails::Kind::student);
  CHECK(read.observation.tails.freedom == 3.5);
  CHECK(read.recipe == "{\"epochs\":\"3\"}");
  REQUIRE(read.predictive);
  CHECK(read.predictive->lambda == 1e10);
  CHECK(read.predictive->at_sample);
  CHECK(read.samples.size() == 2);
  CHECK(read.samples[1].trajectory == 1);
  CHECK(read_sample(read, 1) == weights);
  REQUIRE(read_training_rows(read));
  CHECK(read_training_rows(read)->targets == rows.targets);
  const std::string before = contents(fs::path(run.path) / "run.json");
  write_run(read);
  CHECK(contents(fs::path(run.path) / "run.json") == before);
  // Nothing predicts with a training that has failed.
  CHECK(read_usable_run(run.path).samples.size() == 2);
  run.failure = "it has diverged";
  write_run(run);
  CHECK(read_run(run.path).failure == "it has diverged");
  CHECK_THROWS_WITH_AS(read_usable_run(run.path), (run.path + ": it has diverged").c_str(), Error);
  run.failure.clear();
  write_run(run);
  // It may be moved.
  fs::rename(run.path, scratch.path() / "elsewhere");
  CHECK(read_sample(read_run(scratch.path() / "elsewhere"), 0) == weights);
}

TEST_CASE("errors in a run directory have their file and location") {
  const TemporaryDirectory scratch;
  CHECK(refusal(scratch.path() / "none").ends_with("is no run directory; ciber train makes one"));
  Run run = small_run(scratch.path() / "run");
  add_sample(run, bnn::weights_of(run.network, run.observation), 0);
  write_run(run);
  const fs::path file = scratch.path() / "run" / "run.json";
  const std::string good = contents(file);
  CHECK(refusal(run.path) == "");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    std::ofstream(file) << text;
    return refusal(run.path).substr(file.string().size());
  };
  CHECK(with("ciber run 1", "ciber run 9") == ":1:12: 'format' must be \"ciber run 1\"");
  CHECK(with("\"type\": \"relu\"", "\"type\": \"rely\"").find("no layer of type 'rely'") !=
        std::string::npos);
  CHECK(with("exponential", "cubic")
            .ends_with("'link' must be one of exponential, softplus, bounded"));
  CHECK(with("\"input\": [3]", "\"input\": [4]")
            .ends_with("the schema has 3 inputs, and the network 4"));
  CHECK(with("\"targetScale\": 2", "\"targetScale\": 0").ends_with("a scale must be above 0"));
  CHECK(with("\"targetScale\": 2", "\"targetScale\": 1e308")
            .ends_with("'targetMean' or 'targetScale' is too large or too small to compute with"));
  CHECK(with("\"targetScale\": 2", "\"targetScale\": 1e-200").ends_with("to compute with"));
  CHECK(with("\"colour\"", "\"size\"").ends_with("the column 'size' is named twice"));
  CHECK(with("\"target\": \"price\"", "\"target\": \"size\"")
            .ends_with("the column 'size' is named twice"));
  CHECK(with("\"blue\"", "\"red\"").ends_with("the category 'red' is named twice"));
  CHECK(with("samples/000", "../000").ends_with("the file of a sample must lie in the directory"));
  CHECK(with("\"samples\"", "\"simples\"").find("samples") != std::string::npos);
  std::ofstream(file) << good.substr(0, good.size() / 2);
  CHECK(refusal(run.path) != "");
  std::ofstream(file) << good;
  // Weights of another model.
  write_sample(run, sample_file(0), bnn::weights_of(bnn::mlp(3, {4}, 1), run.observation));
  CHECK(refusal(run.path).ends_with("the network has 1 outputs, and the likelihood reads 2"));
  write_sample(run, sample_file(0), bnn::weights_of(bnn::mlp(2, {4}, 2), run.observation));
  CHECK(refusal(run.path).ends_with("fc1: weight [4, 2] does not fit an input [3]"));
  // Layers of another width fit each other, but not the other samples.
  const bnn::Weights narrow = bnn::weights_of(bnn::mlp(3, {4}, 2), run.observation);
  const bnn::Weights wide = bnn::weights_of(bnn::mlp(3, {5}, 2), run.observation);
  check_alike(run, 0, narrow, narrow);
  CHECK_THROWS_WITH_AS(check_alike(run, 0, narrow, wide), doctest::Contains("of another model"),
                       Error);
}

TEST_CASE("periods of a column are read back, and must be above 0") {
  const TemporaryDirectory scratch;
  Run run = small_run(scratch.path() / "run");
  run.network = bnn::mlp(5, {4}, 2);
  run.standardisation = {std::vector<double>(5), std::vector<double>(5, 1), 0, 1};
  run.schema.features[0].periods = {24};
  add_sample(run, bnn::weights_of(run.network, run.observation), 0);
  write_run(run);
  CHECK(read_run(run.path).schema.features[0].periods == std::vector<double>{24});
  const fs::path file = scratch.path() / "run" / "run.json";
  std::string text = contents(file);
  text.replace(text.find("[24]"), 4, "[0]");
  std::ofstream(file) << text;
  CHECK(refusal(run.path).ends_with("a period must be above 0"));
}

TEST_CASE("a run directory written by twenty lines of Python is read") {
  const TemporaryDirectory scratch;
  std::ofstream(scratch.path() / "make.py") << R"(
import json, os, struct, sys
def safetensors(path, tensors):
    header, data = {}, b""
    for name, (shape, values) in tensors.items():
        raw = struct.pack("<%df" % len(values), *values)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    open(path, "wb").write(struct.pack("<Q", len(text)) + text + data)
run = sys.argv[1]
os.makedirs(run + "/samples")
safetensors(run + "/samples/a.safetensors",
            {"fc1.weight": ([2, 1], [1, -1]), "fc1.bias": ([2], [0, 0.5]),
             "fc2.weight": ([2, 2], [1, 1, 0, 0]), "fc2.bias": ([2], [0, -1])})
json.dump({"format": "ciber run 1", "seed": 1, "samples": ["samples/a.safetensors"],
           "network": {"input": [1], "layers": [{"name": "fc1", "type": "linear"}, {"name": "relu1", "type": "relu"},
                                                {"name": "fc2", "type": "linear"}]},
           "likelihood": {"kind": "heteroscedastic"}, "schema": {"features": ["x"], "target": "y"},
           "standardisation": {"inputMean": [0], "inputScale": [1]}}, open(run + "/run.json", "w"))
)";
  const std::string path = scratch.path() / "run";
  const Finished finished =
      run("python3 " + quoted(scratch.path() / "make.py") + " " + quoted(path));
  REQUIRE(finished.exit == 0);
  const Run read = read_run(path);
  CHECK(read.complete);
  CHECK(!read_training_rows(read));
  bnn::Matrix input(1, 1);
  input.entries = {2};
  // relu(2) + relu(-2 + 1/2) = 2, and the raw variance -1.
  CHECK(bnn::outputs(read.network, bnn::make_dense_model, read_sample(read, 0), input).entries ==
        std::vector<double>{2, -1});
}
