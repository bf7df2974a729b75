#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "frontends/formats/format.h"
#include "solver/terms/error.h"
#include "tests/source_directory.h"

/// What an action complains about: `line:column: what`, or just `what` if it is nowhere.
template <typename Action>
std::string complaint(const Action& action) {
  try {
    action();
  } catch (const wmi::Error& error) {
    if (error.where().line == 0) return error.what();
    return std::to_string(error.where().line) + ":" + std::to_string(error.where().column) + ": " +
           error.what();
  }
  return "no complaint";
}

inline wmi::frontends::Source load(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {path.string(), std::string(std::istreambuf_iterator<char>(in), {})};
}

/// The golden files in our own language that can be read, in order.
inline std::vector<std::filesystem::path> golden_files() {
  std::vector<std::filesystem::path> paths;
  const std::filesystem::path folder = source_directory() / "tests" / "golden";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".smt2" &&
        !entry.path().filename().string().starts_with("error_"))
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}
