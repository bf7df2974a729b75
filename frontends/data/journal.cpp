#include "frontends/data/journal.h"

#include <filesystem>

#include "frontends/common/read_file.h"
#include "frontends/common/write_file.h"
#include "solver/terms/error.h"

namespace wmi::frontends {

Journal::Journal(std::string path, const std::string& header, const std::string& setup)
    : path_(std::move(path)), head_("# " + setup + "\n" + header + "\n") {
  if (!std::filesystem::exists(path_)) return;
  const std::string before = read_file(path_);
  if (!before.starts_with(head_))
    throw Error(path_ + ": holds the results of something else (" +
                before.substr(0, before.find('\n')) + "); choose another directory");
  for (std::size_t at = head_.size(); at < before.size();) {
    const std::size_t end = before.find('\n', at);
    if (end == std::string::npos) break;
    const std::string line = before.substr(at, end - at);
    const std::size_t comma = line.find(',');
    if (comma == std::string::npos) throw Error(path_ + ": '" + line + "' is no line of results");
    groups_[line.substr(0, comma)].push_back(line.substr(comma + 1));
    at = end + 1;
  }
}

std::string Journal::text() const {
  std::string result = head_;
  for (const auto& [group, lines] : groups_)
    for (const std::string& line : lines) result += group + "," + line + "\n";
  return result;
}

void Journal::add(const std::string& group, const std::vector<std::string>& lines) {
  const std::lock_guard lock(mutex_);
  groups_[group] = lines;
  save(path_, text());  // as a whole: it is small, and never incomplete
}

}  // namespace wmi::frontends
