#include "frontends/common/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "frontends/common/outputs.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// Closes its file descriptor, unless it is stdin.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ > STDERR_FILENO) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

std::string reason() { return std::generic_category().message(errno); }

std::string read_all(const Descriptor& in, const struct stat& status, std::size_t most) {
  const Error too_large("larger than " + std::to_string(most >> 20) + " MiB");
  std::string bytes;
  if (S_ISREG(status.st_mode)) {
    if (static_cast<std::size_t>(status.st_size) > most) throw too_large;
    bytes.reserve(static_cast<std::size_t>(status.st_size));
  }
  std::vector<char> block(std::size_t{1} << 16);
  for (;;) {
    const ssize_t length = ::read(in.number(), block.data(), block.size());
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) throw Error("cannot be read: " + reason());
    if (length == 0) return bytes;
    bytes.append(block.data(), static_cast<std::size_t>(length));
    if (bytes.size() > most) throw too_large;
  }
}

std::string read(const Descriptor& in, bool plain, std::size_t most) {
  if (in.number() < 0) throw Error("cannot be opened: " + reason());
  struct stat status {};
  if (fstat(in.number(), &status) != 0) throw Error("cannot be read: " + reason());
  if (plain && !S_ISREG(status.st_mode)) throw Error("cannot be read: it is no plain file");
  note_input(in.number());
  return read_all(in, status, most);
}

}  // namespace

std::string read_file(const std::string& path, std::size_t most) {
  // O_NONBLOCK: opening a pipe does not wait for a writer.
  return read(Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), true, most);
}

std::string read_input(const std::string& path) {
  return read(Descriptor(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC)),
              false, caps::file);
}

}  // namespace wmi::frontends
