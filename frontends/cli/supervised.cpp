#include "frontends/cli/supervised.h"

#include <unistd.h>

#include <exception>

#include "frontends/cli/limits.h"
#include "solver/terms/error.h"

namespace wmi::frontends {

bool supervised(Terminal& terminal, unsigned threads,
                const std::function<void(const std::stop_token&)>& work,
                const std::function<std::string()>& progress,
                const std::function<std::string(std::string_view reason)>& stopped) {
  std::exception_ptr failure;
  Supervisor supervisor({}, threads);
  std::function<void()> tick;
  if (terminal.watched()) tick = [&] { terminal.progress(progress()); };
  const bool returned = supervisor.run(
      [&](const std::stop_token& stop) {
        try {
          work(stop);
        } catch (...) {
          failure = std::current_exception();
        }
      },
      tick);
  terminal.progress("");
  if (!returned) {
    terminal.say(stopped(supervisor.reason()));
    _exit(3);
  }
  if (!failure) return true;
  try {
    std::rethrow_exception(failure);
  } catch (const Stopped&) {
    terminal.say(stopped(supervisor.reason()));
    return false;
  }
}

}  // namespace wmi::frontends
