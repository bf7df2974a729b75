#include "frontends/data/splits.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "solver/terms/error.h"
#include "tests/temporary_directory.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

namespace fs = std::filesystem;

struct Directory {
  TemporaryDirectory directory;
  fs::path path = directory.path();
  Directory() {
    write("data.txt", " 1 2.5  10\n3 4e0 20\r\n5 6 30\n");
    write("index_features.txt", "0\n1\n");
    write("index_target.txt", "2\n");
    write("index_test_0.txt", "2.000000000000000000e+00\n");
    write("index_test_1.txt", "1\n0\n");
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
  }
  std::string refusal() const {
    try {
      read_split_directory(path);
    } catch (const Error& error) {
      std::string what = error.what();
      const std::size_t at = what.find(path.string());
      if (at != std::string::npos) what.erase(at, path.string().size() + 1);
      return what;
    }
    return "";
  }
};

}  // namespace

TEST_CASE("a directory of splits gives rows, features, target and test rows") {
  const Directory directory;
  const SplitData data = read_split_directory(directory.path);
  CHECK(data.rows.inputs.entries == std::vector<double>{1, 2.5, 3, 4, 5, 6});
  CHECK(data.rows.targets == std::vector<double>{10, 20, 30});
  REQUIRE(data.tests.size() == 2);
  CHECK(data.tests[1] == std::vector<std::size_t>{0, 1});
  CHECK(training_rows(data, 0) == std::vector<std::size_t>{0, 1});
  CHECK(training_rows(data, 1) == std::vector<std::size_t>{2});
}

TEST_CASE("rows with a mask for each split are read") {
  const Directory directory;
  fs::remove(directory.path / "data.txt");
  CHECK(directory.refusal().find("there is no data.txt, and no data.csv") != std::string::npos);
  directory.write("data.csv", "1,2.5,10\n3,4e0,20\n5,6,30\n");
  directory.write("test_mask.csv", "0,1\n0,1\n1,0\n");
  const SplitData data = read_split_directory(directory.path);
  CHECK(data.rows.inputs.entries == std::vector<double>{1, 2.5, 3, 4, 5, 6});
  CHECK(data.rows.targets == std::vector<double>{10, 20, 30});
  CHECK(data.tests == std::vector<std::vector<std::size_t>>{{2}, {0, 1}});
  const auto with = [&](const std::string& mask) {
    directory.write("test_mask.csv", mask);
    return directory.refusal();
  };
  CHECK(with("0,1\n0,1\n").find("test_mask.csv: has 2 rows, ") == 0);
  CHECK(with("0,1\n0,2\n1,0\n") ==
        "test_mask.csv: row 1 has a 2; 1 is for a test row, 0 for another");
  CHECK(with("0,1\n0,1\n0,0\n") == "test_mask.csv: split 0 leaves nothing to train or to test on");
}

TEST_CASE("errors in a directory of splits have their file and line") {
  const Directory directory;
  const auto with = [&](const std::string& name, const std::string& text) {
    const Directory fresh;
    fresh.write(name, text);
    return fresh.refusal();
  };
  CHECK(with("data.txt", "1 2 3\n4 x 6\n") == "data.txt:2: 'x' is no number");
  CHECK(with("data.txt", "1 2 nan\n") == "data.txt:1: 'nan' is no number");
  CHECK(with("data.txt", "1 2 3\n4 5\n") == "data.txt: row 1 has 2 numbers, the first has 3");
  CHECK(with("data.txt", "") == "data.txt: has no rows");
  CHECK(with("index_target.txt", "1 2") == "index_target.txt: names more than one column");
  CHECK(with("index_target.txt", "3") ==
        "index_target.txt: 3 is no number of a row or column, which are 0 to 2");
  CHECK(with("index_test_0.txt", "1\n1\n") == "index_test_0.txt: names a row twice");
  CHECK(with("index_test_0.txt", "0 1 2") == "index_test_0.txt: leaves no row for training");
  CHECK(with("index_test_0.txt", "-1") ==
        "index_test_0.txt: -1 is no number of a row or column, which are 0 to 2");
}
