#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "frontends/common/write_file.h"

namespace wmi::frontends {

/// The output of a program: answers on stdout, messages on stderr, and, if that is a terminal, a
/// line of progress that is rewritten in place. Safe to use from several threads.
class Terminal {
 public:
  /// Messages begin with the name of the program.
  explicit Terminal(std::string program = "wmi");

  /// Writes answers, without buffering. Throws WriteError.
  void print(std::string_view text);

  /// Writes the one-line message `PROGRAM: WHAT`.
  void say(std::string_view what);

  /// True if progress is shown.
  bool watched() const { return watched_; }

  /// Replaces the line of progress; an empty line erases it. Does nothing if another thread prints.
  void progress(std::string_view line);

 private:
  void erase();

  const std::string program_;
  const bool watched_;
  std::mutex mutex_;
  bool shown_ = false;
};

}  // namespace wmi::frontends
