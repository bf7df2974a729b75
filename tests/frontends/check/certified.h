#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "frontends/check/checker.h"
#include "solver/answer.h"
#include "solver/certificate.h"
#include "solver/solve.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {

Solution solved(const Task& task);

/// The certificate of the answers to one task.
std::string certificate(const Task& task, const Solution& solution);

/// A certificate of what was known when a search was stopped, and the answers then.
struct Partial {
  std::string proof;
  std::vector<Answer> answers;
};

/// Stopped after `cells` cells (0: at once), or as soon as all is known to within a gap.
Partial partial(const Task& task, std::size_t cells, const std::optional<Rational>& gap = {});

/// The verdict of the checker on a certificate.
struct Checked {
  /// What it proves, as text: `3/4`, `between 0 and 1`; nullopt if it is rejected.
  std::optional<std::vector<std::string>> answers;
  std::vector<check::Certified> certified;
  std::string reason;  // of a rejection
};

Checked checked(const Task& task, const std::string& certificate);

inline std::optional<std::vector<std::string>> proved(const Task& task,
                                                      const std::string& certificate) {
  return checked(task, certificate).answers;
}

/// As `Checked::answers` shows it.
std::string shown(const Interval& value);

/// Whether the true answers, and their limits from the left, are in the proved intervals.
bool hold(const std::vector<check::Certified>& certified, const std::vector<Answer>& truth);

/// A random problem with queries of several kinds.
Task random_task(Random& random);

std::string golden_text(const std::string& name);

/// Tasks of golden files that have exactly one.
std::vector<Task> golden_tasks();
std::vector<std::string> golden_names();

/// A factor on the number of random cases: 1, and 4 where WMI_LONG is set.
int many();

}  // namespace wmi::tests
