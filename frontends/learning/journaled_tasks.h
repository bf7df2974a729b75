#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "frontends/data/journal.h"

namespace wmi::frontends {

/// Numbered tasks whose results are recorded in a journal: what an earlier, interrupted run has
/// recorded is not computed again.
class JournaledTasks {
 public:
  /// Tasks 0 to count - 1; task 7 is the group `007` of the journal if `digits` is 3. The journal
  /// must outlive this.
  JournaledTasks(Journal& journal, std::size_t count, int digits);

  std::size_t count() const { return count_; }
  std::size_t open() const { return open_.size(); }  // at the start
  std::size_t done() const { return done_; }         // of all, so far

  /// Computes and records the lines of each open task, in several threads. What a task throws is
  /// thrown on.
  void run(unsigned threads, const std::function<std::vector<std::string>(std::size_t)>& task);

  /// The recorded lines of a task that is done.
  const std::vector<std::string>& lines(std::size_t task) const;

 private:
  std::string group(std::size_t task) const;

  Journal& journal_;
  std::size_t count_;
  int digits_;
  std::vector<std::size_t> open_;
  std::atomic<std::size_t> done_;
};

}  // namespace wmi::frontends
