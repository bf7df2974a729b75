#include "frontends/common/outputs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>

#include "frontends/common/line.h"
#include "frontends/common/write_file.h"

namespace wmi::frontends {
namespace {

/// Device and inode, and when the inode was made, since that of a removed file is used again.
using Identity = std::tuple<unsigned, unsigned, std::uint64_t, std::int64_t, unsigned>;

/// Of a plain file, by its name or, if that is empty, its descriptor; nullopt for all else.
std::optional<Identity> identity(int descriptor, const char* name) {
  struct statx status {};
  if (statx(descriptor, name, *name == '\0' ? AT_EMPTY_PATH : 0, STATX_BASIC_STATS | STATX_BTIME,
            &status) != 0 ||
      !S_ISREG(status.stx_mode))
    return std::nullopt;
  return Identity(status.stx_dev_major, status.stx_dev_minor, status.stx_ino,
                  status.stx_btime.tv_sec, status.stx_btime.tv_nsec);
}

/// The inputs of this process. Never destroyed: threads may read files until the process ends.
struct Inputs {
  std::mutex mutex;
  std::set<Identity> files;
};
Inputs& inputs() {
  static auto* const all = new Inputs;
  return *all;
}

void note(const std::optional<Identity>& file) {
  if (!file) return;
  const std::lock_guard lock(inputs().mutex);
  inputs().files.insert(*file);
}

/// The first bytes of a plain file, at most so many; of one that cannot be read, none.
std::string first_bytes(const std::string& file, std::size_t most) {
  std::string result(most, '\0');
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return "";
  ssize_t length = 0;
  do length = read(descriptor, result.data(), most);
  while (length < 0 && errno == EINTR);
  close(descriptor);
  result.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  return result;
}

}  // namespace

void note_input(int descriptor) { note(identity(descriptor, "")); }

void note_input(const std::string& file) {
  if (!file.empty()) note(identity(AT_FDCWD, file.c_str()));
}

void refuse_input(const std::string& file) {
  const std::optional<Identity> found = identity(AT_FDCWD, file.c_str());
  const std::lock_guard lock(inputs().mutex);
  if (found && inputs().files.contains(*found))
    throw WriteError(printable(file) + " is an input of this command; name another file");
}

void check_output(const std::string& file, std::span<const std::string_view> beginnings,
                  bool overwrite) {
  refuse_input(file);
  struct stat status {};
  if (overwrite || stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size == 0)
    return;
  std::size_t longest = 0;
  for (const std::string_view beginning : beginnings) longest = std::max(longest, beginning.size());
  const std::string found = first_bytes(file, longest);
  if (std::ranges::none_of(beginnings, [&](std::string_view beginning) {
        return !beginning.empty() && found.starts_with(beginning);
      }))
    throw WriteError(printable(file) +
                     " is there already, and is no earlier result of this; name another file");
}

void save_result(const std::string& file, std::string_view text) {
  refuse_input(file);
  save(file, text);
}

}  // namespace wmi::frontends
