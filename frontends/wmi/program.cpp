#include "frontends/wmi/program.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <exception>

#include "frontends/common/line.h"
#include "frontends/wmi/limits.h"
#include "solver/error.h"

namespace wmi::frontends {

using namespace std::chrono_literals;

void occupy_standard_streams() {
  int descriptor = 0;
  do descriptor = open("/dev/null", O_RDONLY);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  close(descriptor);
}

int answer(const Options& options, Terminal& terminal, const AnswerRun::Reader& reader,
           const AnswerRun::Carrier& carrier) {
  Supervisor supervisor(options.limits, options.threads);
  AnswerRun run(options, supervisor, terminal, reader, carrier);
  std::function<void()> show_progress;
  if (terminal.watched()) show_progress = [&] { terminal.progress(run.progress()); };

  const bool returned =
      supervisor.run([&run](const std::stop_token& stop) { run.work(stop); }, show_progress);
  if (!returned) {  // nothing here may be destroyed: the work still runs
    within(3s, [&run] {
      run.speak_for_it();
      return run.finish();
    });
    _exit(3);
  }
  terminal.progress("");
  return run.finish();
}

int guarded(Terminal& terminal, const std::function<int()>& body) {
  try {
    return body();
  } catch (const UsageError& error) {
    terminal.say(error.what());
    return 2;
  } catch (const WriteError& error) {
    terminal.say(error.what());
    return 1;
  } catch (const Error& error) {
    terminal.say(one_line(error.what()));
    return 1;
  } catch (const std::exception& error) {
    terminal.say("gave up: " + one_line(error.what()));
    return 3;
  }
}

}  // namespace wmi::frontends
