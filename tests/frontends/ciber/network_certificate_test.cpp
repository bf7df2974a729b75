// Certificates of answers about networks: they carry the problem, and the network is encoded anew
// to check them.

#include <doctest/doctest.h>

#include <random>

#include "encoders/exact.h"
#include "frontends/check/program/network.h"
#include "frontends/formats/format.h"
#include "frontends/networks/network.h"
#include "solver/certificates/certificate_writer.h"
#include "tests/frontends/program.h"
#include "tests/source_directory.h"

namespace wmi::frontends {
namespace {

using encoders::Network;

Rational quarters(std::mt19937& engine) { return ratio(static_cast<int>(engine() % 17) - 8, 4); }

/// Linear and ReLU layers in turns: fc1, relu1, fc2, ...
Network random_network(std::mt19937& engine, const std::vector<std::size_t>& widths) {
  Network network{{widths[0]}, {}, {}, {}};
  std::string last = "input";
  for (std::size_t i = 1; i < widths.size(); ++i) {
    const std::string number = std::to_string(i), name = "fc" + number;
    network.layers.push_back({name, encoders::Linear{}, {last}});
    last = name;
    encoders::Tensor<Rational> weight({widths[i], widths[i - 1]}, {}), bias({widths[i]}, {});
    for (std::size_t k = 0; k < widths[i] * widths[i - 1]; ++k)
      weight.entries.push_back(quarters(engine));
    for (std::size_t k = 0; k < widths[i]; ++k) bias.entries.push_back(quarters(engine));
    network.parameters.emplace(name + ".weight", std::move(weight));
    if (engine() % 4 != 0) network.parameters.emplace(name + ".bias", std::move(bias));
    if (i + 1 == widths.size()) break;
    network.layers.push_back({"relu" + number, encoders::Relu{}, {last}});
    last = "relu" + number;
  }
  network.output = {last};
  return network;
}

/// A certificate taken apart, so that its problem can be changed.
struct Taken {
  check::EmbeddedProblem embedded;
  std::string tree;

  explicit Taken(const std::string& path) {
    const std::string bytes = contents(path);
    std::istringstream stream(bytes);
    check::Bytes in(stream);
    embedded = check::read_embedded(in).value();
    tree = bytes.substr(in.offset());
  }

