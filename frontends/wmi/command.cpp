#include "frontends/wmi/command.h"

#include "frontends/wmi/answer_files.h"
#include "frontends/wmi/jobs/job_commands.h"
#include "frontends/wmi/jobs/split_command.h"
#include "frontends/wmi/options.h"

namespace wmi::frontends {

Command wmi_command() {
  return {.name = "wmi",
          .usage = "[options] FILE...",
          .description =
              "Answers the queries of each FILE; without queries, its weighted model integral.\n"
              "FILE may be - for standard input.",
          .settings = wmi_settings(),
          .examples = "  wmi problem.smt2\n  wmi --digits 10 --json problem.smt2\n",
          .run =
              [](const Settings& settings, Terminal& terminal) {
                const Options options = read_options(settings);
                check(options);
                return answer(options, terminal);
              },
          .summary = "exact weighted model integration",
          .program = "",
          .notes =
              "Commands: wmi split makes work units of a FILE, which wmi part solves and wmi join\n"
              "adds up; wmi units lists them. See wmi split --help.\n"
              "Exit status: 0 answered, 1 bad input, 2 bad usage, 3 stopped by a limit or a "
              "signal.\n"};
}

std::vector<Command> wmi_commands() {
  std::vector<Command> result{split_command()};
  for (Command& command : job_commands("wmi", wmi_job_commands()))
    result.push_back(std::move(command));
  return result;
}

}  // namespace wmi::frontends
