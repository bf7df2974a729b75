// ciber-learning: the commands of ciber that train, sample and predict; ciber starts it.

#include <csignal>

#include "frontends/ciber/learning.h"
#include "frontends/ciber/pages.h"
#include "frontends/cli/program.h"
#include "frontends/common/line.h"
#include "frontends/learning/commands.h"
#include "frontends/wmi/options.h"

using namespace wmi::frontends;

int main(int argc, char** argv) {
  // ciber had blocked them, so that threads started by libraries before main do not receive them.
  mask_signals(SIG_UNBLOCK);
  occupy_standard_streams();
  Terminal terminal("ciber");
  return guarded(terminal, [&]() -> int {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    for (const Command& command : commands())
      if (!arguments.empty() && command.name == arguments[0])
        return run(command, {arguments.begin() + 1, arguments.end()}, terminal);
    if (!arguments.empty() && (arguments[0] == "man" || arguments[0] == "completion")) {
      std::vector<ManualPage> pages;
      for (const Command& command : commands()) pages.push_back(page(command));
      return manual(arguments, pages, terminal);
    }
    throw UsageError("ciber-learning is started by ciber; see ciber --help");
  });
}
