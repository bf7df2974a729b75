#pragma once

#include <string>

/// A command that has ended.
struct Finished {
  int exit = -1;  // 128 + signal if it was killed
  std::string output;
  std::string errors;
  double seconds = 0;
};

/// Runs a shell command in the current directory and waits for it.
Finished run(const std::string& command);

/// `text` as one word of a shell command.
std::string quoted(const std::string& text);

/// The path of a program of this build: bin/NAME, for tests that are bin/tests/TESTS.
std::string program_path(const std::string& name);
