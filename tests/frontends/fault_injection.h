// The programs, run with faults: a full disk, a limit on files, a directory without permission.

#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <stdexcept>

#include "tests/frontends/program.h"

namespace wmi::frontends {

/// Runs a program of this build. `prepare` is called in its process before it begins; by then
/// output goes to a pipe, which no limit on files concerns.
inline Finished run_program(const std::string& name, const std::vector<std::string>& arguments,
                            const std::function<void()>& prepare = {}) {
  int output[2], errors[2];
  if (pipe(output) != 0 || pipe(errors) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    dup2(errors[1], STDERR_FILENO);
    for (const int end : {output[0], output[1], errors[0], errors[1]}) close(end);
    if (prepare) prepare();
    become(program_path(name), arguments);
  }
  close(output[1]);
  close(errors[1]);
  Finished finished;
  pollfd ends[] = {{output[0], POLLIN, 0}, {errors[0], POLLIN, 0}};
  std::string* const texts[] = {&finished.output, &finished.errors};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    poll(ends, 2, -1);
    for (int i = 0; i < 2; ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      char block[4096];
      const ssize_t length = ::read(ends[i].fd, block, sizeof block);
      if (length > 0)
        texts[i]->append(block, static_cast<std::size_t>(length));
      else
        ends[i].fd = -1;
    }
  }
  close(output[0]);
  close(errors[0]);
  finished.exit = exit_status(child);
  return finished;
}

/// Files cannot grow beyond this: who writes on is killed at that byte (SIGXFSZ).
inline std::function<void()> killed_at(std::size_t bytes) {
  return [bytes] {
    const rlimit limit{bytes, bytes}, no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_FSIZE, &limit);
    ::signal(SIGXFSZ, SIG_DFL);
  };
}

/// The same, but the write fails, as on a full disk.
inline std::function<void()> full_at(std::size_t bytes) {
  return [bytes] {
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    ::signal(SIGXFSZ, SIG_IGN);
  };
}

/// Permissions hold for root too.
inline void obey_permissions() {
  constexpr unsigned long override_permissions = 1;  // CAP_DAC_OVERRIDE
  prctl(PR_CAPBSET_DROP, override_permissions, 0, 0, 0);
}

/// A read-only directory while this object exists.
class ReadOnly {
 public:
  explicit ReadOnly(std::string path) : path_(std::move(path)) { chmod(path_.c_str(), 0555); }
  ~ReadOnly() { chmod(path_.c_str(), 0755); }
  ReadOnly(const ReadOnly&) = delete;
  ReadOnly& operator=(const ReadOnly&) = delete;

 private:
  std::string path_;
};

}  // namespace wmi::frontends
