#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace wmi::frontends {

/// Results that outlive the program: a CSV file that is replaced whenever a group of lines is
/// complete, so that whoever is killed leaves whole groups.
///
///     Journal journal("results.csv", "split,method,score", "boston 300 epochs seed 1");
///     if (!journal.groups().contains("3")) journal.add("3", {"average,-2.3", "sgd,-2.6"});
class Journal {
 public:
  using Groups = std::map<std::string, std::vector<std::string>, std::less<>>;

  /// Opens or begins it. The header names the columns, the first of which is the group's; `setup`
  /// says what was asked, in a comment. Throws Error for a file with another header or setup.
  Journal(std::string path, std::string header, const std::string& setup);

  /// The lines of each group, without the group's name, by name.
  const Groups& groups() const { return groups_; }
  /// Any thread may. Throws WriteError.
  void add(const std::string& group, const std::vector<std::string>& lines);

 private:
  std::string text() const;

  std::string path_;
  std::string head_;
  Groups groups_;
  std::mutex mutex_;
};

}  // namespace wmi::frontends
