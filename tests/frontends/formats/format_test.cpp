#include "frontends/formats/format.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "frontends/formats/sequential.h"
#include "tests/frontends/reading.h"
#include "tests/skipped.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

/// The name of the format that a text is taken for.
std::string recognised(const Source& source) {
  for (const FormatEntry& entry : formats())
    if (entry.recognise(source)) return std::string(entry.name);
  return "none";
}

std::string recognised(const std::string& text) { return recognised(Source{"-", text}); }

}  // namespace

TEST_CASE("a format is recognised by its content") {
  CHECK(recognised("(declare-const x Real)") == "smtlib");
  CHECK(recognised("; (* \n  ( get-wmi)") == "smtlib");
  CHECK(recognised("(* (var bool A))") == "kolb");
  CHECK(recognised("(& (var bool A))\n(const real 1.0)") == "sequential");
  CHECK(recognised("(| (var bool A))\n(const real 1.0)") == "sequential");
  CHECK(recognised(R"({"domain": [["x", "real", [0, 1]]], "formula": ""})") == "wmpy");
  CHECK(recognised(R"({"domain": [], "formula": ""})") == "wmpy");
  CHECK(recognised(R"({"domain": {"variables": []}})") == "pywmi");
  CHECK(recognised(R"({"domain": [{"name": "x"}], "support": ""})") == "road");
  CHECK(recognised(R"({"domain": [], "support": ""})") == "road");
  CHECK(recognised("\xef\xbb\xbf (get-wmi)") == "smtlib");
  CHECK(recognised("1,2,3") == "none");
  CHECK(recognised("{}") == "none");
  CHECK(
      recognised(R"({"formula": "domain", "a": {"domain": {}, "support": 1}, "domain" : [ []]})") ==
      "wmpy");
  CHECK(recognised(R"({"\"domain": 1, "b": ["]}"], "domain": {}})") == "pywmi");
  CHECK(recognised(Source{"a.query", "(check-sat)"}) == "triple");
}

TEST_CASE("exactly one format recognises a text") {
  for (const char* text : {"(get-wmi)", "(* (var bool A))", "(& (var bool A))",
                           R"({"domain": [["x"]], "formula": ""})", R"({"domain": {}})",
                           R"({"domain": [{}], "support": ""})"}) {
    CAPTURE(text);
    CHECK(std::count_if(formats().begin(), formats().end(), [&](const FormatEntry& entry) {
            return entry.recognise({"-", text});
          }) == 1);
  }
}

TEST_CASE("recognition accepts any text without an error") {
  const std::string whole =
      R"({"a\"": [1, {"b": "}"}], "domain": [{"name": "x"}], "support": "\\"} trailing ]})";
  for (std::size_t length = 0; length <= whole.size(); ++length)
    for (const FormatEntry& entry : formats()) {
      CAPTURE(length);
      CHECK_NOTHROW(entry.recognise({"-", whole.substr(0, length)}));
    }
}

TEST_CASE("every format has a unique name and a description") {
  std::set<std::string_view> names;
  for (const FormatEntry& entry : formats()) {
    CHECK(names.insert(entry.name).second);
    CHECK_FALSE(entry.description.empty());
  }
}

TEST_CASE("a named format overrides recognition by content") {
  CHECK(read({"-", "(get-wmi)"}, "smtlib") == read({"-", "(get-wmi)"}));
  CHECK(complaint([] {
          read({"-", "(get-wmi)"}, "kolb");
        }) == "1:1: expected (* SUPPORT WEIGHT ...)");
}

TEST_CASE("a text in no format is refused") {
  CHECK(complaint([] { read({"-", ""}); }) == "1:1: the file is empty");
  CHECK(complaint([] { read({"-", " \n"}, "kolb"); }) == "1:1: the file is empty");
  CHECK(complaint([] { read({"-", "; only a comment"}); }) == "1:1: the file has no commands");
  CHECK(complaint([] {
          read({"-", "hello"});
        }) ==
        "1:1: the format is not recognised; name it: smtlib, triple, wmpy, pywmi, "
        "road, kolb or sequential");
  CHECK(complaint([] {
          read({"-", "(get-wmi)"}, "latte");
        }) ==
        "no format named 'latte'; choose smtlib, triple, wmpy, pywmi, road, kolb or sequential");
  CHECK(complaint([] { read({"-", "{\"domain\": [}"}); }) == "1:13: expected a value, not '}'");
  CHECK(complaint([] { read({"-", "{\"a\": }"}); }) == "1:7: expected a value, not '}'");
  CHECK(complaint([] { read({"-", "{\"a\": 1}"}); }).starts_with("1:1: the format is not recog"));
}

TEST_CASE("every sample problem is read, and read back from SMT-LIB") {
  const std::optional<std::filesystem::path> folder = data_folder("wmi");
  if (!folder) return;
  std::map<std::string, std::string> expected = {
      {"triples", "triple"}, {"road", "road"},      {"dets", "pywmi"},
      {"random", "wmpy"},    {"synthetic", "wmpy"}, {"sequential", "sequential"},
      {"kolb", "kolb"},
  };
  std::map<std::string, int> files;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder))
    if (entry.is_regular_file() && entry.path().parent_path() != *folder)
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const std::filesystem::path& path : paths) {
    CAPTURE(path.string());
    const std::string kind = path.parent_path().filename().string();
    const Source source = load(path);
    const std::string format =
        kind == "kolb" && path.extension() == ".json" ? "wmpy" : expected[kind];
    CHECK(recognised(source) == format);
    Script script;
    REQUIRE_NOTHROW(script = read(source));
    ++files[kind];
    CHECK(script.size() == (kind == "road" ? 2 : 1));
    for (const Task& task : script) {
      CHECK(task.problem.integrated.size() >= 2);
      CHECK(task.problem.observations.size() == (&task == &script[0] ? 0 : 1));
      CHECK_FALSE(task.problem.assertions.empty());
      CHECK_FALSE(task.problem.weights.empty());
    }
    const std::size_t queries = kind == "triples" || kind == "road" ? 2
                                : kind == "dets"                    ? 6
                                : kind == "sequential" ? 1 + stored_answers(source).size()
                                                       : 1;
    CHECK((kind == "road" ? script[0].queries.size() + script[1].queries.size()
                          : script[0].queries.size()) == queries);
    if (source.text.size() < 100'000)
      CHECK(read_smtlib({"copy.smt2", write_smtlib(script)}) == script);
  }
  CHECK(files["kolb"] == 50);
  CHECK(files["triples"] == 12);
  CHECK(files["sequential"] == 5);
  CHECK(files["dets"] == 8);
  CHECK(files["road"] == 14);
  CHECK(files["random"] == 90);
  CHECK(files["synthetic"] == 20);
}
