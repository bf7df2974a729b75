// The lock is that of flock(2). Its file is removed by the holder, so a process that opened the file
// before may get the lock of a file that is gone; it then tries again with the new one.

#include "frontends/data/directory_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "frontends/common/line.h"
#include "frontends/common/write_file.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& file) {
  throw WriteError(
      fmt::format("cannot lock {}: {}", printable(file), std::generic_category().message(errno)));
}

/// What the holder wrote: its number. Empty just after it got the lock.
std::string holder(int descriptor) {
  char text[32];
  const ssize_t length = pread(descriptor, text, sizeof text, 0);
  std::string result;
  for (ssize_t i = 0; i < length && text[i] >= '0' && text[i] <= '9'; ++i) result += text[i];
  return result;
}

/// Is this the file that has the name now?
bool has_name(int descriptor, const std::string& file) {
  struct stat opened {
  }, named{};
  return fstat(descriptor, &opened) == 0 && stat(file.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

DirectoryLock::DirectoryLock(std::string directory)
    : directory_(std::move(directory)), file_((fs::path(directory_) / file_name).string()) {
  for (;;) {
    std::error_code error;
    made_ = fs::create_directories(directory_, error) || made_;
    if (error)
      throw WriteError(
          fmt::format("{}: cannot be made: {}", one_line(directory_), error.message()));
    descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ < 0 && errno == ENOENT) continue;  // its maker has just removed the directory
    if (descriptor_ < 0) fail(file_);
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int reason = errno;
      const std::string number = holder(descriptor_);
      close(descriptor_);
      if (reason == EINTR) continue;
      errno = reason;
      if (reason != EWOULDBLOCK) fail(file_);
      throw Error(
          fmt::format("{}: another process{} writes to it; wait until it is done, or choose "
                      "another directory",
                      one_line(directory_), number.empty() ? "" : " (" + number + ")"));
    }
    if (has_name(descriptor_, file_)) break;
    close(descriptor_);
  }
  const std::string number = std::to_string(getpid()) + "\n";
  if (ftruncate(descriptor_, 0) != 0 ||
      pwrite(descriptor_, number.data(), number.size(), 0) != static_cast<ssize_t>(number.size())) {
    const int reason = errno;
    close(descriptor_);
    errno = reason;
    fail(file_);
  }
}

DirectoryLock::~DirectoryLock() {
  unlink(file_.c_str());  // before the lock is released: whoever gets it sees that the name is gone
  close(descriptor_);
  if (made_) rmdir(directory_.c_str());  // fails unless it is empty
}

}  // namespace wmi::frontends
