#include "tests/skipped.h"

#include <cstdlib>
#include <iostream>

#include "tests/process.h"
#include "tests/source_directory.h"

namespace fs = std::filesystem;

void skipped(const std::string& why) { std::cout << "skipped: " << why << std::endl; }

std::optional<fs::path> data_folder(const std::string& name) {
  const char* named = std::getenv("WMI_DATA");
  const fs::path data =
      named != nullptr ? fs::path(named) : source_directory() / ".." / "shared" / "data";
  if (fs::is_directory(data / name)) return data / name;
  skipped("no folder " + name + " in " + data.lexically_normal().string() +
          "; WMI_DATA names another place");
  return std::nullopt;
}

bool installed(const std::string& program) {
  const bool found = run("command -v " + program).exit == 0;
  if (!found) skipped("no " + program);
  return found;
}

std::optional<std::string> python(const std::string& statement, const std::string& needed) {
  for (const std::string& program : {quoted(program_path("../venv/bin/python3")),
                                     std::string("python3"), std::string("/usr/bin/python3")})
    if (run(program + " -c " + quoted(statement)).exit == 0) return program;
  skipped("no " + needed);
  return std::nullopt;
}
