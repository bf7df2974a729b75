#include "frontends/learning/experiments/journaled_numbers.h"

#include <fmt/format.h>

#include <atomic>

#include "bnn/numeric/parallel.h"
#include "frontends/data/journal.h"
#include "frontends/data/splits.h"

namespace wmi::frontends {

std::vector<std::vector<double>> journaled_numbers(
    const Conditions& conditions, const std::string& name, const std::string& setup,
    std::size_t count, unsigned threads,
    const std::function<std::vector<double>(std::size_t)>& task) {
  const std::string file =
      fmt::format("{}-seed{}{}.csv", name, conditions.seed, conditions.quick ? "-quick" : "");
  Journal journal((conditions.out / file).string(), "task,numbers", name + ": " + setup);
  const auto group = [](std::size_t i) { return fmt::format("{:05}", i); };
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < count; ++i)
    if (!journal.groups().contains(group(i))) open.push_back(i);
  std::atomic<std::size_t> done = count - open.size();
  bnn::in_parallel(open.size(), threads, [&](std::size_t i) {
    conditions.report(fmt::format("{}: {} of {}", name, done.load(), count),
                      static_cast<double>(done) / static_cast<double>(count));
    journal.add(group(open[i]), {fmt::format("{}", fmt::join(task(open[i]), ","))});
    ++done;
  });
  std::vector<std::vector<double>> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(parse_numbers(journal.groups().at(group(i)).at(0), file).at(0));
  return result;
}

}  // namespace wmi::frontends
