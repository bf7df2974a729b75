#include "frontends/learning/commands.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "frontends/ciber/learning.h"
#include "frontends/ciber/pages.h"
#include "tests/frontends/program.h"
#include "tests/process.h"
#include "tests/temporary_directory.h"

namespace wmi::frontends {

TEST_CASE("names of settings are not used twice, and defaults are of their kind") {
  for (const Command& command : commands()) {
    CAPTURE(command.name);
    const std::vector<Setting> table = all_settings(command);
    for (const Setting& setting : table) {
      CAPTURE(setting.name);
      CHECK(find(table, setting.name) == &setting);
      if (!setting.standard.empty())
        CHECK(!mistake(setting, std::string(setting.standard)).has_value());
    }
  }
}

TEST_CASE("every learning command of ciber is there, with its summary") {
  std::vector<Command> known(commands().begin(), commands().end());
  known.push_back(reproduce_command());
  const std::vector<Command> all = all_commands(known);
  for (const LearningCommand& listed : learning_commands) {
    CAPTURE(listed.name);
    const auto found = std::ranges::find(all, listed.name, &Command::name);
    REQUIRE(found != all.end());
    CHECK(found->summary == listed.description);
    CHECK(help(*found).starts_with("usage: ciber " + std::string(listed.name)));
  }
}

TEST_CASE("pages and completions are written without starting ciber-learning") {
  const TemporaryDirectory directory;
  namespace fs = std::filesystem;
  fs::copy_file(program_path("ciber"), directory.path("ciber"));
  const auto start = [&](const std::string& words) {
    return ::run(quoted(directory.path("ciber")) + " " + words);
  };
  CHECK(contains(start("man train").output, "ciber train"));
  CHECK(contains(start("man reproduce").errors, "no page about 'reproduce'"));
  CHECK(!contains(start("completion bash").output, "reproduce"));
  // Where it is installed, the experiments are described; starting it would fail.
  directory.file("ciber-learning", "#!/bin/sh\nexit 9\n");
  fs::permissions(directory.path("ciber-learning"), fs::perms::owner_all);
  const Finished page = start("man reproduce");
  CHECK(page.exit == 0);
  CHECK(contains(page.output, "quick"));
  const Finished shell = start("completion bash");
  CHECK(shell.exit == 0);
  CHECK(contains(shell.output, "reproduce"));
}

}  // namespace wmi::frontends
