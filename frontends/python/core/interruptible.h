#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace wmi::python {

using Seconds = std::chrono::duration<double>;

enum class Ended { finished, abandoned };

/// Runs `work` in a thread of its own, without Python's lock, while the calling thread, which holds
/// the lock, lets Python handle signals.
///
/// A signal whose handler raises an exception, or the time limit, asks the work to stop. If it does
/// not return within a second it is abandoned: it runs on, so it must own whatever it uses. Throws
/// what the work throws, and the exception of the signal handler (KeyboardInterrupt).
Ended run_interruptibly(std::function<void(std::stop_token)> work,
                        std::optional<Seconds> timeout = {});

/// The same for work that has a result; nullopt if it was abandoned.
template <class Work>
auto result_of(Work work, std::optional<Seconds> timeout = {})
    -> std::optional<decltype(work(std::stop_token()))> {
  using Result = decltype(work(std::stop_token()));
  const auto result = std::make_shared<std::optional<Result>>();
  const Ended ended = run_interruptibly(
      [result, work = std::move(work)](std::stop_token stop) { *result = work(std::move(stop)); },
      timeout);
  if (ended == Ended::abandoned) return std::nullopt;
  return std::move(*result);
}

}  // namespace wmi::python
