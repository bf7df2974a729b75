// Which directory may use which, and which library is used where, read off the #include lines.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "tests/source_directory.h"

namespace {

namespace fs = std::filesystem;

struct Include {
  std::string file;  // relative to the root of the repository
  std::string header;
  bool in_header() const { return file.ends_with(".h"); }
};

std::vector<Include> read_includes() {
  const fs::path root = source_directory();
  const std::regex directive(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"].*)");
  std::vector<Include> includes;
  for (const char* directory : {"solver", "encoders", "bnn", "frontends"}) {
    if (!fs::exists(root / directory)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / directory)) {
      const fs::path& path = entry.path();
      if (path.extension() != ".h" && path.extension() != ".cpp") continue;
      std::ifstream in(path);
      std::smatch match;
      for (std::string line; std::getline(in, line);)
        if (std::regex_match(line, match, directive))
          includes.push_back({fs::relative(path, root).generic_string(), match[1]});
    }
  }
  return includes;
}

const std::vector<Include>& includes() {
  static const std::vector<Include> result = read_includes();
  return result;
}

bool matches(const std::string& text, const std::string& pattern) {
  return std::regex_match(text, std::regex(pattern));
}

/// Files of the repository that match `file` include, of our own headers, only those of `allowed`.
void check_knows_only(const std::string& file, const std::string& allowed) {
  for (const Include& include : includes()) {
    if (!matches(include.file, file)) continue;
    if (!matches(include.header, "(solver|encoders|bnn|frontends|tests)/.*")) continue;
    CAPTURE(include.file);
    CAPTURE(include.header);
    CHECK(matches(include.header, allowed));
  }
}

/// Headers of a library that match `header` are included by `files` alone.
void check_lives_only_in(const std::string& header, const std::string& files) {
  for (const Include& include : includes()) {
    if (!matches(include.header, header)) continue;
    CAPTURE(include.header);
    CAPTURE(include.file);
    CHECK(matches(include.file, files));
  }
}

/// The vocabulary.
const std::string vocabulary = "solver/terms/.*";

/// Headers that show FLINT and Arb; they are not installed.
const std::string private_headers =
    "solver/(numeric/.*|smooth/(?!rectified_normals).*|messages/"
    "(answered_goals|block_integrator|message_passing)|"
    "laws/likelihoods/kernel|"
    "laws/softmax/laplace(_rule)?)\\.h";

/// Limits that docs/certificate.md states for the checker, and for it with its command line.
constexpr std::size_t most_checker_lines = 1500, most_program_lines = 1990;

/// Without blank lines and comments.
std::size_t code_lines(const fs::path& directory) {
  const std::regex nothing(R"(^\s*(//.*)?$)");
  std::size_t lines = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) lines += !std::regex_match(line, nothing);
  }
  return lines;
}

}  // namespace

TEST_CASE("the sources were found") { CHECK(includes().size() > 50); }

TEST_CASE("solver/ knows itself only") { check_knows_only("solver/.*", "solver/.*"); }

TEST_CASE("the vocabulary knows itself only") { check_knows_only(vocabulary, vocabulary); }

TEST_CASE("the directories of the solver form layers") {
  const std::string geometry = vocabulary + "|solver/geometry/.*";
  // Univariate polynomials have fast arithmetic, and quadrature and root finding use them.
  const std::string numeric = vocabulary + "|solver/numeric/.*|solver/laws/univariate\\.h";
  // An integral is the mass of a law, which the cones at the vertices give.
  const std::string integrators = geometry +
                                  "|solver/numeric/.*|solver/integrator\\.h|solver/integrators/.*|"
                                  "solver/laws/(truncated_powers|vertex_cones)\\.h";
  check_knows_only("solver/geometry/.*", geometry);
  check_knows_only("solver/numeric/.*", numeric);
  check_knows_only("solver/integrators/.*", integrators);
  check_knows_only("solver/laws/.*", integrators + "|solver/laws/.*");
  // Bounds of weights with smooth functions.
  check_knows_only("solver/enumerators/.*", geometry +
                                                "|solver/enumerator\\.h|solver/enumerators/.*|"
                                                "solver/numeric/function_range\\.h");
  check_knows_only(
      "solver/smooth/.*",
      "solver/(terms|geometry|numeric|integrators|laws|smooth)/.*|solver/integrator\\.h");
  check_knows_only("solver/answers/.*",
                   "solver/(terms|geometry|numeric|integrators|laws|smooth|enumerators|answers)/.*|"
                   "solver/(answer|enumerator|integrator)\\.h");
  check_knows_only(
      "solver/messages/.*",
      "solver/(terms|geometry|numeric|integrators|laws|enumerators|answers|messages)/.*|"
      "solver/(answer|enumerator|integrator)\\.h");
  check_knows_only("solver/(enumerator|integrator)\\.(h|cpp)",
                   geometry + "|solver/(enumerator|integrator)\\.h|solver/enumerators/.*");
}

