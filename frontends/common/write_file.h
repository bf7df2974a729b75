#pragma once

#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace wmi::frontends {

/// Output failed: a full disk, a closed pipe.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes all of `text` to a file descriptor. Throws WriteError, naming it `name`.
void write_all(int descriptor, std::string_view text, std::string_view name);

/// A file that appears, or replaces the old one, when it is complete: until `keep` nothing changes,
/// even if the process is killed. A device or a pipe is written to directly.
///
///     NewFile file("answer.txt");
///     file.stream() << "42\n";
///     file.keep();
class NewFile {
 public:
  /// Throws WriteError.
  explicit NewFile(std::string name);
  /// Without `keep`, the file is discarded.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  std::ostream& stream();
  /// Flushes the file to disk and gives it its name. Throws WriteError if this or any write before
  /// failed.
  void keep();

 private:
  class Buffer;

  const std::string name_;
  std::string draft_;  // its temporary name; empty while it has none
  bool plain_ = true;  // false for a device or a pipe
  std::unique_ptr<Buffer> buffer_;
  std::unique_ptr<std::ostream> stream_;
};

/// Writes a whole file, as NewFile does. Throws WriteError; then the old file is still there.
void save(const std::string& file, std::string_view text);

}  // namespace wmi::frontends
