// ciber-learning: the commands of ciber, with LibTorch. Users start it through ciber.

#include <algorithm>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "bnn/torch/tensor_model.h"
#include "bnn/training/model.h"
#include "frontends/ciber/job_table.h"
#include "frontends/ciber/learning.h"
#include "frontends/ciber/pages.h"
#include "frontends/cli/program.h"
#include "frontends/cli/usage_error.h"
#include "frontends/learning/commands.h"
#include "frontends/wmi/jobs/job_commands.h"

using namespace wmi::frontends;

int main(int argc, char** argv) {
  // ciber has blocked these signals for the threads that LibTorch has started by now.
  mask_signals(SIG_UNBLOCK);
  occupy_standard_streams();
  wmi::bnn::use_tensor_models(wmi::bnn::make_tensor_model);
  Terminal terminal("ciber");
  add_job_commands(learning_job_commands());
  return guarded(terminal, [&]() -> int {
    const std::vector<std::string> arguments(argv + std::min(1, argc), argv + argc);
    std::vector<Command> known(commands().begin(), commands().end());
    known.push_back(reproduce_command());
    for (Command& command : job_commands("ciber", ciber_job_commands()))
      known.push_back(std::move(command));
    for (const Command& command : known)
      if (!arguments.empty() && command.name == arguments[0])
        return run(command, {arguments.begin() + 1, arguments.end()}, terminal, config_sections());
    throw UsageError("ciber-learning is started by ciber; see ciber --help");
  });
}
