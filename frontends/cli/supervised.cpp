#include "frontends/cli/supervised.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <exception>
#include <optional>

#include "frontends/cli/usage_error.h"
#include "frontends/common/amounts.h"
#include "frontends/common/line.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds said_interval{60};

}  // namespace

bool supervised(Terminal& terminal, unsigned threads,
                const std::function<void(const std::stop_token&)>& work,
                const std::function<std::string()>& progress,
                const std::function<std::string(std::string_view reason)>& stopped,
                const Limits& limits) {
  std::exception_ptr failure;
  Supervisor supervisor(limits, threads);
  std::function<void()> tick;
  auto said = Clock::now();
  if (progress && terminal.watched())
    tick = [&] { terminal.progress(progress()); };
  else if (progress)
    tick = [&] {  // in a log, a line now and then
      if (Clock::now() < said + said_interval) return;
      said = Clock::now();
      terminal.say(progress());
    };
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

int within_timeout(const Settings& settings, Terminal& terminal, const std::function<int()>& body) {
  if (!settings.given("timeout")) return body();
  const std::optional<double> seconds = parse_seconds(settings.text("timeout"));
  if (!seconds)
    throw UsageError(fmt::format("--timeout: '{}' is no number of seconds above 0 and up to {}",
                                 one_line(settings.text("timeout")), most_seconds));
  Supervisor supervisor({.time = std::chrono::duration<double>(*seconds), .memory = {}});
  std::exception_ptr failure;
  int status = 0;
  const bool returned = supervisor.run([&](const std::stop_token&) {
    try {
      status = body();
    } catch (...) {
      failure = std::current_exception();
    }
  });
  if (!returned) {
    terminal.say(fmt::format("stopped by {} after {:.3g} seconds", supervisor.reason(),
                             supervisor.elapsed().count()));
    _exit(3);
  }
  if (failure) std::rethrow_exception(failure);
  return status;
}

}  // namespace wmi::frontends
