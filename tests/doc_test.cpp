// Runs the commands that a document shows and compares what they print.
//
//     doc_test BIN DOCUMENT
//
// A command is a line `$ COMMAND` in a fenced block marked `console`; the lines after it are its
// expected output on stdout and stderr, where a line `...` stands for any number of lines. Commands
// are run in the current directory with BIN first in the path; `git clone` and `./run` are skipped.

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/process.h"

namespace {

struct Example {
  std::size_t line;  // of the command in the document
  std::string command;
  std::vector<std::string> output;
};

std::vector<Example> examples(std::istream& document) {
  std::vector<Example> found;
  bool console = false, fenced = false;
  std::size_t number = 0;
  for (std::string line; std::getline(document, line);) {
    ++number;
    if (line.starts_with("```")) {
      fenced = !fenced;
      console = fenced && line == "```console";
    } else if (console && line.starts_with("$ ")) {
      found.push_back({number, line.substr(2), {}});
    } else if (console) {
      if (found.empty()) throw std::runtime_error("a console block starts without a command");
      found.back().output.push_back(line);
    }
  }
  if (fenced) throw std::runtime_error("a fenced block is never closed");
  return found;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) result.push_back(line);
  return result;
}

bool matches(std::span<const std::string> pattern, std::span<const std::string> text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == "...") {
    for (std::size_t skipped = 0; skipped <= text.size(); ++skipped)
      if (matches(pattern.subspan(1), text.subspan(skipped))) return true;
    return false;
  }
  return !text.empty() && text[0] == pattern[0] && matches(pattern.subspan(1), text.subspan(1));
}

void print(const std::vector<std::string>& text) {
  for (const std::string& line : text) std::cout << "    " << line << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: doc_test BIN DOCUMENT\n";
    return 2;
  }
  const char* path = std::getenv("PATH");
  setenv("PATH", (std::string(argv[1]) + ":" + (path ? path : "")).c_str(), 1);
  const std::string document = argv[2];
  bool failed = false;
  try {
    std::ifstream in(document);
    if (!in) throw std::runtime_error("cannot be read");
    for (const Example& example : examples(in)) {
      if (example.command.starts_with("git clone") || example.command.starts_with("./run"))
        continue;
      const Finished finished = run("{ " + example.command + "\n} 2>&1");
      if (matches(example.output, lines(finished.output))) continue;
      failed = true;
      std::cout << document << ':' << example.line << ": $ " << example.command << "\n  shown:\n";
      print(example.output);
      std::cout << "  printed:\n";
      print(lines(finished.output));
    }
  } catch (const std::exception& error) {
    std::cout << document << ": " << error.what() << '\n';
    return 1;
  }
  return failed ? 1 : 0;
}
