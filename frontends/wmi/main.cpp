#include <algorithm>
#include <string>
#include <vector>

#include "frontends/cli/program.h"
#include "frontends/wmi/command.h"

using namespace wmi::frontends;

int main(int argc, char** argv) {
  occupy_standard_streams();
  Terminal terminal;
  return guarded(terminal, [&] {
    const std::vector<std::string> words{argv + std::min(1, argc), argv + argc};
    std::vector<std::string_view> sections = {"wmi"};  // of a --config file
    const std::vector<Command> commands = wmi_commands();
    for (const Command& command : commands) sections.push_back(command.name);
    for (const Command& command : commands)
      if (!words.empty() && words[0] == command.name)
        return run(command, {words.begin() + 1, words.end()}, terminal, sections);
    return run(wmi_command(), words, terminal, sections);
  });
}
