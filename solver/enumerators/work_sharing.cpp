#include "solver/enumerators/work_sharing.h"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "solver/terms/error.h"

namespace wmi {
namespace {

/// After a stop: works on the remaining cells, and on the interrupted one, as open cells.
void leave_open(Cells& cells, const std::optional<Cell>& interrupted,
                const std::function<void(const Cell&)>& work) {
  const auto* const product = interrupted ? std::get_if<ProductCell>(&interrupted->kind) : nullptr;
  if (interrupted && product == nullptr) throw Stopped();
  const std::optional<std::vector<Cell>> rest = cells.rest();
  if (!rest) throw Stopped();
  if (product != nullptr) work(*product->unsearched);
  for (const Cell& cell : *rest) work(cell);
}

class WorkSharing {
 public:
  WorkSharing(unsigned size, const std::function<void(const Cell&, unsigned)>& work)
      : size_(size), work_(work) {}

  bool run(std::unique_ptr<Cells> cells) {
    offered_.push_back(std::move(cells));
    {
      std::vector<std::jthread> threads;
      const unsigned size = size_;
      try {
        for (unsigned worker = 1; worker < size; ++worker)
          threads.emplace_back([this, worker] { attend(worker); });
      } catch (const std::system_error&) {  // continue with fewer
        const std::lock_guard lock(mutex_);
        size_ = static_cast<unsigned>(threads.size()) + 1;
      }
      attend(0);
    }
    if (failure_) std::rethrow_exception(failure_);
    for (const std::unique_ptr<Cells>& others : offered_)
      leave_open(*others, {}, [this](const Cell& cell) { work_(cell, 0); });
    return !stopped_;
  }

 private:
  void attend(unsigned worker) {
    try {
      while (const std::unique_ptr<Cells> cells = wait()) {
        std::optional<Cell> cell;
        try {
          while (!over_) {
            if (!(cell = cells->next())) break;
            work_(*cell, worker);
            cell.reset();
            if (idle_ > 0) offer(*cells);
          }
          if (!stopped_) continue;
        } catch (const Stopped&) {
          end([this] { stopped_ = true; });
        }
        leave_open(*cells, cell, [&](const Cell& left) { work_(left, worker); });
      }
    } catch (...) {
      end([this] {
        if (!failure_) failure_ = std::current_exception();
      });
    }
  }

  void end(const std::function<void()>& because) {
    const std::lock_guard lock(mutex_);
    because();
    over_ = true;
    changed_.notify_all();
  }

  /// The next cells to work on, or null when all work is done.
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
  std::atomic<bool> stopped_ = false;
  std::exception_ptr failure_;  // needs the mutex
};

}  // namespace

bool share_work(std::unique_ptr<Cells> cells, unsigned threads,
                const std::function<void(const Cell&, unsigned)>& work) {
  return WorkSharing(threads, work).run(std::move(cells));
}

}  // namespace wmi
