#include "frontends/learning/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "frontends/common/line.h"
#include "frontends/wmi/terminal.h"

namespace wmi::frontends {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw WriteError(fmt::format("{}: cannot be written: {}", one_line(path),
                               std::generic_category().message(errno)));
}

/// Writes to what is no plain file: a device or a pipe, which keeps its place.
void write_through(const std::string& path, std::string_view bytes) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path);
  int failure = 0;
  try {
    write_all(descriptor, bytes, path);
  } catch (const WriteError&) {
    failure = errno;
  }
  if (close(descriptor) != 0 && failure == 0) failure = errno;
  errno = failure;
  if (failure != 0) fail(path);
}

}  // namespace

void replace_file(const std::string& path, std::string_view bytes) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return write_through(path, bytes);
  const std::string other = path + ".new";
  const int descriptor = open(other.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(path);
  int failure = 0;
  try {
    write_all(descriptor, bytes, path);
  } catch (const WriteError&) {
    failure = errno;
  }
  if (failure == 0 && fsync(descriptor) != 0) failure = errno;
  if (close(descriptor) != 0 && failure == 0) failure = errno;
  if (failure == 0 && std::rename(other.c_str(), path.c_str()) != 0) failure = errno;
  if (failure != 0) {
    unlink(other.c_str());
    errno = failure;
    fail(path);
  }
  // The name too is to survive; where a directory cannot be synced, it is as good as it gets.
  const std::string directory = std::filesystem::path(path).parent_path();
  const int parent =
      open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (parent < 0) return;
  fsync(parent);
  close(parent);
}

}  // namespace wmi::frontends
