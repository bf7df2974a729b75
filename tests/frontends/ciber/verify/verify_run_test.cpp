// `ciber verify`, run as its users run it.

#include "frontends/ciber/verify/verify_run.h"

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "frontends/common/read_file.h"
#include "frontends/networks/network.h"
#include "frontends/packed/packed_file.h"
#include "tests/frontends/ciber/verify/small_problems.h"
#include "tests/frontends/program.h"
#include "tests/skipped.h"
#include "tests/source_directory.h"

namespace wmi::frontends {
namespace {

/// A network and a property in files.
class Files {
 public:
  Files(const Network& network, std::size_t inputs, std::size_t outputs,
        const std::string& asserts) {
    write_network(path("net.safetensors"), network);
    std::ofstream(path("p.vnnlib")) << declared(inputs, outputs) << asserts;
  }

  std::string path(const std::string& name) const { return directory_.path(name); }
  Finished verify(const std::string& options = "") const {
    return ciber("verify " + path("net.safetensors") + " " + path("p.vnnlib") + " " + options);
  }

 private:
  TemporaryDirectory directory_;
};

const Network identity = linear_network(1, 1, {1}, {0});

TEST_CASE("a violated property has a probability, regions and a witness") {
  const Files files(identity, 1, 1, unit_box(1) + "(assert (or (>= Y_0 0.75) (<= Y_0 0.125)))");
  const Finished found = files.verify();
  CHECK(found.exit == 0);
  // [0, 1/8] and [3/4, 1]; the witness is the middle of the larger one, in one decimal.
  CHECK(found.output ==
        "violated: probability 3/8 = 0.375\n"
        "unsafe region 1 (Y_0 >= 0.75): probability 1/4 = 0.25\n"
        "unsafe region 2 (Y_0 <= 0.125): probability 1/8 = 0.125\n"
        "witness: X = (0.9), Y = (0.9)\n");
  CHECK(contains(found.errors, "exact with respect to inputs: uniform on the input region"));
  CHECK(files.verify("--threads 2").output == found.output);
  CHECK(files.verify("--vnncomp").output.starts_with("sat\n((X_0 "));
  CHECK(files.verify("--law 'piecewise(0,0,1,1)'")
            .output.starts_with("violated: probability 29/64 = "));  // 1/64 + 7/16
}

TEST_CASE("a box may be narrower or wider than doubles tell") {
  for (const std::string bound : {"1e-400", "1e400"}) {
    CAPTURE(bound);
    const Files files(identity, 1, 1,
                      "(assert (<= 0 X_0)) (assert (<= X_0 " + bound + ")) (assert (>= Y_0 0))");
    const Finished found = files.verify("--timeout 20");
    CHECK(found.exit == 0);
    CHECK(found.output.starts_with("violated: probability 1 = 1\nwitness: X = ("));
  }
}

TEST_CASE("a property that holds excludes all points or says that it does not") {
  const Files nowhere(identity, 1, 1, unit_box(1) + "(assert (>= Y_0 1.1))");
  CHECK(nowhere.verify().output ==
        "holds: probability 0 = 0; no input of the region violates it\n");
  CHECK(nowhere.verify("--vnncomp").output == "unsat\n");
  const Files touching(identity, 1, 1, unit_box(1) + "(assert (>= Y_0 1))");
  CHECK(touching.verify().output.starts_with("holds: probability 0 = 0; "));
  CHECK(!contains(touching.verify().output, "no input"));
  CHECK(touching.verify("--vnncomp").output != "unsat\n");
  // With fixed inputs, the proof is about a part of the region alone.
  const Files plane(linear_network(2, 1, {1, 1}, {0}), 2, 1,
                    unit_box(2) + "(assert (>= Y_0 1.75))");
  CHECK(plane.verify("--free X_0").output ==
        "holds: probability 0 = 0; no value of what is random violates it\n");
  CHECK(plane.verify("--free X_0 --vnncomp").output == "unknown\n");
}

TEST_CASE("a region without mass leaves the probability undefined") {
  // X_0 + X_1 <= 0 is a corner of the box.
  const Files corner(linear_network(2, 1, {1, 1}, {0}), 2, 1,
                     unit_box(2) + "(assert (<= (+ X_0 X_1) 0))(assert (>= Y_0 2.5))");
  const Finished found = corner.verify();
  CHECK(found.exit == 0);
  CHECK(contains(found.output, "undefined"));
}

TEST_CASE("the JSON has the verdict, the probability, the witness and the assumptions") {
  const Files files(two_relus(), 2, 2, unit_box(2) + "(assert (>= Y_1 0.5))");
  const auto json = nlohmann::json::parse(files.verify("--json").output);
  CHECK(json["verdict"] == "violated");
  CHECK(json["probability"]["exact"] == "1/8");
  CHECK(json["witness"]["inputs"].size() == 2);
  CHECK(json["witness"]["outputs"].size() == 2);
  CHECK(json["exactWithRespectTo"].size() == 1);
}

TEST_CASE("an explanation has the share of each pattern of activations") {
  const Files files(two_relus(), 2, 2,
                    "(assert (<= -1 X_0 1))(assert (<= -1 X_1 1))"
                    "(assert (<= Y_1 Y_0))");
  const Finished found = files.verify("--explain");
  CHECK(contains(found.output, "4 patterns of relu1[0], relu1[1]"));
  CHECK(contains(found.output, "1/4 = 0.25"));
}

TEST_CASE("a certificate of the probability is accepted for its network, and for no other") {
  const Files files(two_relus(), 2, 2,
                    unit_box(2) + "(assert (<= (+ X_0 X_1) 1.5))(assert (>= Y_1 0.5))");
  const std::string proof = files.path("proof");
  const Finished found = files.verify("--certificate " + proof);
  CHECK(found.exit == 0);
  CHECK(wmi_check("--network " + files.path("net.safetensors") + " " + proof).exit == 0);
  Network other = two_relus();
  other.parameters.at("fc1.bias").entries[1] = ratio(1, 4);
  write_network(files.path("other.safetensors"), other);
  CHECK(wmi_check("--network " + files.path("other.safetensors") + " " + proof).exit == 4);
}

TEST_CASE("a picture shows the regions over two inputs") {
  const Files files(two_relus(), 2, 2, unit_box(2) + "(assert (or (<= Y_0 Y_1) (>= Y_1 0.5)))");
  CHECK(files.verify("--plot " + files.path("p.svg")).exit == 0);
  const std::string svg = read_file(files.path("p.svg"));
  CHECK(contains(svg, "Y_1 &gt;= 0.5"));
  CHECK(contains(svg, "class=\"cell c1\""));
  const Finished refused = files.verify("--free X_0 --plot " + files.path("q.svg"));
  CHECK(refused.exit == 1);
  CHECK(contains(refused.errors, "a picture needs two random inputs"));
}

TEST_CASE("mistakes are one line, with the file, the option or the input") {
  const Files files(two_relus(), 2, 2, "(assert (<= 0 X_0 1))\n(assert (>= Y_1 0.5))");
  const auto refused = [&](const std::string& options) {
    const Finished found = files.verify(options);
    CHECK(found.output.empty());
    CHECK(lines(found.errors) == 1);
    return std::to_string(found.exit) + " " + found.errors;
  };
  CHECK(contains(refused(""), "input X_1 has no lower bound"));
  CHECK(refused("--free 3").starts_with("1 ciber: "));
  CHECK(contains(refused("--vnncomp --json"), "--vnncomp: prints the verdict alone"));
  CHECK(refused("more").starts_with("2 ciber: "));
  const Files bad(two_relus(), 2, 2, "(assert (<= 0 X_9 1))");
  CHECK(contains(bad.verify().errors, "p.vnnlib:5:15: 'X_9' is not declared"));
  const Files product(two_relus(), 2, 2, unit_box(2) + "(assert (>= Y_0 0.5))");
  const Finished found = product.verify("--unknown 'fc1.weight[0,0]=[0,1]'");
  CHECK(found.exit == 1);
  CHECK(contains(found.errors, "fc1.weight[0,0]"));
  CHECK(contains(found.errors, "input[0]"));
  CHECK(lines(found.errors) == 1);
}

TEST_CASE("every property of the competition's data is read") {
  const std::optional<fs::path> data = data_folder("vnncomp");
  if (!data) return;
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(*data)) {
    const std::string name = entry.path().string();
    if (name.find(".vnnlib") == std::string::npos) continue;
    CAPTURE(name);
    const Property read = read_vnnlib({name, read_unpacked(name)});
    const bool small = name.find("acasxu") != std::string::npos;
    CHECK(read.inputs == (small ? 5 : 784));
    CHECK(read.outputs == (small ? 5 : 10));
    ++count;
  }
  CHECK(count == 40);
}

TEST_CASE("ACAS Xu: verdicts agree with those of verifiers, and witnesses violate") {
  const std::optional<fs::path> data = data_folder("vnncomp");
  if (!data) return;
  const fs::path folder = *data / "acasxu";
  std::map<std::string, std::string> verdicts;
  std::istringstream text(read_file((folder / "verdicts.csv").string()));
  for (std::string line; std::getline(text, line);)
    verdicts[line.substr(0, line.rfind(','))] = line.substr(line.rfind(',') + 1);
  for (const std::string name : {"1_1", "1_7", "2_4", "4_2"}) {
    CAPTURE(name);
    const std::string net = (folder / ("ACASXU_run2a_" + name + "_batch_2000.onnx.gz")).string();
    for (const std::string property : {"prop_1", "prop_3", "prop_4"}) {
      CAPTURE(property);
      const std::string file = (folder / (property + ".vnnlib")).string();
      const Finished found = ciber("verify " + net + " " + file + " --digits 4 --json");
      CHECK(found.exit == 0);
      const auto json = nlohmann::json::parse(found.output);
      const std::string expected = verdicts.at(name + "," + property);
      CHECK(json["verdict"] == expected);
      CHECK(json["witness"].is_null() == (expected == "holds"));
      CHECK(ciber("verify " + net + " " + file + " --vnncomp")
                .output.starts_with(expected == "holds" ? "unsat" : "sat"));
    }
  }
}

}  // namespace
}  // namespace wmi::frontends
