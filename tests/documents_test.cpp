// What documents say of the repository is true: the files that they name exist, links lead
// somewhere, the words of the glossary are in order. And their lines fit into 100 columns.

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/source_directory.h"

namespace {

namespace fs = std::filesystem;

constexpr std::size_t columns = 100;

struct Line {
  std::string text;
  std::size_t number;
  bool code;  // fenced or indented
};

struct Document {
  std::string name;  // relative to the root of the repository
  std::vector<Line> lines;
};

/// A code block is fenced, or indented by four blanks after an empty line; but not within a list
/// item, where such a line goes on with the text.
Document read_document(const fs::path& root, const fs::path& path) {
  Document result{fs::relative(path, root).generic_string(), {}};
  std::ifstream in(path);
  bool fenced = false, indented = false, after_blank = true;
  for (std::string line; std::getline(in, line);) {
    const bool fence = line.starts_with("```"), blank = line.empty();
    if (fence) fenced = !fenced;
    indented = blank ? indented : line.starts_with("    ") && (indented || after_blank);
    result.lines.push_back({line, result.lines.size() + 1, fence || fenced || indented});
    after_blank = blank;
  }
  return result;
}

std::vector<Document> read_documents() {
  const fs::path root = source_directory();
  std::set<fs::path> paths{root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md"};
  for (const char* const directory : {"docs", "docs/decisions"})
    for (const fs::directory_entry& entry : fs::directory_iterator(root / directory))
      if (entry.path().extension() == ".md") paths.insert(entry.path());
  std::vector<Document> result;
  for (const fs::path& path : paths) result.push_back(read_document(root, path));
  return result;
}

const std::vector<Document>& documents() {
  static const std::vector<Document> result = read_documents();
  return result;
}

const Document& document(const std::string& name) {
  const auto found = std::ranges::find(documents(), name, &Document::name);
  REQUIRE(found != documents().end());
  return *found;
}

/// The first group of each match of the pattern in the line.
std::vector<std::string> matches(const std::string& line, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> result;
  for (std::sregex_iterator match(line.begin(), line.end(), regex), end; match != end; ++match)
    result.push_back((*match)[1]);
  return result;
}

std::vector<std::string> code_spans(const std::string& line) { return matches(line, "`([^`]+)`"); }

bool is_repository_path(const std::string& text) {
  static const std::regex path(
      R"((solver|encoders|bnn|frontends|tests|docs|third_party|\.ci)/[a-z0-9_./-]*)");
  return std::regex_match(text, path);
}

/// The names of all files of the sources, without their directories.
std::set<std::string> file_names() {
  std::set<std::string> result;
  for (const char* const directory : {"solver", "encoders", "bnn", "frontends", "tests", "docs"})
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(source_directory() / directory))
      result.insert(entry.path().filename().string());
  return result;
}

/// The anchors of a page's headings, as code hosts make them.
std::set<std::string> anchors(const Document& page) {
  std::set<std::string> result;
  for (const Line& line : page.lines) {
    if (line.code || !line.text.starts_with("#")) continue;
    std::string anchor;
    for (const char c : line.text.substr(line.text.find(' ') + 1))
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_')
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      else if (c == ' ')
        anchor += '-';
    result.insert(anchor);
  }
  return result;
}

/// Characters, not bytes.
std::size_t width(const std::string& line) {
  return static_cast<std::size_t>(std::ranges::count_if(
      line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

}  // namespace

TEST_CASE("the documents were found") { CHECK(documents().size() > 25); }

TEST_CASE("every path of the repository that a document names exists") {
  std::size_t checked = 0;
  for (const Document& page : documents())
    for (const Line& line : page.lines) {
      if (line.code) continue;
      for (const std::string& span : code_spans(line.text)) {
        if (!is_repository_path(span)) continue;
        ++checked;
        CAPTURE(page.name);
        CAPTURE(line.number);
        CAPTURE(span);
        CHECK(fs::exists(source_directory() / span));
      }
    }
  CHECK(checked > 100);
}

TEST_CASE("every source file that a document names without its directory exists") {
  const std::set<std::string> names = file_names();
  for (const Document& page : documents())
    for (const Line& line : page.lines) {
      if (line.code) continue;
      for (const std::string& span : code_spans(line.text)) {
        if (!std::regex_match(span, std::regex(R"([a-z0-9_]+\.(h|cpp|py))"))) continue;
        CAPTURE(page.name);
        CAPTURE(line.number);
        CAPTURE(span);
        CHECK(names.contains(span));
      }
    }
}

TEST_CASE("every link between documents leads somewhere") {
  for (const Document& page : documents()) {
    const fs::path directory = (source_directory() / page.name).parent_path();
    for (const Line& line : page.lines) {
      if (line.code) continue;
      for (const std::string& target : matches(line.text, R"(\]\(([^)\s]+)\))")) {
        if (target.starts_with("http")) continue;
        CAPTURE(page.name);
        CAPTURE(line.number);
        CAPTURE(target);
        const std::size_t hash = target.find('#');
        const std::string file = target.substr(0, hash);
        const fs::path path =
            file.empty() ? source_directory() / page.name : (directory / file).lexically_normal();
        CHECK(fs::exists(path));
        if (hash != std::string::npos && fs::exists(path))
          CHECK(anchors(read_document(source_directory(), path)).contains(target.substr(hash + 1)));
      }
    }
  }
}

TEST_CASE("the three walks through the code name files that exist") {
  const Document& page = document("docs/architecture.md");
  bool within = false;
  std::vector<std::size_t> files;  // of each walk
  for (const Line& line : page.lines) {
    if (line.text.starts_with("## ")) within = line.text == "## Walks";
    if (!within || line.code) continue;
    if (line.text.starts_with("### ")) files.push_back(0);
    for (const std::string& span : code_spans(line.text)) {
      if (!is_repository_path(span)) continue;
      REQUIRE(!files.empty());
      ++files.back();
      CAPTURE(line.number);
      CAPTURE(span);
      CHECK(fs::is_regular_file(source_directory() / span));
    }
  }
  REQUIRE(files.size() == 3);
  for (const std::size_t count : files) CHECK(count >= 4);
}

TEST_CASE("the table of directories in docs/architecture.md is complete") {
  const Document& page = document("docs/architecture.md");
  std::set<std::string> named;
  for (const Line& line : page.lines)
    if (line.text.starts_with("| `"))
      for (const std::string& span : code_spans(line.text.substr(0, line.text.find(" |", 1))))
        named.insert(span);
  for (const char* const root : {"solver", "encoders", "bnn", "frontends"})
    for (const fs::directory_entry& entry : fs::directory_iterator(source_directory() / root)) {
      if (!entry.is_directory()) continue;
      const std::string name =
          fs::relative(entry.path(), source_directory()).generic_string() + "/";
      CAPTURE(name);
      CHECK(named.contains(name));
    }
}

TEST_CASE("the latest version of the changelog is that of the project") {
  const auto first = [](const fs::path& path, const std::string& pattern) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);)
      for (const std::string& version : matches(line, pattern)) return version;
    return std::string();
  };
  const std::string changelog =
      first(source_directory() / "CHANGELOG.md", R"(^## ([0-9.]+) - [0-9]{4}-[0-9]{2}-[0-9]{2}$)");
  CHECK(!changelog.empty());
  CHECK(changelog ==
        first(source_directory() / "CMakeLists.txt", R"(project\(wmi VERSION ([0-9.]+))"));
}

