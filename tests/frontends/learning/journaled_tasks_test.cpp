#include "frontends/learning/journaled_tasks.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"
#include "tests/temporary_directory.h"

using namespace wmi;
using namespace wmi::frontends;

TEST_CASE("tasks that a journal has are not run again") {
  const TemporaryDirectory scratch;
  const std::string file = scratch.path("journal.csv");
  std::vector<std::size_t> runs;
  const auto task = [&](std::size_t i) -> std::vector<std::string> {
    runs.push_back(i);
    if (i == 2 && runs.size() == 3) throw Stopped();
    return {std::to_string(10 * i)};
  };
  {
    Journal journal(file, "task,number", "tens");
    JournaledTasks tasks(journal, 4, 3);
    CHECK(tasks.done() == 0);
    CHECK_THROWS_AS(tasks.run(1, task), Stopped);
    CHECK(tasks.done() == 2);
  }
  Journal journal(file, "task,number", "tens");
  JournaledTasks tasks(journal, 4, 3);
  CHECK(tasks.open() == 2);
  tasks.run(1, task);
  CHECK(tasks.done() == tasks.count());
  CHECK(runs == std::vector<std::size_t>{0, 1, 2, 2, 3});
  for (std::size_t i = 0; i < 4; ++i) CHECK(tasks.lines(i).at(0) == std::to_string(10 * i));
  CHECK(contents(file) == "# tens\ntask,number\n000,0\n001,10\n002,20\n003,30\n");
}
