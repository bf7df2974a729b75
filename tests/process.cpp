#include "tests/process.h"

#include <sys/wait.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

std::string contents(std::FILE* file) {
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
  const int status = std::system(redirected.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), contents(output.get()),
          contents(errors.get())};
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}