TEST_CASE("encoders/ knows the solver only") {
  check_knows_only("encoders/.*", "(encoders|solver)/.*");
}

TEST_CASE("bnn/ knows encoders and solver only") {
  check_knows_only("bnn/.*", "(bnn|encoders|solver)/.*");
}

TEST_CASE("formats know the vocabulary and common/ only") {
  check_knows_only("frontends/formats/.*", "frontends/(common|formats)/.*|" + vocabulary);
}

TEST_CASE("the command-line layer knows common/, the formats and the vocabulary only") {
  check_knows_only("frontends/cli/.*", "frontends/(cli|common|formats)/.*|" + vocabulary);
}

TEST_CASE("toml++ lives in one file") {
  check_lives_only_in("toml.*", "frontends/cli/config_toml\\.cpp");
}

TEST_CASE("messages of libraries name no command-line options") {
  const std::regex option(R"re(^[^/]*"[^"]*--[a-z].*)re");
  for (const char* directory :
       {"solver", "encoders", "bnn", "frontends/common", "frontends/formats", "frontends/networks",
        "frontends/data", "frontends/plots"})
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(source_directory() / directory)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      CAPTURE(entry.path());
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        CAPTURE(line);
        CHECK(!std::regex_match(line, option));
      }
    }
}

TEST_CASE("common/ knows the vocabulary only, and no library but GMP") {
  check_knows_only("frontends/common/.*", "frontends/common/.*|" + vocabulary);
  for (const Include& include : includes())
    if (matches(include.file, "frontends/common/.*"))
      CHECK(!matches(include.header, "(fmt|nlohmann)/.*"));
}

TEST_CASE("zlib and liblzma live in one file") {
  check_lives_only_in("(zlib|lzma)\\.h", "frontends/packed/packed_file\\.cpp");
  check_knows_only("frontends/packed/.*", "frontends/(common|packed)/.*|" + vocabulary);
}

TEST_CASE("pybind11 lives in the extension of the Python package, which nothing else knows") {
  check_lives_only_in("pybind11/.*|Python\\.h", "frontends/python/core/.*");
  check_lives_only_in("frontends/python/.*", "frontends/python/core/.*");
}

TEST_CASE("data/ knows nothing of command lines") {
  check_knows_only("frontends/data/.*",
                   "frontends/(common|data|networks|packed)/.*|frontends/formats/json\\.h|"
                   "(bnn|encoders)/.*|" +
                       vocabulary);
}

TEST_CASE("plots know the solver and common/ only") {
  check_knows_only("frontends/plots/.*", "frontends/(common|plots)/.*|solver/.*");
}

TEST_CASE("the checker knows the vocabulary only, its command line the readers as well") {
  check_knows_only("frontends/check/[a-z_]+\\.(h|cpp)",
                   "frontends/check/[a-z_]+\\.h|" + vocabulary);
  check_knows_only("frontends/check/program/.*",
                   "frontends/check/.*|frontends/common/.*|"
                   "frontends/formats/(format|smtlib_writer)\\.h|"
                   "frontends/networks/network\\.h|encoders/network\\.h|" +
                       vocabulary);
  check_knows_only(
      "encoders/(algebra|attributes|enclosure|network|smooth_function)\\.(h|cpp)|encoders/layers/"
      ".*",
      "encoders/(algebra|attributes|enclosure|network|smooth_function|tensor)\\.h|encoders/layers/"
      ".*|" +
          vocabulary);
  for (const Include& include : includes())
    if (matches(include.file, "frontends/check/.*")) {
      CAPTURE(include.header);
      CHECK(!matches(include.header, "(z3|cdd|mpfr|mpfi|flint|fmt|nlohmann|thread|mutex).*"));
    }
}

