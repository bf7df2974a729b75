// A command whose texts are full of characters that mean something to a shell or to roff.

#pragma once

#include <vector>

#include "frontends/ciber/pages.h"
#include "frontends/cli/command.h"

namespace wmi::frontends {

inline Command hostile() {
  static constexpr Setting settings[] = {
      {"law", "LAW", "", "one of 'a[0]=[-1,1]': $(false) \\n"},
      {"mode", "NAME", "", "how", kind::OneOf{"slow|fast"}},
      {"quiet", "", "", "says \"nothing\""},
  };
  return {.name = "try",
          .usage = "FILE",
          .description = ".TH is no macro here\n'nor this\nback\\slash -- and ~ ^",
          .settings = settings,
          .examples = "ciber try 'a b' \\\n  --quiet\n",
          .summary = "it's [odd]: 100% of `this` $HOME",
          .configurable = false};
}

inline std::vector<Command> commands_with_a_hostile_one() {
  std::vector<Command> commands = all_commands();
  commands.push_back(hostile());
  return commands;
}

}  // namespace wmi::frontends
