#include "frontends/data/journal.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"
#include "tests/temporary_directory.h"

namespace wmi::frontends {
namespace {

TEST_CASE("a journal keeps whole groups and refuses another setup") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("journal.csv");
  {
    Journal journal(file, "group,a", "one");
    journal.add("2", {"x,1", "y,2"});
    journal.add("1", {"z,3"});
  }
  CHECK(contents(file) == "# one\ngroup,a\n1,z,3\n2,x,1\n2,y,2\n");
  CHECK(Journal(file, "group,a", "one").groups().at("2") == std::vector<std::string>{"x,1", "y,2"});
  CHECK_THROWS_AS(Journal(file, "group,a", "two"), Error);
  CHECK_THROWS_AS(Journal(file, "group,b", "one"), Error);
}

TEST_CASE("an unfinished last line of a journal is ignored, and one without a group is refused") {
  const TemporaryDirectory directory;
  const std::string file = directory.file("journal.csv", "# one\ngroup,a\n1,z\n2,");
  const Journal journal(file, "group,a", "one");
  CHECK(journal.groups().size() == 1);
  directory.file("journal.csv", "# one\ngroup,a\nx\n");
  CHECK_THROWS_AS(Journal(file, "group,a", "one"), Error);
}

}  // namespace
}  // namespace wmi::frontends
