#include "frontends/common/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "frontends/formats/caps.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// An open file, closed in the end.
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

}  // namespace

Source load(const std::string& file) {
  const Descriptor in(file == "-" ? STDIN_FILENO : open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.number() < 0) throw Error("cannot be opened: " + reason());
  const Error too_large("larger than " + std::to_string(caps::file >> 20) + " MB");
  struct stat status {};
  if (fstat(in.number(), &status) == 0 && S_ISREG(status.st_mode) &&
      static_cast<std::size_t>(status.st_size) > caps::file)
    throw too_large;

  Source source{file, {}};
  std::vector<char> block(std::size_t{1} << 16);
  for (;;) {
    const ssize_t length = ::read(in.number(), block.data(), block.size());
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) throw Error("cannot be read: " + reason());
    if (length == 0) return source;
    source.text.append(block.data(), static_cast<std::size_t>(length));
    if (source.text.size() > caps::file) throw too_large;
  }
}

}  // namespace wmi::frontends
