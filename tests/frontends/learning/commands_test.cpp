#include "frontends/learning/commands.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "frontends/ciber/learning.h"
#include "frontends/ciber/pages.h"

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

}  // namespace wmi::frontends
