#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

#include "bnn/training/train.h"

namespace wmi::frontends {

/// Counts the epochs of all trajectories of a training, from any thread.
class TrainingProgress {
 public:
  /// Adds epochs to the expected total.
  void expect(std::size_t epochs);
  /// Removes epochs that an earlier process has done.
  void skip(std::size_t epochs);
  /// An epoch of a trajectory, named by `what`, is done.
  void done(const std::string& what, const bnn::Epoch& epoch);

  /// The share that is done, the time left and the last epoch, within 80 columns as a rule.
  std::string line() const;

 private:
  using Clock = std::chrono::steady_clock;

  mutable std::mutex mutex_;
  Clock::time_point start_ = Clock::now();
  std::size_t done_ = 0;
  std::size_t total_ = 0;
  std::string last_;
};

}  // namespace wmi::frontends
