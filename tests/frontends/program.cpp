#include "tests/frontends/program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace wmi::frontends {

int exit_status(int child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void become(const std::string& program, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), program);
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  execv(words[0], words.data());
  _exit(127);
}

Finished wmi_in(const Invocation& invocation, const std::vector<std::string>& arguments) {
  const TemporaryDirectory directory;
  const std::string input = directory.file("in", invocation.input);
  const std::string output = invocation.output.empty() ? directory.path("out") : invocation.output;
  const std::string errors = directory.path("err");
  int never[2] = {-1, -1};
  if (invocation.input_never_ends && pipe(never) != 0) throw std::runtime_error("no pipe");
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    const int in = invocation.input_never_ends ? never[0] : open(input.c_str(), O_RDONLY);
    dup2(in, STDIN_FILENO);
    dup2(open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    become(program_path("wmi"), arguments);
  }
  if (invocation.signal != 0) {
    std::this_thread::sleep_for(invocation.after);
    kill(child, invocation.signal);
  }
  Finished finished;
  finished.exit = exit_status(child);
  finished.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const int end : never)
    if (end >= 0) close(end);
  if (invocation.output.empty()) finished.output = contents(output);
  finished.errors = contents(errors);
  return finished;
}

Finished wmi_reads(const std::string& text, std::vector<std::string> arguments) {
  arguments.emplace_back("-");
  return wmi_in({.input = text}, arguments);
}

Finished ciber(const std::string& words) {
  return run(quoted(program_path("ciber")) + " " + words);
}

Finished wmi_check(const std::string& words) {
  return run(quoted(program_path("wmi-check")) + " " + words);
}

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::string endless() {
  std::string text = "(declare-const b Bool)\n";
  const auto x = [](int i) { return "x" + std::to_string(i); };
  for (int i = 0; i < 12; ++i)
    text += "(declare-const " + x(i) + " Real) (assert (<= 0 " + x(i) + " 1))\n";
  for (int i = 0; i < 12; ++i)
    for (int j = i + 1; j < 12; ++j) text += "(weight (< " + x(i) + " " + x(j) + ") 2)\n";
  return text +
         "(echo \"first\")\n(get-wmi)\n(check-sat)\n(push 1)\n(assert b)\n(get-wmi b)\n(pop 1)\n";
}

Rational endless_value() {
  Rational value = 2;
  for (unsigned k = 1; k <= 12; ++k) value *= ratio((1 << k) - 1, k);
  return value;
}

}  // namespace wmi::frontends
