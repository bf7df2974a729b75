// The program `wmi`: what it prints, where, and how it exits.

#include <doctest/doctest.h>

#include <filesystem>

#include "frontends/formats/format.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "tests/frontends/json_lines.h"
#include "tests/frontends/program.h"
#include "tests/source_directory.h"

namespace wmi::frontends {
namespace {

// Answers

TEST_CASE("an answer is a fraction and its decimal") {
  const Finished right = wmi_reads(square + "(weight true x)(get-wmi)(get-expectation x)");
  CHECK(right.exit == 0);
  CHECK(right.output == "1/2 = 0.5\n2/3 = 0.66666666666666667\n");
  CHECK(right.errors.empty());
}

TEST_CASE("an enclosure prints its ends, rounded outwards, and holds the exact answer") {
  const std::string text = square + "(weight true (/ x 3))(get-wmi)";
  const Finished rounded =
      wmi_reads(text, {"--integrator", "mpfr", "--precision", "40", "--decimals", "5"});
  CHECK(rounded.exit == 0);
  CHECK(rounded.output == "[0.16666, 0.16667]\n");
  const std::vector<Json> answers =
      objects(wmi_reads(text, {"--integrator", "mpfr", "--precision", "40", "--json"}).output);
  REQUIRE(answers.size() == 1);
  CHECK(answers[0]["exact"].is_null());
  CHECK(parse_number(answers[0]["lower"].get<std::string>()) <= ratio(1, 6));
  CHECK(parse_number(answers[0]["upper"].get<std::string>()) >= ratio(1, 6));
  CHECK(parse_number(answers[0]["lower"].get<std::string>()) <
        parse_number(answers[0]["upper"].get<std::string>()));
}

TEST_CASE("JSON has one object for each query, its fields in order") {
  const Finished found =
      wmi_reads(square + "(check-sat)(echo \"a \"\"b\"\"\")(get-expectation x)", {"--json"});
  CHECK(found.exit == 0);
  CHECK(found.output ==
        R"json({"query":"(check-sat)","answer":"sat"}
{"echo":"a \"b\""}
{"query":"(get-expectation x)","exact":"1/2","decimal":"0.5","lower":"0.5","upper":"0.5","cells":1,"exactWithRespectTo":[]}
)json");
}

TEST_CASE("a density has a left and a right limit") {
  const std::string text = square + "(get-density x :at 1)";
  const std::vector<Json> answers = objects(wmi_reads(text, {"--json"}).output);
  REQUIRE(answers.size() == 1);
  CHECK(keys(answers[0]) == std::vector<std::string>{"query", "exact", "decimal", "lower", "upper",
                                                     "left", "right", "cells",
                                                     "exactWithRespectTo"});
  CHECK(answers[0]["exact"] == "0");
  CHECK(answers[0]["left"] == "1");
  CHECK(answers[0]["right"] == "0");
  const Finished plain = wmi_reads(text);
  CHECK(plain.output == "0 = 0\n");
  CHECK(
      plain.errors ==
      "wmi: -: note: (get-density x :at 1): the limit from the right; from the left it is 1 = 1\n");
}

TEST_CASE("a law is printed on one line, abbreviated if it is long") {
  const Finished coin = wmi_reads(square +
                                  "(declare-const b Bool)"
                                  "(get-distribution (ite b (* 2 x) 0))");
  CHECK(coin.output == "1/2 = 0.5; mass 1/2 at 0; density 1/4 from 0 to 2\n");
  // Uniform on twenty unit intervals, each of another height.
  std::string heights = "(declare-const x Real) (assert (<= 0 x 20))";
  for (int i = 1; i < 20; ++i) heights += "(weight (> x " + std::to_string(i) + ") 2)";
  heights += "(get-distribution x)";
  CHECK(wmi_reads(heights).output.ends_with("; and 8 more, see --exact or --json\n"));
  CHECK(contains(wmi_reads(heights, {"--exact"}).output, " from 19 to 20\n"));
  CHECK(objects(wmi_reads(heights, {"--json"}).output)[0]["pieces"].size() == 20);
}

TEST_CASE("a text in no known format: the message names the option that helps") {
  const Finished found = wmi_reads("hello");
  CHECK(found.exit == 1);
  CHECK(contains(found.errors, "-:1:1: the format is not recognised; name it with --format: "));
}

TEST_CASE("--plot draws each law that was asked for") {
  const TemporaryDirectory directory;
  const std::string out = directory.path("law.svg");
  const std::string text = square + "(get-distribution x)(get-wmi)(get-distribution (* 2 x))";
  const Finished drawn = wmi_reads(text, {"--plot", out});
  CHECK(drawn.exit == 0);
  CHECK(drawn.errors.empty());
  CHECK(contains(contents(out), "law of x"));
  CHECK(contains(contents(directory.path("law-2.svg")), "law of (* 2 x)"));
  CHECK(!fs::exists(directory.path("law-3.svg")));

  const Finished nothing = wmi_reads(one, {"--plot", directory.path("none.svg")});
  CHECK(nothing.exit == 0);
  CHECK(contains(nothing.errors, "--plot: there is no law to draw"));
  CHECK(!fs::exists(directory.path("none.svg")));
  CHECK(wmi_reads(text, {"--plot", "-"}).exit == 2);
  const Finished nowhere = wmi_reads(text, {"--plot", directory.path("no/such/law.svg")});
  CHECK(nowhere.exit == 1);
  CHECK(contains(nowhere.errors, "cannot write to"));
}

TEST_CASE("the pictures of the documents are what --plot draws") {
  const TemporaryDirectory directory;
  const fs::path docs = source_directory() / "docs";
  const std::string out = directory.path("law.svg");
  CHECK(wmi({"--plot", out, docs / "examples" / "law.smt2"}).exit == 0);
  CHECK(contents(out) == contents(docs / "pictures" / "law.svg"));
}

TEST_CASE("an undefined answer is an answer") {
  const std::string text = square + "(get-probability (< x 1) :given (> x 2))";
  const Finished plain = wmi_reads(text);
  CHECK(plain.exit == 0);
  CHECK(plain.output == "undefined: the condition has probability 0\n");
  const Finished json = wmi_reads(text, {"--json"});
  CHECK(json.exit == 0);
  CHECK(contains(
      json.output,
      R"json("exact":null,"decimal":null,"undefined":"the condition has probability 0")json"));
}

TEST_CASE("a refused query is an error, and the others are answered") {
  const Finished found = wmi_reads(
      square + "(define-fun z () Real (ite (< x 0.5) 0 x))\n(get-density z :at 0)\n(get-wmi)");
  CHECK(found.exit == 1);
  CHECK(found.output == "1 = 1\n");
  CHECK(found.errors.starts_with("wmi: -:3:1: "));
  CHECK(contains(found.errors, "point mass of 1/2 at 0"));
  CHECK(lines(found.errors) == 1);
}

TEST_CASE("a long fraction prints as its decimal, and in full on demand") {
  // 1/7^300, a fraction of 254 digits in the denominator
  const std::string text = square + "(weight true (^ (/ 1 7) 300))(get-wmi)";
  CHECK(wmi_reads(text).output ==
        "2.9552076050124081e-254 (a fraction of 255 digits; --exact prints it)\n");
  const std::string full = wmi_reads(text, {"--exact"}).output;
  CHECK(full.starts_with("1/338385702007491040936883"));
  CHECK(full.ends_with("84180001 = 2.9552076050124081e-254\n"));
  const std::vector<Json> answers = objects(wmi_reads(text, {"--json"}).output);
  REQUIRE(answers.size() == 1);
  CHECK(ratio(1, 1) / power(Rational(7), 300) == Rational(answers[0]["exact"].get<std::string>()));
}

TEST_CASE("--decimals sets the number of significant digits") {
  const std::string text = square + "(weight true (/ 2 3))(get-wmi)";
  CHECK(wmi_reads(text, {"--decimals", "3"}).output == "2/3 = 0.667\n");
  CHECK(wmi_reads(text, {"--decimals", "30"}).output == "2/3 = 0.666666666666666666666666666667\n");
}

TEST_CASE("statistics are separate from answers, which are the same bytes each time") {
  const std::string text = square + "(weight (< x 0.5) 2)(get-wmi)(get-variance x)";
  const Finished plain = wmi_reads(text, {"--stats"});
  CHECK(plain.output == wmi_reads(text).output);
  CHECK(plain.errors.starts_with("wmi: -: 2 queries, "));
  CHECK(contains(plain.errors, " seconds"));
  CHECK(wmi_reads(text, {"--json"}).output == wmi_reads(text, {"--json"}).output);
  for (const Json& answer : objects(wmi_reads(text, {"--json", "--stats"}).output)) {
    CHECK(answer["seconds"].is_number());
    CHECK(answer["vertices"].get<int>() >= 2);
  }
}

/// Reals in [0, 1], and what relates each to the next.
std::string unit_reals(int count, const std::string& between) {
  std::string result;
  for (int i = 0; i < count; ++i) {
    const std::string name = "x" + std::to_string(i);
    result += "(declare-const " + name + " Real)(assert (<= 0 " + name + " 1))\n";
    if (i > 0 && !between.empty())
      result += "(assert (" + between + " x" + std::to_string(i - 1) + " " + name + "))\n";
  }
  return result;
}

TEST_CASE("statistics say what was done instead of a search, and so does a missing certificate") {
  // Of 6 ordered numbers.
  const std::string chain = unit_reals(6, "<") + "(get-wmi)";
  const Finished ordered = wmi_reads(chain, {"--stats"});
  CHECK(ordered.output.starts_with("1/720 = "));
  CHECK(contains(ordered.errors, " messages between "));
  CHECK(objects(wmi_reads(chain, {"--json", "--stats"}).output)[0]["messages"].get<int>() > 2);
  // Two forms with all of 12 reals, the second of which is true everywhere.
  std::string box = unit_reals(12, "");
  for (const int power : {1, 2}) {
    box += "(assert (<= (+";
    for (int i = 1; i <= 12; ++i)
      box += " (* " + std::to_string(power == 1 ? i : i * i) + " x" + std::to_string(i - 1) + ")";
    box += power == 1 ? ") 39))" : ") 650))";
  }
  box += "(get-wmi)";
  const Finished cut = wmi_reads(box, {"--stats"});
  CHECK(cut.output == "1/2 = 0.5\n");
  CHECK(contains(cut.errors, "wmi: -: 1 box with cuts integrated without vertices\n"));
  CHECK(objects(wmi_reads(box, {"--json", "--stats"}).output)[0]["cutBoxes"] == 1);

  const TemporaryDirectory directory;
  const std::string proof = directory.path("proof");
  const Finished uncertified = wmi({"--certificate", proof, directory.file("box.smt2", box)});
  CHECK(uncertified.exit == 3);
  CHECK(uncertified.output == "1/2 = 0.5\n");
  CHECK(contains(uncertified.errors,
                 "no certificate: a region has more than 4096 vertices; its answers were found "
                 "without a search, which a certificate needs"));
  CHECK(!std::filesystem::exists(proof));
}

// Files

TEST_CASE("a bad file does not stop the next, and the exit code is the largest") {
  const TemporaryDirectory directory;
  const std::string good = directory.file("good.smt2", one);
  const std::string bad = directory.file("bad.smt2", "(assert\n  (< x 1))");
  const Finished found = wmi({"--json", good, bad, directory.path("missing.smt2"), good});
  CHECK(found.exit == 1);
  const std::vector<Json> answers = objects(found.output);
  REQUIRE(answers.size() == 2);
  for (const Json& answer : answers) {
    CHECK(keys(answer)[0] == "file");
    CHECK(answer["file"] == good);
    CHECK(answer["exact"] == "1");
  }
  CHECK(contains(found.errors, "wmi: " + bad + ":2:6: "));
  CHECK(contains(found.errors, "wmi: " + directory.path("missing.smt2") +
                                   ": cannot be opened: No such file or directory\n"));
  CHECK(lines(found.errors) == 2);
  CHECK_FALSE(objects(wmi({"--json", good}).output)[0].contains("file"));
}

TEST_CASE("a directory is no file") {
  const Finished found = wmi({"/"});
  CHECK(found.exit == 1);
  CHECK(found.errors == "wmi: /: cannot be read: Is a directory\n");
}

TEST_CASE("a file whose name looks like an option follows --") {
  const Finished found = wmi({"--", "--json"});
  CHECK(found.exit == 1);
  CHECK(found.errors == "wmi: --json: cannot be opened: No such file or directory\n");
}

TEST_CASE("--parse-only prints errors and nothing else") {
  const Finished good = wmi_reads(one, {"--parse-only"});
  CHECK(good.exit == 0);
  CHECK(good.output.empty());
  CHECK(good.errors.empty());
  const Finished bad = wmi_reads("(get-wmi", {"--parse-only"});
  CHECK(bad.exit == 1);
  CHECK(lines(bad.errors) == 1);
}

TEST_CASE("what --write-smtlib writes has the same answers") {
  const TemporaryDirectory directory;
  const std::string out = directory.path("out.smt2");
  const std::string text = square + "(weight (< x 0.25) (* 3 x))(get-wmi)(get-expectation x)";
  const Finished written = wmi_reads(text, {"--write-smtlib", out});
  CHECK(written.exit == 0);
  CHECK(written.output.empty());
  CHECK(wmi({out}).output == wmi_reads(text).output);
  CHECK("; written by wmi\n" + wmi_reads(text, {"--write-smtlib", "-"}).output == contents(out));
  const std::string pure = wmi_reads(text, {"--write-smtlib", "-", "--pure"}).output;
  CHECK(contains(pure, "assert"));
  CHECK_FALSE(contains(pure, "weight"));
  const Finished impossible = wmi_reads(text, {"--write-smtlib", directory.path("no/where")});
  CHECK(impossible.exit == 1);
  CHECK(lines(impossible.errors) == 1);
}

TEST_CASE("an error is one line, whatever the file contains") {
  const Finished found = wmi_reads("(assert |a\nb\x1b[31m" + std::string(5000, 'c') + "|)");
  CHECK(found.exit == 1);
  CHECK(lines(found.errors) == 1);
  CHECK(found.errors.size() < 1000);
  CHECK_FALSE(contains(found.errors, "\x1b"));
}

TEST_CASE("output that cannot be written is an error") {
  const Finished found = wmi_in({.input = one, .output = "/dev/full"}, {"-"});
  CHECK(found.exit == 1);
  CHECK(found.errors == "wmi: cannot write to standard output: No space left on device\n");
  CHECK(wmi_in({.input = "", .output = "/dev/full"}, {"--help"}).exit == 1);
}

// Usage

TEST_CASE("the help names everything that can be chosen") {
  const Finished found = wmi({"--help"});
  CHECK(found.exit == 0);
  CHECK(found.output.starts_with("usage: wmi [options] FILE...\n"));
  for (const EnumeratorEntry& entry : enumerators())
    CHECK(contains(found.output, std::string(entry.name)));
  for (const IntegratorEntry& entry : integrators())
    CHECK(contains(found.output, std::string(entry.name)));
  for (const FormatEntry& entry : formats()) CHECK(contains(found.output, std::string(entry.name)));
  for (const char* option :
       {"--enumerator NAME", "--integrator NAME", "--precision BITS", "--digits N", "--gap WIDTH",
        "--threads N", "--timeout SECONDS", "--memory SIZE", "--exact", "--decimals N", "--json",
        "--format NAME", "--stats", "--parse-only", "--write-smtlib OUT", "--pure", "--version",
        "--help"})
    CHECK(contains(found.output, option));
}

TEST_CASE("the version is one line") {
  const Finished found = wmi({"--version"});
  CHECK(found.exit == 0);
  CHECK(found.output.starts_with("wmi "));
  CHECK(lines(found.output) == 1);
}

TEST_CASE(
    "every enumerator and integrator of the tables can be chosen, and any number of threads") {
  for (const EnumeratorEntry& enumerator : enumerators())
    for (const IntegratorEntry& integrator : integrators()) {
      CAPTURE(enumerator.name);
      CAPTURE(integrator.name);
      const Finished found =
          wmi_reads(one, {"--enumerator", std::string(enumerator.name),
                          "--integrator=" + std::string(integrator.name), "--threads", "2"});
      CHECK(found.exit == 0);
      CHECK(lines(found.output) == 1);
    }
}

TEST_CASE("bad usage is one line that says what would help") {
  const struct {
    std::vector<std::string> arguments;
    std::string error;
  } mistakes[] = {
      {{}, "no FILE given; see --help"},
      {{"--json"}, "no FILE given; see --help"},
      {{"--integrator", "exat", "-"},
       "--integrator: no integrator named 'exat'; choose auto, triangulation, face-lattice or "
       "mpfr"},
      {{"--format", "x\ny", "-"}, "--format: no format named 'x\\ny'; choose "},
      {{"--enumerator", "", "-"},
       "--enumerator: no enumerator named ''; choose split, exact-split or z3"},
      {{"--jsn", "-"}, "--jsn: 'wmi' has no such option; did you mean --json?"},
      {{"--jsn=1", "-"}, "--jsn: 'wmi' has no such option; did you mean --json?"},
      {{"-q", "-"}, "-q: 'wmi' has no such option; see --help"},
      {{"-", "--timeout"}, "--timeout: needs a value; see --help"},
      {{"--timeout", "0", "-"}, "--timeout: '0' is no number of seconds"},
      {{"--timeout", "-1", "-"}, "--timeout: '-1' is no number of seconds"},
      {{"--timeout", "soon", "-"}, "--timeout: 'soon' is no number of seconds"},
      {{"--timeout", "nan", "-"}, "--timeout: 'nan' is no number of seconds"},
      {{"--memory", "0", "-"}, "--memory: '0' is no size; write megabytes, or a unit: 500M, 2G"},
      {{"--memory", "2X", "-"}, "--memory: '2X' is no size"},
      {{"--memory", "1e30", "-"}, "--memory: '1e30' is no size"},
      {{"--decimals", "0", "-"}, "--decimals: '0' is no whole number from 1 to 10000"},
      {{"--decimals", "3.5", "-"}, "--decimals: '3.5' is no whole number"},
      {{"--precision", "99999999999999999999", "-"}, "--precision: '99999999999999999999' is no"},
      {{"--digits", "0", "-"}, "--digits: '0' is no whole number from 1 to 1000"},
      {{"--gap", "0", "-"}, "--gap: '0' is no number above 0, like 1e-6 or 1/1000"},
      {{"--gap", "1/0", "-"}, "--gap: '1/0' is no number above 0, like 1e-6 or 1/1000"},
      {{"--digits", "9", "--integrator", "mpfr", "-"}, "--digits: needs --integrator auto"},
      {{"--threads", "0", "-"}, "--threads: '0' is no whole number from 1"},
      {{"--json=maybe", "-"}, "--json: takes no value"},
      {{"--pure", "-"}, "--pure: needs --write-smtlib OUT"},
      {{"--write-smtlib", "-", "a", "b"}, "--write-smtlib: takes one FILE at a time"},
  };
  for (const auto& mistake : mistakes) {
    CAPTURE(mistake.error);
    const Finished found = wmi(mistake.arguments);
    CHECK(found.exit == 2);
    CHECK(found.output.empty());
    CHECK(found.errors.starts_with("wmi: " + mistake.error));
    CHECK(lines(found.errors) == 1);
  }
}

}  // namespace
}  // namespace wmi::frontends
