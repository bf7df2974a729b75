#include "frontends/cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "frontends/common/line.h"

namespace wmi::frontends {
namespace {

constexpr std::string_view erase_line = "\r\x1b[K";

/// Ignores errors: there is nowhere to report them.
void write_message(std::string_view text) {
  try {
    write_all(STDERR_FILENO, text, "standard error");
  } catch (const WriteError&) {
  }
}

bool understands_erasing() {
  const char* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) && kind != nullptr && std::string_view(kind) != "dumb";
}

std::size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

}  // namespace

Terminal::Terminal(std::string program)
    : program_(std::move(program)), watched_(understands_erasing()) {}

void Terminal::print(std::string_view text) {
  const std::lock_guard lock(mutex_);
  erase();
  write_all(STDOUT_FILENO, text, "standard output");
}

void Terminal::say(std::string_view what) {
  const std::lock_guard lock(mutex_);
  erase();
  write_message(fmt::format("{}: {}\n", program_, what));
}

void Terminal::progress(std::string_view line) {
  if (!watched_) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  erase();
  if (line.empty()) return;
  write_message(printable(line).substr(0, columns() - 1));
  shown_ = true;
}

void Terminal::erase() {
  if (shown_) write_message(erase_line);
  shown_ = false;
}

}  // namespace wmi::frontends
