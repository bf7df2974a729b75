// The caps of tables; tests/frontends/common/caps_test.cpp has the others.

#include "frontends/common/caps.h"

#include <doctest/doctest.h>

#include <functional>

#include "frontends/data/schema.h"
#include "frontends/data/table.h"
#include "frontends/packed/packed_file.h"
#include "solver/terms/error.h"
#include "tests/frontends/fault_injection.h"

namespace wmi::frontends {
namespace {

/// A table of numbers, the last column of words: w0, w1, ...
std::string table(std::size_t rows, std::size_t columns) {
  std::string text;
  for (std::size_t j = 0; j < columns; ++j) text += (j > 0 ? ",c" : "c") + std::to_string(j);
  for (std::size_t i = 0; i < rows; ++i) {
    text += "\n";
    for (std::size_t j = 0; j + 1 < columns; ++j) text += std::to_string(i * j + i) + ",";
    text += "w" + std::to_string(i);
  }
  return text + "\n";
}

struct Case {
  Cap& cap;
  std::size_t size;
  std::function<void(std::size_t size)> use;
};

TEST_CASE("input up to a cap is read, and larger input is refused unless the cap is raised") {
  const TemporaryDirectory directory;
  const Case cases[] = {
      {caps::columns, 5, [](std::size_t n) { parse_table(table(2, n), "t"); }},
      {caps::cells, 12, [](std::size_t n) { parse_table(table(n, 1), "t"); }},
      {caps::inputs, 4,  // c1 and a word each
       [](std::size_t n) { fit_schema(parse_table(table(n - 1, 3), "t"), "c0"); }},
      {caps::words, 6, [](std::size_t n) { fit_schema(parse_table(table(n, 3), "t"), "c0"); }},
      {caps::unpacked, 50,
       [&](std::size_t n) { read_unpacked(directory.file("data.txt", std::string(n, '1'))); }},
  };
  for (const auto& [cap, size, use] : cases) {
    CAPTURE(cap.name());
    cap.set(size);
    CHECK_NOTHROW(use(size));
    CHECK_THROWS_AS(use(size + 1), Error);
    cap.set(size + 1);
    CHECK_NOTHROW(use(size + 1));
    cap.set(cap.standard());
  }
}

TEST_CASE("--cap is an option of every command") {
  const TemporaryDirectory directory;
  const std::string data = directory.file("data.csv", table(30, 4));
  const std::vector<std::string> words = {"train",    data, "--target", "c0",
                                          "--ignore", "c3", "--out",    directory.path("run")};
  const auto with = [&](const std::string& cap) {
    std::vector<std::string> result = words;
    result.insert(result.end(), {"--epochs", "1", "--samples", "1", "--every", "1", "--cap", cap});
    return run_program("ciber", result);
  };
  const Finished refused = with("columns=3");
  CHECK(refused.exit == 1);
  CHECK(contains(refused.errors, "data.csv:1: more than 3 columns"));
  const Finished unknown = with("column=3");
  CHECK(unknown.exit == 2);
  CHECK(unknown.errors.starts_with("ciber: --cap: no cap named 'column'; choose file, "));
}

}  // namespace
}  // namespace wmi::frontends
