#pragma once

#include <unistd.h>

#include <chrono>
#include <functional>
#include <stop_token>

#include "frontends/cli/limits.h"
#include "frontends/cli/terminal.h"

namespace wmi::frontends {

/// Runs `run.work` under a supervisor, shows `run.progress` on a terminal, and returns the exit status
/// `run.finish`. Work that does not stop at a limit is abandoned: `run.print_bounds` prints what is
/// known so far, and the process ends here.
template <class Run>
int supervised_run(Run& run, Supervisor& supervisor, Terminal& terminal) {
  std::function<void()> show_progress;
  if (terminal.watched()) show_progress = [&] { terminal.progress(run.progress()); };
  const bool returned =
      supervisor.run([&run](const std::stop_token& stop) { run.work(stop); }, show_progress);
  if (!returned) {  // nothing here may be destroyed: the work still runs
    within(std::chrono::seconds(3), [&run] {
      run.print_bounds();
      return run.finish();
    });
    _exit(3);
  }
  terminal.progress("");
  return run.finish();
}

}  // namespace wmi::frontends
