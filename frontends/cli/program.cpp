#include "frontends/cli/program.h"

#include <fcntl.h>
#include <unistd.h>

#include <exception>

#include "frontends/cli/usage_error.h"
#include "frontends/common/line.h"
#include "solver/terms/error.h"

namespace wmi::frontends {

void occupy_standard_streams() {
  int descriptor = 0;
  do descriptor = open("/dev/null", O_RDONLY);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  close(descriptor);
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
