// How a solve scales with the number of cells: time per cell and memory, both of which should stay
// constant, and the speedup by a second thread. And with the length of a chain of variables, by
// messages and by a search of the whole.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/solve.h"
#include "tests/bench/problems.h"
#include "tests/bench/table.h"

namespace {

using namespace wmi;
using namespace wmi::bench;

std::size_t cells_of(const Task& task, unsigned threads) {
  return solve(task, *make_split(), *make_auto({}), {.threads = threads}).answers[0].cells;
}

/// Peak memory in megabytes of a new process that solves the task.
double peak_memory(const Task& task) {
  const pid_t child = fork();
  if (child == 0) {
    cells_of(task, 1);
    _exit(0);
  }
  rusage usage{};
  wait4(child, nullptr, 0, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void growth() {
  Table table("growth", {"dimension", "hyperplanes", "cells", "microseconds_per_cell",
                         "over_the_smallest", "peak_megabytes"});
  double first = 0;
  for (const int m : {10, 20, 40, 60}) {
    const Task task = arrangement(3, m);
    std::size_t cells = 0;
    const double memory = peak_memory(task);
    const double time = seconds([&] { cells = cells_of(task, 1); }, m < 40 ? 5 : 1);
    const double each = 1e6 * time / static_cast<double>(cells);
    if (first == 0) first = each;
    table.add({3., double(m), double(cells), each, each / first, memory});
  }
}

/// n reals in [0, 1], neighbours at most a few tenths apart.
Task chain(int n) {
  Task task = cube(n);
  Problem& problem = task.problem;
  problem.assertions.clear();
  std::mt19937 engine(static_cast<unsigned>(n));
  std::uniform_int_distribution<int> tenths(1, 7);
  const auto x = [](int i) { return Polynomial::variable(static_cast<Variable>(i)); };
  for (int i = 0; i < n; ++i) {
    problem.assertions.push_back(problem.terms.less_equal(0, x(i)));
    problem.assertions.push_back(problem.terms.less_equal(x(i), 1));
    if (i == 0) continue;
    for (const Polynomial& difference : {x(i) - x(i - 1), x(i - 1) - x(i)})
      problem.assertions.push_back(
          problem.terms.less_equal(difference, Polynomial(ratio(tenths(engine), 10))));
  }
  return task;
}

void chains() {
  constexpr int longest_search = 8;
  Table table("chains", {"reals", "messages_milliseconds", "search_milliseconds"});
  for (const int n : {6, 8, 12, 20, 50, 100}) {
    const Task task = chain(n);
    const auto time = [&](const Enumerator& enumerator) {
      return 1e3 * seconds([&] { solve(task, enumerator, *make_auto({})); }, 3);
    };
    table.add(
        {double(n), time(*make_split()), n <= longest_search ? time(*make_exact_split()) : 0.});
  }
}

/// Two processes that both solve the whole task: the best speedup that the machine allows.
double two_processes(const Task& task) {
  return seconds([&] {
    pid_t children[2] = {};
    for (pid_t& child : children) {
      child = fork();
      if (child == 0) {
        cells_of(task, 1);
        _exit(0);
      }
    }
    for (const pid_t child : children) waitpid(child, nullptr, 0);
  });
}

void threads() {
  Table table("threads", {"dimension", "hyperplanes", "cells", "two_threads_speedup",
                          "two_processes_speedup"});
  for (const auto& [n, m] : {std::pair(3, 45), {4, 25}}) {
    const Task task = arrangement(n, m);
    std::size_t cells = 0;
    double one = 0, two = 0, processes = 0;
    for (int round = 0; round < 5; ++round) {  // in turns, best of five
      const auto better = [&](double& best, double time) {
        best = best == 0 ? time : std::min(best, time);
      };
      better(processes, two_processes(task));
      better(one, seconds([&] { cells = cells_of(task, 1); }));
      better(two, seconds([&] { cells = cells_of(task, 2); }));
    }
    table.add({double(n), double(m), double(cells), one / two, 2 * one / processes});
  }
}

}  // namespace

int main() {
  growth();
  chains();
  threads();
}
