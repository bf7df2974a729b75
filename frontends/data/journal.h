#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace wmi::frontends {

/// Results on disk: a CSV file that is replaced whenever a group of lines is complete, so that a
/// killed program leaves only complete groups.
///
///     Journal journal("results.csv", "split,method,score", "boston 300 epochs seed 1");
///     if (!journal.groups().contains("3")) journal.add("3", {"average,-2.3", "sgd,-2.6"});
class Journal {
 public:
  using Groups = std::map<std::string, std::vector<std::string>, std::less<>>;

  /// Opens the file or starts a new one. `header` names the columns, the group's first; `setup`
  /// describes the experiment, in a comment. Throws Error if the file has another header or setup.
  Journal(std::string path, const std::string& header, const std::string& setup);

  /// The lines of each group, without the column of the group, by group.
  const Groups& groups() const { return groups_; }
  /// Thread-safe. Throws WriteError.
  void add(const std::string& group, const std::vector<std::string>& lines);

 private:
  std::string text() const;

  std::string path_;
  std::string head_;
  Groups groups_;
  std::mutex mutex_;
};

}  // namespace wmi::frontends
