#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <thread>

namespace wmi::frontends {

/// Limits on the time and memory of a run.
struct Limits {
  std::optional<std::chrono::duration<double>> time;
  std::optional<std::size_t> memory;  // bytes of resident memory
};

/// Runs work in a thread of its own, with a large stack, until a limit or a signal (SIGINT,
/// SIGTERM, SIGHUP) ends it.
///
///     const auto work = [](std::stop_token stop) {
///       while (!stop.stop_requested()) continue;
///     };
///     Supervisor supervisor({.time = 5s});
///     if (!supervisor.run(work)) std::_Exit(3);  // it did not stop
///
/// At a limit the work is asked to stop through its token. Libraries do not always react, so work
/// that does not return soon is abandoned. A process has one supervisor, since signals, the address
/// space and allocation handlers belong to the whole process.
class Supervisor {
 public:
  /// The work may start this many threads.
  explicit Supervisor(const Limits& limits, unsigned threads = 1);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  /// True if `work`, which must not throw, returned. False if it was abandoned: it still runs and
  /// uses its arguments, so the process must end by _exit.
  /// `tick` is called about five times a second, in the calling thread.
  bool run(std::function<void(std::stop_token)> work, const std::function<void()>& tick = {});

  /// What ended the run early: `--timeout`, `--memory`, `SIGINT` ...; empty if nothing did.
  std::string_view reason() const { return reason_.load(); }

  std::chrono::duration<double> elapsed() const { return Clock::now() - start_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Job;

  bool over_memory() const;
  bool at_memory_wall() const;
  const char* reached() const;

  const Limits limits_;
  const Clock::time_point start_ = Clock::now();
  std::atomic<const char*> reason_ = "";
  std::stop_source stop_;
  int signals_ = -1;
  int statm_ = -1;
};

/// Lets this thread allocate when the others may not any more, to report what is known.
void allow_memory_for_report();

/// The result of `question`, or nullopt if it throws or takes longer than `patience`; in the latter
/// case it still runs, and the process must end by _exit.
template <class Question>
auto within(std::chrono::milliseconds patience, Question question)
    -> std::optional<decltype(question())> {
  auto promise = std::make_shared<std::promise<decltype(question())>>();
  auto answer = promise->get_future();
  try {
    std::thread([promise, question = std::move(question)]() mutable {
      allow_memory_for_report();
      try {
        promise->set_value(question());
      } catch (...) {
        promise->set_exception(std::current_exception());
      }
    }).detach();
    if (answer.wait_for(patience) == std::future_status::ready) return answer.get();
  } catch (...) {
  }
  return std::nullopt;
}

}  // namespace wmi::frontends