TEST_CASE("the checker has at most as many lines of code as its document says") {
  const std::size_t checker = code_lines(source_directory() / "frontends/check"),
                    program = code_lines(source_directory() / "frontends/check/program");
  CHECK(checker > 500);
  CHECK(checker < most_checker_lines);
  CHECK(program > 100);
  CHECK(checker + program < most_program_lines);
}

TEST_CASE("networks know encoders, the vocabulary, common/ and the JSON reader only") {
  check_knows_only("frontends/networks/[a-z_]+\\.(h|cpp)",
                   "frontends/common/.*|frontends/networks/[a-z_]+\\.h|"
                   "frontends/formats/json\\.h|encoders/.*|" +
                       vocabulary);
}

TEST_CASE("the reader of ONNX knows networks and compressed files as well") {
  check_knows_only("frontends/networks/onnx/.*",
                   "frontends/(common|networks|packed)/.*|encoders/.*|" + vocabulary);
}

TEST_CASE("protobuf and the messages of ONNX live in three files") {
  check_lives_only_in("(onnx|google)/.*",
                      "frontends/networks/onnx/(field_count|model|tensors)\\.cpp");
}

TEST_CASE("Z3 lives in one file") { check_lives_only_in("z3.*", "solver/enumerators/smt\\.cpp"); }

TEST_CASE("cddlib lives in one file") {
  check_lives_only_in("(.*/)?(cdd.*|setoper)\\.h", "solver/geometry/polytope\\.cpp");
}

TEST_CASE("MPFR and MPFI live in one file") {
  check_lives_only_in("(mpfr|mpfi).*", "solver/integrators/mpfr\\.cpp");
}

TEST_CASE("FLINT and Arb work inside the solver, in private headers, not in the vocabulary") {
  check_lives_only_in("flint/.*|(arb|acb|arf|mag).*\\.h|fmp[zq].*\\.h",
                      "(?!" + vocabulary + ")(solver|bnn)/.*\\.cpp|" + private_headers);
  for (const Include& include : includes())
    if (matches(include.header, private_headers) && include.in_header())
      CHECK(matches(include.file, private_headers));
}

TEST_CASE("torch lives in bnn/torch/") {
  check_lives_only_in("(torch|ATen|c10)/.*|bnn/torch/tensors\\.h", "bnn/torch/.*");
  check_lives_only_in("bnn/torch/.*",
                      "bnn/torch/.*|frontends/learning/(main\\.cpp|experiments/.*)");
}

TEST_CASE("no header of the solver needs anything but GMP and the standard library") {
  for (const Include& include : includes()) {
    if (!include.in_header() || !include.file.starts_with("solver/")) continue;
    if (matches(include.file, private_headers)) continue;
    CAPTURE(include.file);
    CAPTURE(include.header);
    const bool standard = matches(include.header, "[a-z_]+");
    CHECK((standard || include.header == "gmpxx.h" || include.header.starts_with("solver/")));
  }
}

TEST_CASE("a source includes its own header first") {
  std::string previous;
  for (const Include& include : includes()) {
    const bool first = include.file != previous;
    previous = include.file;
    if (!first || include.in_header()) continue;
    const std::string header = fs::path(include.file).replace_extension(".h").generic_string();
    if (!fs::exists(source_directory() / header)) continue;
    CAPTURE(include.file);
    CHECK(include.header == header);
  }
}

TEST_CASE("every header is guarded") {
  for (const Include& include : includes()) {
    if (!include.in_header()) continue;
    CAPTURE(include.file);
    std::ifstream in(source_directory() / include.file);
    std::string first;
    std::getline(in, first);
    CHECK(first == "#pragma once");
  }
}