  std::string bytes() const {
    std::ostringstream out;
    CertificateWriter writer(out);
    const auto write_text = [&](const std::string& text) {
      writer.natural(text.size());
      out << text;
    };
    out << check::query_mark;
    writer.natural(embedded.values.size());
    for (const check::EmbeddedProblem::Value& value : embedded.values) {
      write_text(value.name);
      out.put(value.number ? '\1' : '\0');
      if (value.number) writer.rational(*value.number);
    }
    write_text(embedded.network);
    write_text(embedded.statement);
    return out.str() + tree;
  }
};

/// The last place of `what`, which must be there, becomes `with`.
void replace(std::string& text, const std::string& what, const std::string& with) {
  const std::size_t place = text.rfind(what);
  REQUIRE(place != std::string::npos);
  text.replace(place, what.size(), with);
}

const std::string example = (source_directory() / "docs/examples/net.safetensors").string();
const std::string example_query =
    example + " --input 1,0.5 --unknown 'fc1.weight[0,0]=[-1,1]' --unknown " +
    "'fc1.bias[2]=triangular(-1,0,4)' --mean --cdf 1 --probability 'out[0] > out[1]'";

TEST_CASE("certificates about random networks are accepted, alone and with the network") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("net.safetensors"), proof = directory.path("proof");
  const bool python = run("command -v python3").exit == 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    std::mt19937 engine(seed);
    std::vector<std::size_t> widths{1 + engine() % 3};
    for (std::size_t i = 0; i < 2 + seed % 2; ++i) widths.push_back(1 + engine() % 3);
    const Network network = random_network(engine, widths);
    write_network(file, network);
    std::string asked = file + " --input=";
    for (std::size_t i = 0; i < widths[0]; ++i)
      asked += (i > 0 ? "," : "") + to_string(quarters(engine));
    const std::string last = "fc" + std::to_string(widths.size() - 1);
    const std::string unknowns[] = {
        " --unknown 'input[0]=[-2,2]'",
        " --unknown 'fc1.weight[0,0]=triangular(-1,0,2)' --unknown 'fc2.weight[0,0]=5/4'",
        " --unknown '" + last + ".weight[0,0]=[-1,1]' --likelihood 'triangular(1)' --output y",
        " --unknown 'fc1.weight[0,0]=[-1,1]' --given 'fc1[0] < 10 and out[0] > -20'"};
    asked += unknowns[seed % 4] + " --mean --cdf 1 --probability 'relu1[0] > 1/4 or out[0] < 0'";
    CAPTURE(asked);
    const Finished answered = ciber("query " + asked + " --certificate " + proof);
    REQUIRE(answered.exit == 0);
    const Finished alone = wmi_check(proof);
    CHECK(alone.exit == 0);
    CHECK(alone.output.starts_with(answered.output + "trusted: encoder\naccepted: "));
    const Finished whole = wmi_check("--network " + file + " " + proof);
    CAPTURE(whole.errors);
    CHECK(whole.exit == 0);
    const std::string layers =
        std::to_string(widths.size() - 1) + " linear, " + std::to_string(widths.size() - 2);
    const std::string replaced = seed % 4 == 1 ? "; fc2.weight[0,0] = 5/4" : "";
    CHECK(whole.output.starts_with(answered.output + "network: re-encoded, " + layers + " relu" +
                                   replaced + "\n"));
    if (seed >= 4) continue;
    REQUIRE(ciber("encode " + asked + " --out " + directory.path("p.smt2")).exit == 0);
    CHECK(wmi_check(directory.path("p.smt2") + " " + proof).exit == 0);
    if (!python) continue;
    const Finished second =
        run("python3 " + quoted((source_directory() / "tests/frontends/check/check.py").string()) +
            " " + proof);
    CAPTURE(second.errors);
    CHECK(second.exit == 0);
    const std::size_t end = answered.output.find(' ');
    CHECK(second.output.starts_with(answered.output.substr(0, end) + "\n"));
  }
}

TEST_CASE("the checker's definitions have the values of the network") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    std::mt19937 engine(seed);
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < 2 + seed % 3; ++i) widths.push_back(1 + engine() % 4);
    Network network = random_network(engine, widths);
    check::EmbeddedProblem embedded;
    auto input = encoders::Tensor<Rational>::filled(network.input, 0);
    for (std::size_t i = 0; i < widths[0]; ++i) {
      input.entries[i] = quarters(engine);
      embedded.values.push_back({"input[" + std::to_string(i) + "]", input.entries[i]});
    }
    std::string text = embedded.given();
    const bool replaced = seed % 2 == 0;
    if (replaced) {  // the last row and column
      const std::string place =
          "[" + std::to_string(widths[1] - 1) + "," + std::to_string(widths[0] - 1) + "]";
      embedded.values.push_back({"fc1.weight" + place, ratio(7, 3)});
      text = embedded.given();
    }
    text += check::definitions(network, embedded.values);
    if (replaced) network.parameters.find("fc1.weight")->second.entries.back() = ratio(7, 3);
    const std::vector<Rational> right = encoders::run_exactly(network, input)[0].entries;
    for (std::size_t i = 0; i < right.size(); ++i)
      text += "(get-expectation |out[" + std::to_string(i) + "]|)\n";
    const Task task = read_smtlib({"", text})[0];
    for (std::size_t i = 0; i < right.size(); ++i)
      CHECK(task.queries[i].term == Polynomial(right[i]));
  }
}

