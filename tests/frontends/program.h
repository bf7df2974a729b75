// The programs, run as their users run them.

#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "solver/terms/rational.h"
#include "tests/process.h"
#include "tests/temporary_directory.h"

namespace wmi::frontends {

namespace fs = std::filesystem;

struct Invocation {
  std::string input;                  // on stdin
  bool input_never_ends = false;      // stdin stays open and empty
  std::string output = {};            // a file for stdout
  int signal = 0;                     // sent after a while
  std::chrono::milliseconds after{};  // how long a while
};

/// Runs `wmi`.
Finished wmi_in(const Invocation& invocation, const std::vector<std::string>& arguments);
inline Finished wmi(const std::vector<std::string>& arguments) { return wmi_in({}, arguments); }

/// Runs `wmi` on a text that it reads from stdin.
Finished wmi_reads(const std::string& text, std::vector<std::string> arguments = {});

/// Run `ciber` and `wmi-check` with words of a shell command.
Finished ciber(const std::string& words);
Finished wmi_check(const std::string& words);

/// Replaces this process by a program.
[[noreturn]] void become(const std::string& program, std::vector<std::string> arguments);

/// Waits for a process to end: its exit status, or 128 + signal.
int exit_status(int child);

std::size_t lines(const std::string& text);

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline const std::string square = "(declare-const x Real) (assert (<= 0 x 1))\n";

/// x, uniform on [0,1]: a WMI of 1.
inline const std::string one = square + "(get-wmi)\n";

/// Weight 2 for each pair in order: the sum over the permutations of 12 reals of 2^inversions /
/// 12!, one cell each, far too many to wait for. The whole is the product of (2^k - 1)/k for k
/// = 1..12, twice: the Boolean is free.
std::string endless();
Rational endless_value();

}  // namespace wmi::frontends