TEST_CASE("the README has no counts that go stale") {
  for (const Line& line : document("README.md").lines) {
    CAPTURE(line.number);
    CHECK(!std::regex_search(line.text, std::regex("[0-9]+ (tests|files|lines|layers|formats)")));
  }
}

TEST_CASE("the glossary is in alphabetical order, and each line is short") {
  std::vector<std::string> terms;
  for (const Line& line : document("docs/glossary.md").lines) {
    if (!line.text.starts_with("| ") || line.text.starts_with("| term ")) continue;
    const std::vector<std::string> cells = matches(line.text, R"(\|([^|]*)(?=\|))");
    REQUIRE(cells.size() == 3);
    std::string term = trimmed(cells[0]);
    for (char& c : term) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    terms.push_back(term);
    CAPTURE(term);
    const std::string meaning = trimmed(cells[1]);
    CHECK(std::ranges::count(meaning, ' ') < 14);
    CHECK(code_spans(cells[2]).size() == 1);
  }
  CHECK(terms.size() > 50);
  CHECK(std::ranges::is_sorted(terms));
  CHECK(std::ranges::adjacent_find(terms) == terms.end());
}

TEST_CASE("prose is wrapped at 100 columns; tables, code and pictures are not") {
  for (const Document& page : documents())
    for (const Line& line : page.lines) {
      const std::string text = trimmed(line.text);
      if (line.code || text.starts_with("|") || text.starts_with("![")) continue;
      if (text.find(' ') == std::string::npos) continue;  // one long word
      CAPTURE(page.name);
      CAPTURE(line.number);
      CHECK(width(line.text) <= columns);
    }
}
