#include "frontends/learning/experiments/journaled_numbers.h"

#include <fmt/format.h>

#include "frontends/data/journal.h"
#include "frontends/data/splits.h"
#include "frontends/learning/journaled_tasks.h"

namespace wmi::frontends {

std::vector<std::vector<double>> journaled_numbers(
    const Conditions& conditions, const std::string& name, const std::string& setup,
    std::size_t count, unsigned threads,
    const std::function<std::vector<double>(std::size_t)>& task) {
  const std::string file =
      fmt::format("{}-seed{}{}.csv", name, conditions.seed, conditions.quick ? "-quick" : "");
  Journal journal((conditions.out / file).string(), "task,numbers", name + ": " + setup);
  JournaledTasks tasks(journal, count, 5);
  tasks.run(threads, [&](std::size_t i) -> std::vector<std::string> {
    conditions.report(fmt::format("{}: {} of {}", name, tasks.done(), count),
                      static_cast<double>(tasks.done()) / static_cast<double>(count));
    return {fmt::format("{}", fmt::join(task(i), ","))};
  });
  std::vector<std::vector<double>> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(parse_numbers(tasks.lines(i).at(0), file).at(0));
  return result;
}

}  // namespace wmi::frontends
