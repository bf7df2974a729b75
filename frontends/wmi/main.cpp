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
    constexpr std::string_view sections[] = {"wmi"};  // of a --config file
    return run(wmi_command(), {argv + std::min(1, argc), argv + argc}, terminal, sections);
  });
}
