// Runs a fuzz target on files, and on all files of directories: seeds, and what once failed.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "tests/fuzz/target.h"

namespace fs = std::filesystem;

int main(int argc, char** argv) {
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    if (!fs::is_directory(argv[i])) {
      files.emplace_back(argv[i]);
      continue;
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(argv[i]))
      if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
      std::cerr << file.string() << ": cannot be read\n";
      return 1;
    }
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::cout << file.filename().string() << std::endl;  // said before it may fail
    const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    // Cut off anywhere, it is bad input as well.
    for (const std::size_t size : {bytes.size(), bytes.size() / 2, bytes.size() / 3})
      LLVMFuzzerTestOneInput(data, size);
  }
  if (files.empty()) {
    std::cerr << "no files\n";
    return 1;
  }
  return 0;
}
