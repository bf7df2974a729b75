#include "frontends/common/outputs.h"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>

#include "frontends/common/read_file.h"
#include "frontends/common/write_file.h"
#include "tests/temporary_directory.h"

namespace wmi::frontends {
namespace {

constexpr std::array<std::string_view, 1> svg = {"<svg "};

TEST_CASE("a file that was read is never replaced by a result, whatever it is called") {
  const TemporaryDirectory directory;
  const std::string file = directory.file("in.txt", "<svg this looks like a result");
  std::filesystem::create_hard_link(file, directory.path("hard"));
  std::filesystem::create_symlink(file, directory.path("soft"));
  read_file(file);
  for (const std::string& name :
       {file, directory.path("hard"), directory.path("soft"), directory.path("./in.txt")}) {
    CAPTURE(name);
    CHECK_THROWS_AS(refuse_input(name), WriteError);
    CHECK_THROWS_AS(check_output(name, svg, true), WriteError);
    CHECK_THROWS_AS(save_result(name, "new"), WriteError);
  }
  CHECK(contents(file) == "<svg this looks like a result");
  save_result(directory.path("other"), "new");
  CHECK(contents(directory.path("other")) == "new");
}

TEST_CASE("a name is noted like a file that was read, and a missing one is ignored") {
  const TemporaryDirectory directory;
  const std::string file = directory.file("in.txt", "a");
  note_input(file);
  note_input(directory.path("missing"));
  note_input(directory.path("").substr(0, 1));  // a directory
  CHECK_THROWS_AS(refuse_input(file), WriteError);
  CHECK_NOTHROW(refuse_input(directory.path("missing")));
}

TEST_CASE("an earlier result is replaced, another file only if that is asked for") {
  const TemporaryDirectory directory;
  const std::string result = directory.file("result", "<svg old");
  const std::string other = directory.file("other", "<sv");
  CHECK_NOTHROW(check_output(result, svg, false));
  CHECK_NOTHROW(check_output(directory.file("empty", ""), svg, false));
  CHECK_NOTHROW(check_output(directory.path("missing"), svg, false));
  CHECK_NOTHROW(check_output("/dev/null", svg, false));
  CHECK_THROWS_WITH_AS(check_output(other, svg, false),
                       (other + " is there already, and is no earlier result of this; name another "
                                "file")
                           .c_str(),
                       WriteError);
  CHECK_THROWS_AS(check_output(result, {}, false), WriteError);
  CHECK_NOTHROW(check_output(other, svg, true));
}

}  // namespace
}  // namespace wmi::frontends
