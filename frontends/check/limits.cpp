#include "frontends/check/limits.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <new>
#include <string_view>

#include "frontends/common/memory.h"

namespace wmi::check {
namespace {

[[noreturn]] void end(std::string_view message) {  // may not allocate
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message.data(), message.size());
  _exit(3);
}

extern "C" void out_of_time(int) { end("wmi-check: stopped by --timeout\n"); }

void out_of_memory() { end("wmi-check: stopped by --memory\n"); }

}  // namespace

void limit_time(double seconds) {
  const double whole = std::floor(seconds), rest = std::ceil((seconds - whole) * 1e6);
  std::signal(SIGALRM, out_of_time);
  const itimerval timer{{}, {static_cast<time_t>(whole), static_cast<suseconds_t>(rest)}};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

void limit_memory(std::size_t bytes) {
  std::set_new_handler(out_of_memory);
  frontends::let_gmp_call_new_handler();
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
}

}  // namespace wmi::check
