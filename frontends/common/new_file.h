#pragma once

#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace wmi::frontends {

/// Output that could not be written: a full disk, a closed pipe.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes all of `text` to a file descriptor; throws WriteError, which calls it `name`.
void write_all(int descriptor, std::string_view text, std::string_view name);

/// A file that is written anew and appears when it is complete: whatever happens before `keep`,
/// the old one, if there is one, stays as it is. What is no plain file, a device or a pipe, is
/// written to.
class NewFile {
 public:
  /// Throws WriteError.
  explicit NewFile(std::string name);
  /// Without `keep`, nothing is left of it.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  std::ostream& stream();
  /// Throws WriteError, also for what failed before.
  void keep();

 private:
  class Buffer;

  const std::string name_;
  std::string draft_;  // its other name until it is complete; empty when it has none
  bool plain_ = true;  // else it is a device or a pipe, and written to as it is
  std::unique_ptr<Buffer> buffer_;
  std::unique_ptr<std::ostream> stream_;
};

}  // namespace wmi::frontends
