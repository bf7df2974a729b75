// A data set with its splits: data.txt and the index files, or data.csv and its mask. Each split of
// what is accepted has rows to train and to test on.

#include "frontends/data/splits.h"

#include "tests/fuzz/folder.h"
#include "tests/fuzz/target.h"

using namespace wmi;
using namespace wmi::frontends;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  std::vector<std::string_view> parts = fuzz::parts(fuzz::text(data, size));
  const bool masked = parts.size() == 2;
  parts.resize(5);
  folder.file("data.csv", masked ? parts[0] : "");
  folder.file("test_mask.csv", masked ? parts[1] : "");
  folder.file("data.txt", masked ? "" : parts[0]);
  folder.file("index_features.txt", masked ? "" : parts[1]);
  folder.file("index_target.txt", parts[2]);
  folder.file("index_test_0.txt", parts[3]);
  folder.file("index_test_1.txt", parts[4]);
  SplitData found;
  try {
    found = read_split_directory(folder.path(""));
  } catch (const Error&) {
    return 0;
  }
  fuzz::require(found.rows.inputs.entries.size() == found.rows.rows() * found.rows.inputs.columns,
                "rows are full");
  for (std::size_t split = 0; split < found.tests.size(); ++split)
    fuzz::require(
        !found.tests[split].empty() && !training_rows(found, split).empty() &&
            found.tests[split].size() + training_rows(found, split).size() == found.rows.rows(),
        "a split divides the rows");
  return 0;
}
