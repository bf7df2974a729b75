// The program `wmi`, run as its users run it.

#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "solver/terms/rational.h"

namespace wmi::frontends {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A directory for the files of one test.
class Directory {
 public:
  Directory() {
    std::string pattern = (fs::temp_directory_path() / "wmi_test.XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path_ = pattern;
  }
  ~Directory() { fs::remove_all(path_); }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  fs::path path_;
};

inline std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Finished {
  int exit = -1;  // 128 + signal if it was killed
  std::string output;
  std::string errors;
  double seconds = 0;
};

struct Setting {
  std::string input;                  // on stdin
  bool input_never_ends = false;      // stdin stays open and empty
  std::string output = {};            // a file for stdout
  int signal = 0;                     // sent after a while
  std::chrono::milliseconds after{};  // how long a while
};

inline int exit_status(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// The program, by default beside the tests: bin/wmi of bin/tests/frontends_tests.
inline std::string program() {
#ifdef WMI_PROGRAM
  return WMI_PROGRAM;
#else
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "wmi";
#endif
}

[[noreturn]] inline void become_wmi(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), program());
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  execv(words[0], words.data());
  _exit(127);
}

inline Finished wmi_in(const Setting& setting, const std::vector<std::string>& arguments) {
  const Directory directory;
  const std::string input = directory.file("in", setting.input);
  const std::string output = setting.output.empty() ? directory.path("out") : setting.output;
  const std::string errors = directory.path("err");
  int never[2] = {-1, -1};
  if (setting.input_never_ends && pipe(never) != 0) throw std::runtime_error("no pipe");
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    const int in = setting.input_never_ends ? never[0] : open(input.c_str(), O_RDONLY);
    dup2(in, STDIN_FILENO);
    dup2(open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    become_wmi(arguments);
  }
  if (setting.signal != 0) {
    std::this_thread::sleep_for(setting.after);
    kill(child, setting.signal);
  }
  Finished finished;
  finished.exit = exit_status(child);
  finished.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const int end : never)
    if (end >= 0) close(end);
  if (setting.output.empty()) finished.output = contents(output);
  finished.errors = contents(errors);
  return finished;
}

inline Finished wmi(const std::vector<std::string>& arguments) { return wmi_in({}, arguments); }

inline Finished wmi_reads(const std::string& text, std::vector<std::string> arguments = {}) {
  arguments.emplace_back("-");
  return wmi_in({.input = text}, arguments);
}

inline std::vector<Json> objects(const std::string& text) {
  std::vector<Json> result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) result.push_back(Json::parse(line));
  return result;
}

inline std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> result;
  for (const auto& item : object.items()) result.push_back(item.key());
  return result;
}

inline std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline const std::string square = "(declare-const x Real) (assert (<= 0 x 1))\n";

/// x, uniform on [0,1]: a WMI of 1.
inline const std::string one = square + "(get-wmi)\n";

/// Weight 2 for each pair in order: the sum over the permutations of 12 reals of 2^inversions /
/// 12!, one cell each, far too many to wait for. The whole is the product of (2^k - 1)/k for k
/// = 1..12, twice: the Boolean is free.
inline std::string endless() {
  std::string text = "(declare-const b Bool)\n";
  const auto x = [](int i) { return "x" + std::to_string(i); };
  for (int i = 0; i < 12; ++i)
    text += "(declare-const " + x(i) + " Real) (assert (<= 0 " + x(i) + " 1))\n";
  for (int i = 0; i < 12; ++i)
    for (int j = i + 1; j < 12; ++j) text += "(weight (< " + x(i) + " " + x(j) + ") 2)\n";
  return text +
         "(echo \"first\")\n(get-wmi)\n(check-sat)\n(push 1)\n(assert b)\n(get-wmi b)\n(pop 1)\n";
}

inline Rational endless_value() {
  Rational value = 2;
  for (unsigned k = 1; k <= 12; ++k) value *= ratio((1 << k) - 1, k);
  return value;
}

}  // namespace wmi::frontends
