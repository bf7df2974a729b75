// The calling thread waits in poll() for the end of the work (an eventfd), for a signal (a
// signalfd: signals are blocked in every thread, so no handler ever runs), and for the next time at
// which the clock, the resident memory or the progress is due.
//
// Memory is limited by what the allocator counts (counted_memory.h) and by the resident size, which
// is read every 20 ms and after each megabyte that a thread allocates. At the limit the work is asked
// to stop. At the wall, a tenth above it, a thread that allocates waits for the end of the process,
// and the work is abandoned; threads that report what is known may go on. A much higher limit on the
// address space is the last wall, where nothing is counted: when it is hit, it is lifted, the
// allocation succeeds, and the work is asked to stop as at any other limit. Only if the system is
// out of memory does the allocating thread wait for the end of the process.
#include "frontends/cli/limits.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <new>
#include <utility>

#include "frontends/cli/counted_memory.h"
#include "frontends/common/memory.h"

namespace wmi::frontends {
namespace {

using namespace std::chrono_literals;

constexpr auto grace = 1s;              // between asking the work to stop and abandoning it
constexpr auto memory_interval = 20ms;  // between two readings of the resident size
constexpr auto tick_interval = 200ms;   // between two lines of progress
constexpr std::size_t wall_share = 10;  // the wall is a tenth of the limit above it
constexpr std::size_t margin = std::size_t{2} << 30;   // of address space, above the limit
constexpr std::size_t stack = std::size_t{512} << 20;  // of a thread: Z3 recurses on terms
constexpr std::size_t arena = std::size_t{64} << 20;   // that malloc reserves for a thread

constexpr std::initializer_list<std::pair<int, const char*>> ending_signals = {
    {SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}};

// State of the allocation handlers, which must not allocate.
std::atomic<int> wake_up = -1;  // an eventfd that the supervisor waits for
std::atomic<bool> exhausted = false;
std::atomic<std::size_t> most_memory = 0;  // the limit, in bytes; 0: none
std::atomic<std::size_t> uncounted = 0;    // resident bytes that the allocator has not given out
std::atomic<bool> over_limit = false, at_wall = false;
std::atomic<int> statm_file = -1;
thread_local bool supervisor = false;  // whether this thread is the supervisor's
thread_local bool reports = false;     // whether it may allocate beyond the wall

void wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_up, &one, sizeof one);
}

bool lift_address_space_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return false;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_AS, &limit) == 0;
}

/// The new handler: returns if allocating again may succeed.
void out_of_memory() {
  const bool first = !exhausted.exchange(true);
  if (first && lift_address_space_limit()) {
    wake();
    return;
  }
  if (supervisor) {
    constexpr std::string_view message = "wmi: not enough memory\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message.data(), message.size());
    _exit(3);
  }
  wake();
  for (;;) pause();
}

/// A field of /proc/self/statm, in bytes; 0 where there is no such file.
std::size_t statm_bytes(int statm, int field) {
  char text[128];
  const ssize_t length = pread(statm, text, sizeof text, 0);
  const char* at = text;
  const char* const end = text + std::max<ssize_t>(length, 0);
  for (; field > 0 && at != end; ++at)
    if (*at == ' ') --field;
  std::size_t pages = 0;
  std::from_chars(at, end, pages);
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// What a new block of so many bytes would make of the memory in use.
std::size_t memory_with(std::size_t bytes) {
  return std::max(statm_bytes(statm_file, 1), counted_bytes() + uncounted) +
         std::min(bytes, SIZE_MAX / 4);
}

/// Called by the allocator, see watch_allocations.
void check_memory(std::size_t bytes) {
  const std::size_t most = most_memory;
  if (most == 0 || supervisor || reports) return;
  const std::size_t used = memory_with(bytes);
  if (used <= most) return;
  if (!over_limit.exchange(true)) wake();
  if (used <= most + most / wall_share) return;
  if (!at_wall.exchange(true)) wake();
  for (;;) pause();
}

void limit_address_space(std::size_t bytes) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, bytes);
  setrlimit(RLIMIT_AS, &limit);
}

/// Sets the stack size of all threads started from now on.
void give_threads_stack(std::size_t bytes) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

/// nohup makes a program ignore SIGHUP, which is respected. A shell makes a background program
/// ignore SIGINT because of the keyboard; a SIGINT that is sent on purpose is still handled.
sigset_t wanted_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const auto& [signal, name] : ending_signals) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    if (signal != SIGHUP || action.sa_handler != SIG_IGN) sigaddset(&set, signal);
  }
  return set;
}

