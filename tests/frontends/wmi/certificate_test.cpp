// Certificates as users write and check them.

#include <doctest/doctest.h>

#include <csignal>
#include <sstream>

#include "tests/frontends/program.h"

namespace wmi::frontends {
namespace {

using namespace std::chrono_literals;

TEST_CASE("wmi-check accepts what wmi certifies, and prints the same answers") {
  const TemporaryDirectory directory;
  const std::string problem = directory.file("p.smt2", square + "(get-wmi)\n(get-expectation x)\n");
  const std::string proof = directory.path("p.certificate");
  const Finished written = wmi({"--certificate", proof, problem});
  CHECK(written.exit == 0);
  const Finished checked = wmi_check(problem + " " + proof);
  CHECK(checked.exit == 0);
  CHECK(checked.output == written.output + "accepted: 5 nodes, 1 cells\n");
  CHECK(names_in(directory.path("")) == std::vector<std::string>{"p.certificate", "p.smt2"});
}

TEST_CASE("wmi-check says where and why it rejects, and exits with 4") {
  const TemporaryDirectory directory;
  const std::string problem = directory.file("p.smt2", one);
  const std::string other = directory.file("q.smt2", "(declare-const x Real) (assert (<= 0 x 2))");
  const std::string proof = directory.path("certificate");
  CHECK(wmi({"--certificate", proof, problem}).exit == 0);
  const Finished rejected = wmi_check(other + " " + proof);
  CHECK(rejected.exit == 4);
  CHECK(contains(rejected.errors, "rejected at byte "));
  CHECK(contains(rejected.errors, "the formula is not false under the path"));
  CHECK(rejected.output.empty());
  std::string text = contents(proof);
  text[text.size() - 2] = 4;  // claims 2 instead of 1
  directory.file("wrong", text);
  const Finished wrong = wmi_check(problem + " " + directory.path("wrong"));
  CHECK(wrong.exit == 4);
  CHECK(contains(wrong.errors, "a claim is wrong: the cells add up to 1"));
}

TEST_CASE("wmi-check tells bad input from bad usage") {
  const TemporaryDirectory directory;
  const std::string problem = directory.file("p.smt2", one);
  const std::string broken = directory.file("q.smt2", "(assert");
  CHECK(wmi_check("").exit == 2);
  CHECK(wmi_check("--no-such " + problem + " x").exit == 2);
  CHECK(wmi_check("--help").exit == 0);
  CHECK(wmi_check(problem + " " + directory.path("none")).exit == 1);
  CHECK(wmi_check(broken + " " + problem).exit == 1);
}

TEST_CASE("a certificate appears when it is complete, or the old one stays") {
  const TemporaryDirectory directory;
  const std::string proof = directory.file("certificate", "wmi-certificate 2\nold");
  const std::string unbounded = directory.file("u.smt2", "(declare-const x Real) (get-wmi)");
  CHECK(wmi({"--certificate", proof, unbounded}).exit == 1);
  CHECK(contents(proof) == "wmi-certificate 2\nold");
  const std::string long_one = directory.file("long.smt2", endless());
  const Finished stopped = wmi({"--timeout", "0.5", "--certificate", proof, long_one});
  CHECK(stopped.exit == 3);
  CHECK(contains(stopped.errors, "no certificate"));
  CHECK(contents(proof) == "wmi-certificate 2\nold");
  CHECK(names_in(directory.path("")).size() == 3);  // no drafts
  const Finished nowhere =
      wmi({"--certificate", directory.path("none/certificate"), directory.file("p.smt2", one)});
  CHECK(nowhere.exit == 1);
  CHECK(contains(nowhere.errors, "cannot write to"));
  CHECK(wmi({"--certificate", proof, unbounded, unbounded}).exit == 2);
}

/// Planes through a cube, each of which doubles the weight on one side: eighty make some thousand
/// cells.
std::string planes(int count = 80) {
  std::string text;
  for (const std::string x : {"x", "y", "z"})
    text += "(declare-const " + x + " Real) (assert (<= 0 " + x + " 1))\n";
  for (int i = 1; i <= count; ++i)
    text += "(weight (< (+ (* " + std::to_string(i * 37 % 101) + " x) (* " +
            std::to_string(i * 53 % 103) + " y) (* " + std::to_string(i * 71 % 107) + " z)) " +
            std::to_string(40 + i * 29 % 109) + ") 2)\n";
  return text;
}

TEST_CASE("stopped, wmi prints bounds and a certificate that checks as bounds") {
  const TemporaryDirectory directory;
  const std::string proof = directory.path("certificate");
  const std::string problem =
      directory.file("p.smt2", planes(400) +  // many seconds
                                   "(echo \"first\")\n(get-wmi)\n(get-probability (< x y))\n"
                                   "(push 1) (assert (< x y)) (get-wmi) (pop 1)\n");
  const auto check = [&](const Finished& stopped) {
    CHECK(stopped.exit == 3);
    CHECK(contains(stopped.output, "at least "));
    CHECK(!contains(stopped.errors, "no certificate"));
    const Finished checked = wmi_check(problem + " " + proof);
    CHECK(checked.exit == 0);
    CHECK(contains(checked.output, " left open\n"));
    std::istringstream said(stopped.output), found(checked.output);  // the same numbers
    std::string query, answer;
    int compared = 0;
    while (std::getline(said, query) && std::getline(found, answer)) {
      if (!contains(query, "(get-wmi)") || !contains(answer, "at least")) continue;
      const std::string most = answer.substr(answer.find("at most ") + 8);
      CHECK(query.ends_with(most));
      ++compared;
    }
    CHECK(compared == 2);
  };
  check(wmi({"--timeout", "0.3", "--certificate", proof, problem}));
  fs::remove(proof);
  check(wmi_in({.input = "", .signal = SIGINT, .after = 700ms}, {"--certificate", proof, problem}));
}

TEST_CASE("an answer to within a gap has a certificate") {
  const TemporaryDirectory directory;
  const std::string proof = directory.path("certificate");
  const std::string problem = directory.file("p.smt2", planes() + "(get-probability (< x y))\n");
  const Finished found =
      wmi({"--gap", "1/10", "--decimals", "17", "--certificate", proof, problem});
  CHECK(found.exit == 0);
  const Finished checked = wmi_check(problem + " " + proof);
  CHECK(checked.exit == 0);
  CHECK(contains(checked.output, " left open\n"));
  const std::string lower =
      found.output.substr(1, found.output.find(',') - 1);  // of [lower, upper]
  CHECK(checked.output.starts_with("at least " + lower + ", at most "));
}

TEST_CASE("a full disk is an error, and leaves no certificate") {
  const TemporaryDirectory directory;
  const Finished full = wmi({"--certificate", "/dev/full", directory.file("p.smt2", one)});
  CHECK(full.exit == 1);
  CHECK(contains(full.errors, "cannot write to /dev/full"));
}

TEST_CASE("answers about a network are certified against the problem that it is encoded as") {
  const TemporaryDirectory directory;
  const std::string asked =
      " docs/examples/net.safetensors --input 1,0.5 --unknown 'fc1.weight[0,0]=[-1,1]' --unknown "
      "'fc1.bias[2]=triangular(-1,0,4)' --mean --variance --cdf 1 --probability 'out[0] > out[1]'";
  const std::string problem = directory.path("p.smt2"), proof = directory.path("certificate");
  const Finished answered = ciber("query" + asked + " --certificate " + quoted(proof));
  REQUIRE(answered.exit == 0);
  REQUIRE(ciber("encode" + asked + " --out " + quoted(problem)).exit == 0);
  const Finished checked = wmi_check(problem + " " + proof);
  CHECK(checked.exit == 0);
  CHECK(contains(checked.output, answered.output.substr(0, answered.output.find('\n'))));
}

}  // namespace
}  // namespace wmi::frontends
