#include "tests/process.h"

#include <sys/wait.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

std::string everything_in(std::FILE* file) {
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  return text;
}

}  // namespace

Finished run(const std::string& command) {
  const File output(std::tmpfile()), errors(std::tmpfile());
  if (!output || !errors) throw std::runtime_error("cannot make a temporary file");
  const std::string redirected = "{ " + command + "\n} </dev/null >&" +
                                 std::to_string(fileno(output.get())) + " 2>&" +
                                 std::to_string(fileno(errors.get()));
  const auto start = std::chrono::steady_clock::now();
  const int status = std::system(redirected.c_str());
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          everything_in(output.get()), everything_in(errors.get()), taken.count()};
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string program_path(const std::string& name) {
  const std::filesystem::path tests = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return (tests.parent_path() / name).string();
}
