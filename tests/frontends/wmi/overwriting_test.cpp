// No program replaces its own input by its result, and none a file that is not an earlier result,
// unless it is told to.

#include <doctest/doctest.h>

#include <filesystem>

#include "frontends/networks/network.h"
#include "tests/frontends/program.h"

namespace wmi::frontends {
namespace {

/// A network of one unit, y = max(0, w x).
std::string network(const TemporaryDirectory& directory) {
  encoders::Network result;
  Safetensors file;
  file.metadata["network"] =
      R"({"input":[1],"layers":[{"name":"fc","type":"linear"},{"name":"r","type":"relu"}]})";
  file.tensors["fc.weight"] = {{1, 1}, {Rational(2)}};
  const std::string path = directory.path("n.safetensors");
  write_safetensors(path, file);
  return path;
}

TEST_CASE("an output that is an input is refused, whatever it is called") {
  const TemporaryDirectory directory;
  const std::string problem = directory.file("p.smt2", square + "(get-distribution x)\n");
  const std::string drawn = directory.file("p.svg", square + "(get-distribution x)\n");
  const std::string settings = directory.file("c.toml", "threads = 1\n");
  const std::string net = network(directory), net_before = contents(net);
  fs::create_hard_link(problem, directory.path("hard.smt2"));
  fs::create_symlink(problem, directory.path("soft.smt2"));
  const std::string before = contents(problem);
  for (const std::string command : {
           "wmi --certificate p.smt2 p.smt2",
           "wmi --certificate hard.smt2 p.smt2 --overwrite",
           "wmi --certificate soft.smt2 p.smt2 --overwrite",
           "wmi --certificate ./p.smt2 p.smt2",
           "wmi --write-smtlib p.smt2 p.smt2 --overwrite",
           "wmi --plot p.svg p.svg --overwrite",
           "wmi --certificate c.toml p.smt2 --config c.toml --overwrite",
           "ciber encode n.safetensors --unknown 'fc.weight[0,0]=[0,1]' --out n.safetensors",
           "ciber query n.safetensors --input 1 --unknown 'fc.weight[0,0]=[0,1]' --overwrite "
           "--certificate n.safetensors",
           "ciber convert n.safetensors n.safetensors --overwrite",
       }) {
    CAPTURE(command);
    const std::size_t blank = command.find(' ');
    const Finished done = run("cd " + quoted(directory.path().string()) + " && " +
                              program_path(command.substr(0, blank)) + command.substr(blank));
    CHECK((done.exit == 1 || done.exit == 2));
    CHECK(contains(done.errors, "is an input of this command; name another file"));
    CHECK(contents(problem) == before);
    CHECK(contents(drawn) == before);
    CHECK(contents(settings) == "threads = 1\n");
    CHECK(contents(net) == net_before);
  }
}

TEST_CASE("an input that another input names is refused too") {
  const TemporaryDirectory directory;
  Safetensors file;
  file.tensors["fc.weight"] = {{1, 1}, {Rational(2)}};
  write_safetensors(directory.path("n.safetensors"), file);
  const std::string beside =
      directory.file("n.json", R"({"input":[1],"layers":[{"name":"fc","type":"linear"}]})");
  const std::string before = contents(beside);
  const Finished done = ciber("query " + directory / "n.safetensors" +
                              " --input 1 --unknown 'fc.weight[0,0]=[0,1]' --overwrite "
                              "--certificate " +
                              directory / "n.json");
  CAPTURE(done.errors);
  CHECK(done.exit == 1);
  CHECK(contains(done.errors, "is an input of this command"));
  CHECK(contents(beside) == before);
}

TEST_CASE("an earlier result is replaced, another file only with --overwrite, and no file twice") {
  const TemporaryDirectory directory;
  const std::string problem = directory.file("p.smt2", square + "(get-distribution x)\n");
  for (const auto& [option, name] :
       {std::pair("--certificate", "proof"), std::pair("--plot", "law.svg"),
        std::pair("--write-smtlib", "q.smt2")}) {
    CAPTURE(option);
    const std::string out = directory.path(name);
    directory.file(name, "notes");
    const Finished refused = wmi({option, out, problem});
    CHECK(refused.exit == 2);
    CHECK(contains(refused.errors, std::string(option) + ": " + out +
                                       " is there already, and is no earlier result of this; name "
                                       "another file, or give --overwrite"));
    CHECK(contents(out) == "notes");
    CHECK(wmi({option, out, problem, "--overwrite"}).exit == 0);
    const std::string written = contents(out);
    CHECK(written != "notes");
    CHECK(wmi({option, out, problem}).exit == 0);
    CHECK(contents(out) == written);
  }
  const Finished twice =
      wmi({"--plot", directory.path("a.svg"), "--certificate", directory.path("./a.svg"), problem});
  CHECK(twice.exit == 2);
  CHECK(contains(twice.errors, "is that of --plot too"));
}

TEST_CASE("a converted network replaces another file only with --overwrite") {
  const TemporaryDirectory directory;
  network(directory);
  const std::string convert = "convert " + directory / "n.safetensors" + " " + directory / "m";
  directory.file("m", "notes");
  const Finished refused = ciber(convert);
  CHECK(refused.exit == 2);
  CHECK(contains(refused.errors, "is there already"));
  CHECK(contents(directory.path("m")) == "notes");
  CHECK(ciber(convert + " --overwrite").exit == 0);
  CHECK(contents(directory.path("m")).size() > 100);
}

TEST_CASE("of several pictures, each is checked") {
  const TemporaryDirectory directory;
  const std::string problem =
      directory.file("p.smt2", square + "(get-distribution x) (get-distribution (* 2 x))\n");
  directory.file("law-2.svg", "notes");
  const Finished done = wmi({"--plot", directory.path("law.svg"), problem});
  CHECK(done.exit == 1);
  CHECK(contents(directory.path("law-2.svg")) == "notes");
}

}  // namespace
}  // namespace wmi::frontends