TEST_CASE("layers that add, scale and rearrange entries, or take several rows, are re-encoded") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("net.safetensors"), proof = directory.path("proof");
  const Network network{
      {1, 2, 2},
      {{"flat", encoders::Flatten{}, {"input"}},
       {"turned", encoders::Rearrange{{2, 3}, {3, 0, encoders::nothing, 1, 2, 2}, 5}, {"flat"}},
       {"rows", encoders::Linear{}, {"turned"}},
       {"units", encoders::Relu{}, {"rows"}},
       {"scaled", encoders::Affine{}, {"units"}},
       {"sum", encoders::Add{}, {"scaled", "units"}},
       {"vector", encoders::Rearrange{{4}, {}, 0}, {"sum"}}},
      {"vector"},
      {{"rows.weight", {{2, 3}, {1, -2, 1, ratio(1, 2), 3, -1}}},
       {"rows.bias", {{2}, {-1, 4}}},
       {"scaled.weight", {{1}, {-2}}},
       {"scaled.bias", {{2, 1}, {1, 3}}},
       {"scaled.divisor", {{2}, {3, 7}}}}};
  write_network(file, network);
  const std::string asked = file +
                            " --input 1,-1,2,3 --unknown 'input[0,0,0]=[-2,2]' --unknown "
                            "'rows.weight[1,0]=[0,1]' --mean --probability 'out[0] > out[3]'";
  const Finished answered = ciber("query " + asked + " --certificate " + proof);
  REQUIRE(answered.exit == 0);
  const Finished checked = wmi_check("--network " + file + " " + proof);
  CAPTURE(checked.errors);
  CHECK(checked.exit == 0);
  CHECK(checked.output.starts_with(answered.output +
                                   "network: re-encoded, 1 add, 1 affine, 1 flatten, 1 linear, 2 "
                                   "rearrange, 1 relu\naccepted: "));
  // The same proof for another network.
  for (const char* tensor : {"scaled.weight", "scaled.bias", "scaled.divisor", "rows.bias"}) {
    CAPTURE(tensor);
    Network changed = network;
    changed.parameters.find(tensor)->second.entries[0] += 1;
    write_network(file, changed);
    CHECK(wmi_check("--network " + file + " " + proof).exit == 4);
  }
  Network changed = network;
  std::get<encoders::Rearrange>(changed.layers[1].layer).entries[0] = 2;
  write_network(file, changed);
  CHECK(wmi_check("--network " + file + " " + proof).exit == 4);
}

TEST_CASE("a certificate is not accepted for another network with other answers") {
  const TemporaryDirectory directory;
  const std::string proof = directory.path("proof"), other = directory.path("other.safetensors");
  const Finished answered = ciber("query " + example_query + " --certificate " + proof);
  REQUIRE(answered.exit == 0);
  const Network network = read_network(example);
  const auto answers = [&](const Network& changed) {
    write_network(other, changed);
    std::string asked = example_query;
    return ciber("query " + asked.replace(0, example.size(), other)).output;
  };
  std::size_t rejected = 0;
  for (const auto& [name, tensor] : network.parameters)
    for (std::size_t i = 0; i < tensor.size(); ++i) {
      CAPTURE(name);
      CAPTURE(i);
      Network changed = network;
      changed.parameters.find(name)->second.entries[i] += ratio(1, 2);
      const bool same = answers(changed) == answered.output;  // unknown, or a unit that is off
      const Finished found = wmi_check("--network " + other + " " + proof);
      if (!same) CHECK(found.exit == 4);
      if (found.exit == 4)
        ++rejected;
      else
        CHECK(found.exit == 0);
      CHECK(found.output.empty() == (found.exit == 4));
    }
  CHECK(rejected >= 10);

  Network turned = network;  // the sign of a row
  for (Rational& entry : turned.parameters.find("fc2.weight")->second.entries) entry = -entry;
  write_network(other, turned);
  CHECK(wmi_check("--network " + other + " " + proof).exit == 4);

  Network straight = network;  // no ReLU
  REQUIRE(straight.layers[1].name == "relu1");
  straight.layers.erase(straight.layers.begin() + 1);
  straight.layers[1].from = {"fc1"};
  write_network(other, straight);
  const Finished without = wmi_check("--network " + other + " " + proof);
  CHECK(without.exit == 4);

  Network narrow = network;
  narrow.input = {3};
  write_network(other, narrow);
  const Finished unfit = wmi_check("--network " + other + " " + proof);
  CHECK(unfit.exit == 4);
  CHECK(contains(unfit.errors, "the network has 'input[2]', which is not given"));
}

