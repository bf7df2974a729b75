#include "frontends/learning/training_progress.h"

#include <fmt/format.h>

#include <algorithm>

namespace wmi::frontends {

void TrainingProgress::expect(std::size_t epochs) {
  const std::lock_guard lock(mutex_);
  total_ += epochs;
}

void TrainingProgress::skip(std::size_t epochs) {
  const std::lock_guard lock(mutex_);
  total_ -= std::min(total_, epochs);
}

void TrainingProgress::done(const std::string& what, const bnn::Epoch& epoch) {
  const std::lock_guard lock(mutex_);
  ++done_;
  last_ = fmt::format("loss {:.4g}, {}epoch {}, {}", epoch.loss, epoch.sampling ? "sampling " : "",
                      epoch.number, what);
}

std::string TrainingProgress::line() const {
  const std::lock_guard lock(mutex_);
  if (done_ == 0) return "training";
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  const double left = elapsed / static_cast<double>(done_) *
                      static_cast<double>(total_ > done_ ? total_ - done_ : 0);
  const double share =
      std::min(1.0, static_cast<double>(done_) / static_cast<double>(std::max(total_, done_)));
  return fmt::format(
      "{:.0f} %, {} left; {}", 100 * share,
      left < 90 ? fmt::format("{:.0f} s", left) : fmt::format("{:.0f} min", left / 60), last_);
}

}  // namespace wmi::frontends
