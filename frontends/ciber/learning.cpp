#include "frontends/ciber/learning.h"

#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// The path of ciber-learning, in the directory of this program.
std::string learning_program() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "ciber-learning" : self.parent_path() / "ciber-learning";
}

}  // namespace

bool has_learning() { return access(learning_program().c_str(), X_OK) == 0; }

void mask_signals(int how) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(how, &signals, nullptr);
}

void run_learning(const std::vector<std::string>& arguments) {
  const std::string program = learning_program();
  std::vector<std::string> words{"ciber"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  // LibTorch starts threads before that program's main; with these signals blocked, they do not
  // receive them.
  mask_signals(SIG_BLOCK);
  execvp(program.c_str(), pointers.data());
  mask_signals(SIG_UNBLOCK);
  throw Error("'" + arguments[0] +
              "' needs the program ciber-learning beside ciber; it is built where LibTorch is "
              "installed");
}

}  // namespace wmi::frontends