TEST_CASE("a wrong encoding is rejected, although its certificate is a valid proof") {
  // The certificate of a network that is wrong in one way or other, for the right one.
  const TemporaryDirectory directory;
  const std::string proof = directory.path("proof"), wrong = directory.path("wrong.safetensors");
  const Network network = read_network(example);
  const auto certify = [&](const Network& encoded) {
    write_network(wrong, encoded);
    std::string asked = example_query;
    REQUIRE(ciber("query " + asked.replace(0, example.size(), wrong) + " --certificate " + proof)
                .exit == 0);
    const Finished alone = wmi_check(proof);
    CHECK(alone.exit == 0);
    CHECK(contains(alone.output, "trusted: encoder\n"));
    return wmi_check("--network " + example + " " + proof).exit;
  };
  Network changed = network;
  changed.parameters.find("fc2.weight")->second.entries[0] += 1;
  CHECK(certify(changed) == 4);
  changed = network;
  changed.parameters.find("fc2.bias")->second.entries[0] -= ratio(1, 1024);
  CHECK(certify(changed) == 4);
  changed = network;
  changed.layers[1].layer = encoders::Abs{};
  CHECK(certify(changed) == 4);
  CHECK(certify(network) == 0);
}

TEST_CASE("a certificate with a changed problem is rejected") {
  const TemporaryDirectory directory;
  const std::string proof = directory.path("proof");
  REQUIRE(ciber("query " + example_query + " --certificate " + proof).exit == 0);
  const Taken taken(proof);
  CHECK(taken.bytes() == contents(proof));
  const auto both = [&](const Taken& changed) {  // alone, and with the network
    directory.file("changed", changed.bytes());
    const std::string path = directory.path("changed");
    return std::pair(wmi_check(path).exit, wmi_check("--network " + example + " " + path).exit);
  };
  CHECK(both(taken) == std::pair(0, 0));
  const std::pair<const char*, const char*> in_network[] = {
      {"(/ 5 16)", "(/ 5 17)"},        // a constant
      {"(* (/ 1 4) r2)", "(* 1 r2)"},  // a coefficient
      {"(* (- 1) r1)", "(* 1 r1)"},    // a sign
      {"(/ 3 2)) 0 (+", "2) 0 (+"},    // where a ReLU bends
  };
  for (const auto& [what, with] : in_network) {
    CAPTURE(std::string(what));
    Taken changed = taken;
    replace(changed.embedded.network, what, with);
    CHECK(both(changed) == std::pair(4, 4));
  }
  const std::pair<const char*, const char*> in_statement[] = {
      {"(<= |fc1.bias[2]| 4)", "(<= |fc1.bias[2]| 3)"},                    // a law's end
      {"(weight true (/ 1 2))", "(weight true (+ 1 |fc1.weight[0,0]|))"},  // a law
      {"(+ (/ 2 5) (* (- (/ 1 10))", "(+ (/ 1 5) (* (- (/ 1 10))"},        // a piece of one
      {"(> |out[0]| |out[1]|)", "(< |out[0]| |out[1]|)"},                  // an event
      {"(> |out[0]| |out[1]|)", "(> |out[0]| 0)"},                         // another
      {"(get-expectation |out[1]|)", "(get-expectation |out[0]|)"},        // another output
      {":at 1)", ":at 2)"},
      {"(get-probability (> |out[0]| |out[1]|))", ""},
  };
  for (const auto& [what, with] : in_statement) {
    CAPTURE(std::string(what));
    Taken changed = taken;
    replace(changed.embedded.statement, what, with);
    CHECK(both(changed) == std::pair(4, 4));
  }
  // Of an input the encoder's definitions have nothing left; those made anew have.
  Taken input = taken;
  REQUIRE(input.embedded.values[2].name == "input[0]");
  input.embedded.values[2].number = 3;
  CHECK(both(input) == std::pair(0, 4));
  // Nor does the statement get past the network.
  Taken redefined = taken;
  redefined.embedded.statement = "(define-fun |out[0]| () Real 5)" + redefined.embedded.statement;
  CHECK(both(redefined) == std::pair(4, 4));
  Taken hidden = taken;
  hidden.embedded.statement = "\")" + hidden.embedded.network + hidden.embedded.statement;
  hidden.embedded.network = "(echo \"";
  CHECK(both(hidden).second == 4);
  Taken more = taken;
  more.embedded.values.push_back({"fc1.weight[9,9]", Rational(1)});
  CHECK(both(more) == std::pair(0, 4));
  Taken odd = taken;
  odd.embedded.values[2].name = "x| () Real 1) (define-fun |input[0]";
  CHECK(both(odd) == std::pair(4, 4));
  // Cut off anywhere.
  const std::string bytes = taken.bytes();
  for (std::size_t size = 0; size < bytes.size(); size += 101) {
    directory.file("changed", bytes.substr(0, size));
    const Finished cut = wmi_check(directory.path("changed"));
    CHECK((cut.exit == 4 || (size == 0 && cut.exit == 1)));
  }
}

