#include "frontends/wmi/answer_files.h"

#include <unistd.h>

#include <chrono>
#include <functional>

#include "frontends/cli/limits.h"

namespace wmi::frontends {

using namespace std::chrono_literals;

int answer(const Options& options, Terminal& terminal, const AnswerRun::Reader& reader,
           const AnswerRun::Embedder& embedder) {
  Supervisor supervisor(options.limits, options.threads);
  AnswerRun run(options, supervisor, terminal, reader, embedder);
  std::function<void()> show_progress;
  if (terminal.watched()) show_progress = [&] { terminal.progress(run.progress()); };

  const bool returned =
      supervisor.run([&run](const std::stop_token& stop) { run.work(stop); }, show_progress);
  if (!returned) {  // nothing here may be destroyed: the work still runs
    within(3s, [&run] {
      run.print_bounds();
      return run.finish();
    });
    _exit(3);
  }
  terminal.progress("");
  return run.finish();
}

}  // namespace wmi::frontends
