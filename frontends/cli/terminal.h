#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "frontends/common/write_file.h"

namespace wmi::frontends {

/// What the program says: answers on stdout, messages on stderr, and there, if it is a terminal,
/// one line of progress that is rewritten in place. Any thread may speak.
class Terminal {
 public:
  /// Messages begin with the name of the program.
  explicit Terminal(std::string program = "wmi");

  /// Writes answers; they have left the program when it returns. Throws WriteError.
  void print(std::string_view text);

  /// Writes the one-line message `PROGRAM: WHAT`.
  void say(std::string_view what);

  /// True when somebody may watch the progress.
  bool watched() const { return watched_; }

  /// Shows `line` in place of the last one; an empty line erases it. Never waits for others.
  void progress(std::string_view line);

 private:
  void erase();

  const std::string program_;
  const bool watched_;
  std::mutex mutex_;
  bool shown_ = false;
};

}  // namespace wmi::frontends
