#include "frontends/wmi/jobs/program_build.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "tests/process.h"
#include "tests/skipped.h"

namespace wmi::frontends {
namespace {

TEST_CASE("the build of this program is the one that is written in its file") {
  const std::string build = program_build();
  CHECK(build.find_first_not_of("0123456789abcdef") == std::string::npos);
  if (!installed("readelf")) return;
  const std::string notes =
      ::run("readelf --notes " + ::quoted(std::filesystem::read_symlink("/proc/self/exe"))).output;
  const std::string mark = "Build ID: ";
  const std::size_t at = notes.find(mark);
  CHECK(build == (at == std::string::npos
                      ? ""
                      : notes.substr(at + mark.size(), notes.find('\n', at) - at - mark.size())));
}

}  // namespace
}  // namespace wmi::frontends
