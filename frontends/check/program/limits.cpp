#include "frontends/check/program/limits.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdint>
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

std::string_view no_memory = "wmi-check: not enough memory\n";

void out_of_memory() { end(no_memory); }

}  // namespace

void limit_time(double seconds) {
  const auto microseconds = static_cast<std::int64_t>(std::ceil(seconds * 1e6));
  std::signal(SIGALRM, out_of_time);
  const itimerval timer{{}, {microseconds / 1'000'000, microseconds % 1'000'000}};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

void end_without_memory() {
  std::set_new_handler(out_of_memory);
  frontends::let_gmp_call_new_handler();
}

void limit_memory(std::size_t bytes) {
  no_memory = "wmi-check: stopped by --memory\n";
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
}

}  // namespace wmi::check
