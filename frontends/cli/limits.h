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

/// How long a run may take and how large it may become.
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
/// At a limit the work is asked to stop through its token. Libraries do not always listen, so work
/// that does not come back soon is left behind. There is one supervisor in a process: signals,
/// address space and allocation handlers are not divisible.
class Supervisor {
 public:
  /// The work may start so many threads.
  explicit Supervisor(const Limits& limits, unsigned threads = 1);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  /// True when `work`, which must not throw, has returned. False when it was left behind: it still
  /// runs and uses what it was given, so the process must end by _exit.
  /// `tick` is called about five times a second, in the calling thread.
  bool run(std::function<void(std::stop_token)> work, const std::function<void()>& tick = {});

  /// What ended the run early: `--timeout`, `--memory`, `SIGINT` ...; empty if nothing did.
  std::string_view reason() const { return reason_.load(); }

  std::chrono::duration<double> elapsed() const { return Clock::now() - start_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Job;

  bool over_memory(double share) const;
  const char* reached() const;

  const Limits limits_;
  const Clock::time_point start_ = Clock::now();
  std::atomic<const char*> reason_ = "";
  std::stop_source stop_;
  int signals_ = -1;
  int statm_ = -1;
};

/// What `question` returns, or nothing if it throws or takes longer than `patience`; then it is
/// left running, and the process must end by _exit.
template <class Question>
auto within(std::chrono::milliseconds patience, Question question)
    -> std::optional<decltype(question())> {
  auto promise = std::make_shared<std::promise<decltype(question())>>();
  auto answer = promise->get_future();
  try {
    std::thread([promise, question = std::move(question)]() mutable {
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
