#pragma once

#include <string>

/// What a command left behind.
struct Finished {
  int exit;
  std::string output;
  std::string errors;
};

/// Runs a shell command in the current directory and waits for it.
Finished run(const std::string& command);

/// `text` as one word of a shell command.
std::string quoted(const std::string& text);
