#include "frontends/wmi/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "frontends/wmi/line.h"
#include "frontends/wmi/terminal.h"

namespace wmi::frontends {
namespace {

[[noreturn]] void fail(const std::string& name) {
  throw WriteError(fmt::format("cannot write to {}: {}", printable(name),
                               std::generic_category().message(errno)));
}

}  // namespace

NewFile::NewFile(std::string name) : name_(std::move(name)) {
  struct stat status {};
  const bool exists = stat(name_.c_str(), &status) == 0;
  if (!exists || S_ISREG(status.st_mode)) {
    draft_ = name_ + ".XXXXXX";
    const int descriptor = mkstemp(draft_.data());
    if (descriptor < 0) fail(name_);
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, exists ? status.st_mode & 07777U : 0666U & ~mask);
    close(descriptor);
  }
  errno = 0;
  stream_.open(draft_.empty() ? name_ : draft_, std::ios::binary);
  if (!stream_) fail(name_);
}

NewFile::~NewFile() {
  if (draft_.empty()) return;
  stream_.close();
  unlink(draft_.c_str());
}

void NewFile::keep() {
  errno = 0;
  if (!stream_.flush()) fail(name_);
  stream_.close();
  if (!stream_) fail(name_);
  if (draft_.empty()) return;
  const int descriptor = open(draft_.c_str(), O_RDONLY | O_CLOEXEC);  // on the disk before its name
  const bool synced = descriptor >= 0 && fsync(descriptor) == 0;
  if (descriptor >= 0) close(descriptor);
  if (!synced || rename(draft_.c_str(), name_.c_str()) != 0) fail(name_);
  draft_.clear();
}

}  // namespace wmi::frontends
