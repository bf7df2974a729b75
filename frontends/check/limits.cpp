#include "frontends/check/limits.h"

#include <gmp.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <new>
#include <string_view>

#include "solver/error.h"
#include "solver/rational.h"

namespace wmi::check {
namespace {

constexpr int stopped = 3;

[[noreturn]] void end(std::string_view message) {  // may not allocate
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message.data(), message.size());
  _exit(stopped);
}

extern "C" void out_of_time(int) { end("wmi-check: stopped by --timeout\n"); }

[[noreturn]] void out_of_memory() { end("wmi-check: stopped by --memory\n"); }

// GMP aborts when its allocation functions fail.
extern "C" void* allocate(std::size_t size) {
  void* const block = std::malloc(size);
  return block != nullptr ? block : (out_of_memory(), nullptr);
}

extern "C" void* reallocate(void* block, std::size_t, std::size_t size) {
  void* const moved = std::realloc(block, size);
  return moved != nullptr ? moved : (out_of_memory(), nullptr);
}

extern "C" void release(void* block, std::size_t) { std::free(block); }

}  // namespace

bool limit_time(const std::string& seconds) {
  double value = 0;
  try {
    value = parse_number(seconds).get_d();
  } catch (const Error&) {
    return false;
  }
  if (!(value >= 1e-6 && value <= 1e9)) return false;
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(value);
  timer.it_value.tv_usec = static_cast<suseconds_t>((value - std::floor(value)) * 1e6);
  std::signal(SIGALRM, out_of_time);
  return setitimer(ITIMER_REAL, &timer, nullptr) == 0;
}

bool limit_memory(const std::string& size) {
  std::string number = size;
  double unit = 1 << 20;
  if (!number.empty() && (number.back() == 'M' || number.back() == 'G')) {
    if (number.back() == 'G') unit = 1 << 30;
    number.pop_back();
  }
  double bytes = 0;
  try {
    bytes = parse_number(number).get_d() * unit;
  } catch (const Error&) {
    return false;
  }
  if (!(bytes >= 1 && bytes <= 1e15)) return false;
  mp_set_memory_functions(allocate, reallocate, release);
  std::set_new_handler(out_of_memory);
  const auto most = static_cast<rlim_t>(bytes);
  const rlimit limit{most, most};
  return setrlimit(RLIMIT_AS, &limit) == 0;
}

}  // namespace wmi::check
