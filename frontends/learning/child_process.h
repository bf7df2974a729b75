#pragma once

#include <stop_token>
#include <string>
#include <vector>

namespace wmi::frontends {

/// Files for the standard streams of a program; empty: nothing is read, or what is written is lost.
struct ChildStreams {
  std::string input = {};
  std::string output = {};
  std::string errors = {};
};

/// Runs a program, looked for on the PATH, and waits for it: its exit status, 128 + signal, or 127
/// if it cannot be started. A request to stop ends it, and throws Stopped.
int run_child(const std::vector<std::string>& words, const ChildStreams& streams,
              const std::stop_token& stop);

}  // namespace wmi::frontends
