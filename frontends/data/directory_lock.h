#pragma once

#include <string>

namespace wmi::frontends {

/// The right to write to a directory, which one process has at a time: a lock on the file `lock` in
/// it, which the system releases when the process ends, however it ends. Who only reads needs none:
/// files are replaced as a whole, and a list of files after the files in it.
///
///     const DirectoryLock lock("houses.run");
class DirectoryLock {
 public:
  /// Makes the directory if it is missing. Throws Error, with the number of the process that holds
  /// the lock, and WriteError if the lock cannot be written.
  explicit DirectoryLock(std::string directory);
  /// Removes the lock, and the directory if this made it and nothing was written to it.
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

  /// The name of its file in the directory.
  static constexpr const char* file_name = "lock";

 private:
  std::string directory_;
  std::string file_;
  bool made_ = false;  // the directory
  int descriptor_ = -1;
};

}  // namespace wmi::frontends
