#include "frontends/python/core/interruptible.h"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <utility>

#include "frontends/python/core/released_lock.h"

namespace wmi::python {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto poll_interval = 20ms;  // between two looks at signals
constexpr auto grace = 1s;            // between asking the work to stop and abandoning it
constexpr std::size_t stack = std::size_t{512} << 20;  // Z3 recurses on terms

/// Shared by the two threads, of which either may end first.
struct Job {
  std::function<void(std::stop_token)> work;
  std::stop_source stop;
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::exception_ptr failure;

  static void* run(void* shared) {
    const std::unique_ptr<std::shared_ptr<Job>> owner(static_cast<std::shared_ptr<Job>*>(shared));
    Job& job = **owner;
    std::exception_ptr failure;
    try {
      job.work(job.stop.get_token());
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(job.mutex);
    job.failure = failure;
    job.done = true;
    job.ended.notify_all();
    return nullptr;
  }

  /// Whether the work has ended, after waiting for it until then.
  bool ended_by(Clock::time_point time) {
    std::unique_lock lock(mutex);
    return ended.wait_until(lock, time, [this] { return done; });
  }
};

void start(const std::shared_ptr<Job>& job) {
  for (const std::size_t bytes : {stack, stack / 8, stack / 64}) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    auto owner = std::make_unique<std::shared_ptr<Job>>(job);
    pthread_t thread{};
    const bool started = pthread_create(&thread, &attributes, Job::run, owner.get()) == 0;
    pthread_attr_destroy(&attributes);
    if (!started) continue;
    [[maybe_unused]] const auto* const taken = owner.release();  // by the thread
    return;
  }
  throw std::bad_alloc();
}

}  // namespace

Ended run_interruptibly(std::function<void(std::stop_token)> work, std::optional<Seconds> timeout) {
  namespace py = pybind11;
  const auto job = std::make_shared<Job>();
  job->work = std::move(work);
  const Clock::time_point begin = Clock::now();
  start(job);
  std::optional<Clock::time_point> limit, give_up;
  if (timeout) limit = begin + std::chrono::duration_cast<Clock::duration>(*timeout);
  std::exception_ptr interrupted;
  for (;;) {
    bool done = false;
    {
      const ReleasedLock released;
      auto next = Clock::now() + poll_interval;
      if (limit && !give_up) next = std::min(next, *limit);
      done = job->ended_by(next);
    }
    if (!interrupted && PyErr_CheckSignals() != 0)
      interrupted = std::make_exception_ptr(py::error_already_set());
    const Clock::time_point now = Clock::now();
    if (!done && !give_up && (interrupted || (limit && now >= *limit))) {
      job->stop.request_stop();
      give_up = now + grace;
    }
    if (done || (give_up && now >= *give_up)) {
      if (interrupted) std::rethrow_exception(interrupted);
      if (done && job->failure) std::rethrow_exception(job->failure);
      return done ? Ended::finished : Ended::abandoned;
    }
  }
}

}  // namespace wmi::python
