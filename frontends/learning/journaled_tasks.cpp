#include "frontends/learning/journaled_tasks.h"

#include <fmt/format.h>

#include "bnn/numeric/parallel.h"

namespace wmi::frontends {

JournaledTasks::JournaledTasks(Journal& journal, std::size_t count, int digits)
    : journal_(journal), count_(count), digits_(digits) {
  for (std::size_t i = 0; i < count; ++i)
    if (!journal.groups().contains(group(i))) open_.push_back(i);
  done_ = count - open_.size();
}

void JournaledTasks::run(unsigned threads,
                         const std::function<std::vector<std::string>(std::size_t)>& task) {
  bnn::in_parallel(open_.size(), threads, [&](std::size_t i) {
    journal_.add(group(open_[i]), task(open_[i]));
    ++done_;
  });
}

const std::vector<std::string>& JournaledTasks::lines(std::size_t task) const {
  return journal_.groups().at(group(task));
}

std::string JournaledTasks::group(std::size_t task) const {
  return fmt::format("{:0{}}", task, digits_);
}

}  // namespace wmi::frontends
