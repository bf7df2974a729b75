#pragma once

#include <fstream>
#include <ostream>
#include <string>

namespace wmi::frontends {

/// A file that is written anew and appears when it is complete: whatever happens before `keep`,
/// the old one, if there is one, stays as it is.
class NewFile {
 public:
  /// Throws WriteError.
  explicit NewFile(std::string name);
  /// Without `keep`, nothing is left of it.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  std::ostream& stream() { return stream_; }
  /// Throws WriteError, also for what failed before.
  void keep();

 private:
  const std::string name_;
  std::string draft_;  // where it is written; empty if that is the file itself (a device, a pipe)
  std::ofstream stream_;
};

}  // namespace wmi::frontends