TEST_CASE("layers that the checker cannot encode are trusted, and it reports them") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("net.safetensors"), proof = directory.path("proof");
  Network network = read_network(example);
  network.layers[1].layer = encoders::Hardtanh{-1, 1};
  write_network(file, network);
  const std::string asked = file + " --input 1,0.5 --unknown 'fc1.weight[0,0]=[-1,1]' --mean";
  REQUIRE(ciber("query " + asked + " --certificate " + proof).exit == 0);
  const Finished found = wmi_check("--network " + file + " " + proof);
  CHECK(found.exit == 0);
  CHECK(contains(found.output, "trusted: encoder (layer hardtanh)\n"));
  CHECK(!contains(found.output, "re-encoded"));
  // Known only between bounds: nothing is taken apart.
  const std::string smooth = (source_directory() / "docs/examples/smooth.safetensors").string();
  REQUIRE(
      ciber("query " + smooth + " --unknown 'fc1.bias[0]=[-1,1]' --cdf 0 --certificate " + proof)
          .exit == 0);
  CHECK(Taken(proof).embedded.statement.empty());
  CHECK(
      contains(wmi_check("--network " + smooth + " " + proof).output, "trusted: encoder (layer "));
}

TEST_CASE("a problem that cannot be separated is embedded as a whole") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("net.safetensors"), proof = directory.path("proof");
  Network network = read_network(example);
  network.layers[1].name = "out";  // which outputs are called
  network.layers[2].from = {"out"};
  write_network(file, network);
  const std::string asked = file + " --input 1,0.5 --unknown 'fc1.weight[0,0]=[-1,1]' --mean";
  REQUIRE(ciber("query " + asked + " --certificate " + proof).exit == 0);
  const Finished found = wmi_check("--network " + file + " " + proof);
  CHECK(found.exit == 0);
  CHECK(contains(found.output, "trusted: encoder (the problem is carried as a whole)\n"));
}

TEST_CASE("wmi-check prints the network's constants and queries, and what it needs") {
  const TemporaryDirectory directory;
  const std::string proof = directory.path("proof");
  REQUIRE(ciber("query " + example_query + " --certificate " + proof).exit == 0);
  const std::string said = wmi_check("--statement " + proof).output;
  CHECK(contains(said, "(declare-const |fc1.weight[0,0]| Real)\n"));
  CHECK(contains(said, "(define-fun |input[1]| () Real (/ 1 2))\n"));
  CHECK(contains(said, "(get-probability (> |out[0]| |out[1]|))\n"));
  const std::string problem = directory.file("p.smt2", one);
  CHECK(wmi_check("--network " + example + " " + problem + " " + proof).exit == 2);
  CHECK(wmi_check("--network none " + proof).exit == 1);
  REQUIRE(wmi({"--certificate", directory.path("plain"), problem}).exit == 0);
  const Finished plain = wmi_check(directory.path("plain"));
  CHECK(plain.exit == 1);
  CHECK(contains(plain.errors, "carries no problem; give the FILE that it is about"));
}

}  // namespace
}  // namespace wmi::frontends
