#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace wmi::bnn {

/// Calls `work(i)` for i = 0 ... count - 1 in several threads. After an exception no further call
/// is started; the first exception is rethrown when all threads have returned.
template <class Work>
void in_parallel(std::size_t count, unsigned threads, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto worker = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> helpers;
  for (std::size_t i = 1; i < std::min<std::size_t>(threads, count); ++i)
    helpers.emplace_back(worker);
  worker();
  for (std::thread& thread : helpers) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace wmi::bnn
