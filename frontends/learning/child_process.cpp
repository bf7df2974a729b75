#include "frontends/learning/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "solver/terms/error.h"

extern char** environ;

namespace wmi::frontends {

int run_child(const std::vector<std::string>& words, const ChildStreams& streams,
              const std::stop_token& stop) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  const auto open = [&](int stream, const std::string& file, int flags) {
    posix_spawn_file_actions_addopen(&files, stream, file.empty() ? "/dev/null" : file.c_str(),
                                     flags, 0666);
  };
  open(STDIN_FILENO, streams.input, O_RDONLY);
  open(STDOUT_FILENO, streams.output, O_WRONLY | O_CREAT | O_TRUNC);
  open(STDERR_FILENO, streams.errors, O_WRONLY | O_CREAT | O_TRUNC);
  // The supervisor's thread waits for signals that are blocked here.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  pid_t child = 0;
  const int failure =
      posix_spawnp(&child, pointers[0], &files, &attributes, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (failure != 0) return 127;
  int status = 0;
  {
    const std::stop_callback end(stop, [child] { kill(child, SIGTERM); });
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  if (stop.stop_requested()) throw Stopped();
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace wmi::frontends
