#include "solver/crew.h"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace wmi {
namespace {

class Crew {
 public:
  Crew(unsigned size, const std::function<void(const Cell&, unsigned)>& work)
      : size_(size), work_(work) {}

  void run(std::unique_ptr<Cells> cells) {
    offered_.push_back(std::move(cells));
    {
      std::vector<std::jthread> threads;
      const unsigned size = size_;
      try {
        for (unsigned worker = 1; worker < size; ++worker)
          threads.emplace_back([this, worker] { attend(worker); });
      } catch (const std::system_error&) {  // fewer will have to do
        const std::lock_guard lock(mutex_);
        size_ = static_cast<unsigned>(threads.size()) + 1;
      }
      attend(0);
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void attend(unsigned worker) {
    try {
      while (const std::unique_ptr<Cells> cells = wait())
        while (!over_) {
          const std::optional<Cell> cell = cells->next();
          if (!cell) break;
          work_(*cell, worker);
          if (idle_ > 0) offer(*cells);
        }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      over_ = true;
      changed_.notify_all();
    }
  }

  /// Something to do; nothing when there is no more.
  std::unique_ptr<Cells> wait() {
    std::unique_lock lock(mutex_);
    ++idle_;
    if (idle_ == size_ && offered_.empty()) over_ = true;
    if (over_) changed_.notify_all();
    changed_.wait(lock, [this] { return over_ || !offered_.empty(); });
    if (over_) return nullptr;
    --idle_;
    std::unique_ptr<Cells> result = std::move(offered_.back());
    offered_.pop_back();
    return result;
  }

  void offer(Cells& cells) {
    const std::lock_guard lock(mutex_);
    if (idle_ <= offered_.size()) return;
    if (std::unique_ptr<Cells> part = cells.fork()) {
      offered_.push_back(std::move(part));
      changed_.notify_one();
    }
  }

  unsigned size_;  // needs the mutex
  const std::function<void(const Cell&, unsigned)>& work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Cells>> offered_;
  std::atomic<unsigned> idle_ = 0;
  std::atomic<bool> over_ = false;
  std::exception_ptr failure_;
};

}  // namespace

void share(std::unique_ptr<Cells> cells, unsigned threads,
           const std::function<void(const Cell&, unsigned)>& work) {
  if (threads > 1) return Crew(threads, work).run(std::move(cells));
  while (const std::optional<Cell> cell = cells->next()) work(*cell, 0);
}

}  // namespace wmi
