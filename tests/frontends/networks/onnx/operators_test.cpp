// Every operator against onnxruntime, on small random models that a Python program writes.

#include "frontends/networks/onnx/operators.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "frontends/networks/network.h"
#include "frontends/networks/onnx/read_onnx.h"
#include "tests/frontends/networks/onnx/comparison.h"
#include "tests/frontends/reading.h"
#include "tests/process.h"
#include "tests/skipped.h"
#include "tests/source_directory.h"
#include "tests/temporary_directory.h"

namespace wmi::frontends::onnx {
namespace {

namespace fs = std::filesystem;

TEST_CASE("the table of operators is in order") {
  CHECK(std::ranges::is_sorted(operators(), {}, &Operator::name));
}

TEST_CASE("docs/network.md lists the operators, in the order of the table") {
  const std::string text = load(source_directory() / "docs/network.md").text;
  std::size_t place = text.find("**Operators.**");
  REQUIRE(place != std::string::npos);
  for (const Operator& each : operators()) {
    CAPTURE(each.name);
    place = text.find(each.name, place);
    CHECK(place != std::string::npos);
  }
}

TEST_CASE("every operator computes what onnxruntime computes") {
  const std::optional<std::string> program = onnx_python();
  if (!program) return;
  const TemporaryDirectory folder;
  const std::string script =
      (source_directory() / "tests/frontends/networks/onnx/operator_models.py").string();
  const std::string rounds = std::getenv("WMI_LONG") != nullptr ? "20" : "4";
  const Finished made =
      run(*program + " " + quoted(script) + " " + quoted(folder.path("")) + " 1 " + rounds);
  CAPTURE(made.errors);
  REQUIRE(made.exit == 0);

  std::map<std::string, int> models;
  for (const fs::directory_entry& file : fs::directory_iterator(folder.path(""))) {
    if (file.path().extension() != ".onnx") continue;
    const std::string name = file.path().stem().string();
    CAPTURE(name);
    ++models[name.substr(0, name.find('-'))];
    const std::vector<Comparison> points =
        read_comparisons(fs::path(file.path()).replace_extension(".txt"));
    std::optional<ReadNetwork> read;
    CHECK(complaint([&] { read = read_onnx(load(file.path()).text); }) == "no complaint");
    if (!read) continue;
    for (const Comparison& point : points) check_close(read->network, point);
    // Written and read again, it is the same network; not with constants that are no floats.
    if (name.starts_with("folded")) continue;
    const Safetensors written = to_safetensors(read->network);
    CHECK(to_safetensors(frontends::to_network(parse_safetensors(to_bytes(written)))) == written);
  }
  for (const Operator& each : operators()) {
    // Those at the output change nothing that a network has; read_onnx_test.cpp has them.
    if (each.name == "Softmax" || each.name == "LogSoftmax") continue;
    CAPTURE(each.name);
    CHECK(models[std::string(each.name)] > 0);
  }
}

}  // namespace
}  // namespace wmi::frontends::onnx
