#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <exception>
#include <functional>
#include <string>
#include <variant>

#include "frontends/wmi/limits.h"
#include "frontends/wmi/line.h"
#include "frontends/wmi/options.h"
#include "frontends/wmi/run.h"
#include "frontends/wmi/terminal.h"

using namespace std::chrono_literals;
using namespace wmi::frontends;

namespace {

/// Whatever is opened later must not be taken for a standard stream that was closed.
void occupy_standard_streams() {
  int descriptor = 0;
  do descriptor = open("/dev/null", O_RDONLY);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  close(descriptor);
}

int answer(const Options& options, Terminal& terminal) {
  Supervisor supervisor(options.limits, options.threads);
  Run run(options, supervisor, terminal);
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

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  Terminal terminal;
  try {
    const std::variant<Options, std::string> asked = read_options(argc, argv);
    if (const auto* text = std::get_if<std::string>(&asked)) {
      terminal.print(*text);
      return 0;
    }
    return answer(std::get<Options>(asked), terminal);
  } catch (const UsageError& error) {
    terminal.say(error.what());
    return 2;
  } catch (const WriteError& error) {
    terminal.say(error.what());
    return 1;
  } catch (const std::exception& error) {
    terminal.say("gave up: " + one_line(error.what()));
    return 3;
  }
}
