// A file is written without a name (O_TMPFILE) if the file system can do that and /proc is there to
// name it later, so that a killed process leaves nothing behind; otherwise under a temporary name in
// the same directory. It is synced, linked to a temporary name if it has none, and renamed over the
// old file.

#include "frontends/common/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <streambuf>
#include <system_error>
#include <vector>

#include "frontends/common/line.h"

namespace wmi::frontends {
namespace {

[[noreturn]] void fail(const std::string& name, int reason) {
  throw WriteError("cannot write to " + printable(name) + ": " +
                   std::generic_category().message(reason));
}

std::string directory_of(const std::string& name) {
  const std::string directory = std::filesystem::path(name).parent_path().string();
  return directory.empty() ? "." : directory;
}

/// The target of a symbolic link; other names are returned as they are.
std::string followed(std::string name) {
  std::error_code failure;
  if (!std::filesystem::is_symlink(name, failure)) return name;
  const std::filesystem::path target = std::filesystem::canonical(name, failure);
  return failure ? name : target.string();
}

/// Calls `attempt` with temporary names in the directory of `name` until one is free. Returns its
/// result; if that is negative, it failed for another reason, and `draft` is empty.
template <typename Attempt>
int beside(const std::string& name, std::string& draft, const Attempt& attempt) {
  for (unsigned i = 0;; ++i) {
    draft = name + "." + std::to_string(getpid()) + "-" + std::to_string(i) + ".new";
    const int result = attempt(draft.c_str());
    if (result >= 0) return result;
    if (errno == EEXIST) continue;
    draft.clear();
    return result;
  }
}

/// Makes a rename durable. Failure is ignored: not every file system can sync a directory.
void sync_directory(const std::string& directory) {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

void write_all(int descriptor, std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written >= 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      throw WriteError("cannot write to " + std::string(name) + ": " +
                       std::generic_category().message(errno));
  }
}

/// Writes to a descriptor, which it owns, and records the first error.
class NewFile::Buffer final : public std::streambuf {
 public:
  explicit Buffer(int descriptor) : descriptor_(descriptor), block_(std::size_t{1} << 16) {
    setp(block_.data(), block_.data() + block_.size());
  }
  ~Buffer() override { close(descriptor_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  int descriptor() const { return descriptor_; }
  int failure() const { return failure_; }  // 0: none

 private:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    return sputc(traits_type::to_char_type(c));
  }

  int sync() override {
    for (const char* at = pbase(); failure_ == 0 && at != pptr();) {
      const ssize_t written = write(descriptor_, at, static_cast<std::size_t>(pptr() - at));
      if (written >= 0)
        at += written;
      else if (errno != EINTR)
        failure_ = errno;
    }
    setp(block_.data(), block_.data() + block_.size());
    return failure_ == 0 ? 0 : -1;
  }

  int descriptor_;
  int failure_ = 0;
  std::vector<char> block_;
};

NewFile::NewFile(std::string name) : name_(followed(std::move(name))) {
  struct stat status {};
  const bool exists = stat(name_.c_str(), &status) == 0;
  plain_ = !exists || S_ISREG(status.st_mode);
  int descriptor = -1;
  if (!plain_) {
    descriptor = open(name_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    if (access("/proc/self/fd", X_OK) == 0)  // not so in a bare chroot
      descriptor = open(directory_of(name_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0)
      descriptor = beside(name_, draft_, [](const char* draft) {
        return open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
      });
  }
  if (descriptor < 0) fail(name_, errno);
  if (plain_ && exists) fchmod(descriptor, status.st_mode & 07777U);
  buffer_ = std::make_unique<Buffer>(descriptor);
  stream_ = std::make_unique<std::ostream>(buffer_.get());
}

NewFile::~NewFile() {
  if (!draft_.empty()) unlink(draft_.c_str());
}

std::ostream& NewFile::stream() { return *stream_; }

void NewFile::keep() {
  stream_->flush();
  if (buffer_->failure() != 0) fail(name_, buffer_->failure());
  if (!plain_) return;
  const int descriptor = buffer_->descriptor();
  if (fsync(descriptor) != 0) fail(name_, errno);  // the content is on disk before the name
  if (draft_.empty()) {
    // linkat does not replace a file, so the old one is replaced by a rename.
    const std::string unnamed = "/proc/self/fd/" + std::to_string(descriptor);
    const int linked = beside(name_, draft_, [&](const char* draft) {
      return linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, draft, AT_SYMLINK_FOLLOW);
    });
    if (linked < 0) fail(name_, errno);
  }
  if (rename(draft_.c_str(), name_.c_str()) != 0) fail(name_, errno);
  draft_.clear();
  sync_directory(directory_of(name_));
}

void save(const std::string& file, std::string_view text) {
  NewFile out(file);
  out.stream().write(text.data(), static_cast<std::streamsize>(text.size()));
  out.keep();
}

}  // namespace wmi::frontends
