#include "frontends/networks/onnx/network_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "encoders/exact.h"
#include "frontends/networks/network.h"
#include "tests/frontends/networks/onnx/comparison.h"
#include "tests/frontends/networks/onnx/message.h"
#include "tests/frontends/reading.h"
#include "tests/process.h"
#include "tests/skipped.h"
#include "tests/source_directory.h"
#include "tests/temporary_directory.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

using encoders::Network;

/// The ONNX files of the data that tests share, compressed or not.
std::vector<std::string> all_models() {
  std::vector<std::string> result;
  for (const char* name : {"onnx", "vnncomp"}) {
    const std::optional<fs::path> folder = data_folder(name);
    if (!folder) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(*folder)) {
      const std::string path = entry.path().string();
      if (path.ends_with(".onnx") || path.ends_with(".onnx.gz")) result.push_back(path);
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

TEST_CASE("networks are recognised by their content, compressed or not") {
  const TemporaryDirectory folder;
  const std::string model = model_message(relu_graph());
  const std::string onnx = folder.file("net.safetensors", model);  // whatever its name
  CHECK(read_any_network(onnx).network.input == encoders::Shape{2});
  const std::string net = folder.path("net.onnx");
  write_network(net, read_any_network(onnx).network);
  CHECK(read_any_network(net).network.layers.size() == 1);
  for (const std::string& file : {onnx, net}) {
    const std::string packed = folder.path("packed");
    REQUIRE(run("gzip -c " + quoted(file) + " > " + quoted(packed)).exit == 0);
    CHECK(read_any_network(packed).network.layers.size() == 1);
  }
  CHECK(complaint([&] { read_network(folder.file("model.onnx", model)); }) ==
        "an ONNX model; write it as a network file: ciber convert NET.onnx NET.safetensors");
  CHECK(complaint([&] { read_any_network(folder.file("empty.onnx", "")); }) ==
        "no network: the file is empty");
  CHECK(complaint([&] { read_any_network(folder.file("zeros.onnx", std::string(64, '\0'))); }) ==
        "no network: all bytes of the file are 0");
  CHECK(complaint([&] { read_any_network(folder.path("none")); }) ==
        "cannot be opened: No such file or directory");
  CHECK(complaint([&] {
          read_any_network(folder.file("text", "some text or other"));
        }).starts_with("no safetensors file"));
}

TEST_CASE("networks as people have them compute what onnxruntime computes") {
  const std::vector<std::string> models = all_models();
  const std::optional<std::string> program = onnx::onnx_python();
  if (models.empty() || !program) return;
  const TemporaryDirectory folder;
  std::string command =
      *program + " " +
      quoted((source_directory() / "tests/frontends/networks/onnx/run_models.py").string()) + " " +
      quoted(folder.path(""));
  for (const std::string& model : models) command += " " + quoted(model);
  const Finished made = run(command);
  CAPTURE(made.errors);
  REQUIRE(made.exit == 0);
  for (std::size_t i = 0; i < models.size(); ++i) {
    CAPTURE(models[i]);
    const Network network = read_any_network(models[i]).network;
    for (const onnx::Comparison& point :
         onnx::read_comparisons(folder.path(std::to_string(i) + ".txt")))
      onnx::check_close(network, point);
    // Written and read again, it is the same network.
    const Safetensors written = to_safetensors(network);
    CHECK(to_safetensors(to_network(parse_safetensors(to_bytes(written)))) == written);
  }
}

TEST_CASE("networks that torch exports compute what torch computes") {
  const std::optional<std::string> program =
      python("import torch, torch.onnx",
             "torch for python3 (pip install torch onnx); its export to ONNX is not tested");
  if (!program) return;
  const TemporaryDirectory folder;
  const Finished made =
      run(*program + " " +
          quoted((source_directory() / "tests/frontends/networks/onnx/torch_models.py").string()) +
          " " + quoted(folder.path("")));
  CAPTURE(made.errors);
  REQUIRE(made.exit == 0);
  std::size_t models = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(folder.path(""))) {
    if (file.path().extension() != ".onnx") continue;
    CAPTURE(file.path());
    ++models;
    const Network network = read_any_network(file.path().string()).network;
    for (const onnx::Comparison& point :
         onnx::read_comparisons(fs::path(file.path()).replace_extension(".txt")))
      onnx::check_close(network, point);
  }
  CHECK(models >= 6);
}

TEST_CASE("ACAS Xu advises as it is known to") {
  const std::optional<fs::path> folder = data_folder("vnncomp");
  if (!folder) return;
  for (const char* name : {"1_1", "2_4", "5_9"}) {
    CAPTURE(name);
    const fs::path file =
        *folder / "acasxu" / ("ACASXU_run2a_" + std::string(name) + "_batch_2000.onnx.gz");
    const Network network = read_any_network(file.string()).network;
    CHECK(network.input == encoders::Shape{1, 1, 5});
    // A vector, seven linear layers with six ReLUs between them: nothing is subtracted.
    CHECK(network.layers.size() == 14);
    // Property 3, known to hold of these: an intruder dead ahead, closing in, is never ignored.
    // (The output with the least value is advised, and the first is "clear of conflict".)
    std::mt19937_64 random(3);
    const auto between = [&](const char* low, const char* high) -> Rational {
      const Rational from = parse_number(low), to = parse_number(high);
      return from + (to - from) * ratio(static_cast<long>(random() % 1025), 1024);
    };
    for (int sample = 0; sample < 5; ++sample) {
      const encoders::Tensor<Rational> input(
          network.input,
          {between("-0.303531156", "-0.298552812"), between("-0.009549297", "0.009549297"),
           between("0.493380324", "0.5"), between("0.3", "0.5"), between("0.3", "0.5")});
      const std::vector<Rational> scores = encoders::run_exactly(network, input)[0].entries;
      CHECK(*std::min_element(scores.begin(), scores.end()) < scores[0]);
    }
  }
}

}  // namespace
}  // namespace wmi::frontends