const char* signal_name(std::uint32_t number) {
  for (const auto& [signal, name] : ending_signals)
    if (static_cast<std::uint32_t>(signal) == number) return name;
  return "a signal";
}

}  // namespace

struct Supervisor::Job {
  std::function<void(std::stop_token)> work;
  std::stop_token stop;
  std::atomic<bool> done = false;

  static void* start(void* self) {
    Job& job = *static_cast<Job*>(self);
    job.work(job.stop);
    job.done = true;
    wake();
    return nullptr;
  }
};

Supervisor::Supervisor(const Limits& limits, unsigned threads) : limits_(limits) {
  supervisor = true;
  give_threads_stack(stack / std::max(1u, threads / 16));
  const sigset_t signals = wanted_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signals_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  wake_up = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  statm_ = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  std::set_new_handler(out_of_memory);
  let_gmp_call_new_handler();
  statm_file = statm_;
  over_limit = at_wall = false;
  if (limits_.memory) {
    count_memory();
    const std::size_t resident = statm_bytes(statm_, 1), counted = counted_bytes();
    uncounted = resident > counted ? resident - counted : 0;
    watch_allocations(check_memory);
  }
  most_memory = limits_.memory.value_or(0);
  if (limits_.memory)
    limit_address_space(statm_bytes(statm_, 0) + 2 * *limits_.memory + margin +
                        threads * (stack + arena));
}

Supervisor::~Supervisor() {
  most_memory = 0;
  close(signals_);
  close(wake_up);
  close(statm_);
}

bool Supervisor::over_memory() const {
  return limits_.memory && (over_limit || statm_bytes(statm_, 1) > *limits_.memory);
}

bool Supervisor::at_memory_wall() const {
  return limits_.memory &&
         (at_wall || statm_bytes(statm_, 1) > *limits_.memory + *limits_.memory / wall_share);
}

void allow_memory_for_report() { reports = true; }

/// The name of the limit or signal that has been reached, or null.
const char* Supervisor::reached() const {
  signalfd_siginfo signal{};
  if (read(signals_, &signal, sizeof signal) == sizeof signal) return signal_name(signal.ssi_signo);
  if (limits_.time && elapsed() >= *limits_.time) return "--timeout";
  if (over_memory()) return "--memory";
  if (exhausted) return limits_.memory ? "--memory" : "lack of memory";
  return nullptr;
}

bool Supervisor::run(std::function<void(std::stop_token)> work, const std::function<void()>& tick) {
  auto job = std::make_unique<Job>();
  job->work = std::move(work);
  job->stop = stop_.get_token();
  pthread_t thread{};
  bool started = false;
  for (const std::size_t bytes : {stack, stack / 8, stack / 64}) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    started = pthread_create(&thread, &attributes, Job::start, job.get()) == 0;
    pthread_attr_destroy(&attributes);
    if (started) break;
  }
  if (!started) throw std::bad_alloc();

  std::optional<Clock::time_point> give_up;
  Clock::time_point next_tick = Clock::now() + tick_interval;
  while (!job->done) {
    auto next = Clock::now() + 1h;
    if (limits_.memory) next = std::min(next, Clock::now() + memory_interval);
    if (tick) next = std::min(next, next_tick);
    if (give_up)
      next = std::min(next, *give_up);
    else if (limits_.time)
      next = std::min(next, start_ + std::chrono::ceil<Clock::duration>(*limits_.time));
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now());
    pollfd events[] = {{signals_, POLLIN, 0}, {wake_up, POLLIN, 0}};
    poll(events, 2, static_cast<int>(std::max<std::int64_t>(wait.count(), 0)));
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t drained = read(wake_up, &count, sizeof count);
    if (job->done) break;

    if (!give_up) {
      if (const char* reason = reached()) {
        reason_ = reason;
        stop_.request_stop();
        give_up = Clock::now() + grace;
      }
    }
    if (give_up) {
      signalfd_siginfo again{};
      const bool impatient = read(signals_, &again, sizeof again) == sizeof again;
      if (impatient || at_memory_wall() || Clock::now() >= *give_up) {
        job.release();  // NOLINT: the work still uses it
        pthread_detach(thread);
        return false;
      }
    }
    if (tick && Clock::now() >= next_tick) {
      tick();
      next_tick = Clock::now() + tick_interval;
    }
  }
  pthread_join(thread, nullptr);
  return true;
}

}  // namespace wmi::frontends
