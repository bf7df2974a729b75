#include "frontends/wmi/jobs/job_subject.h"

#include "frontends/wmi/answer_files.h"

namespace wmi::frontends {

int ScriptSubject::report(const Options& how, std::span<const CountedSolution> solutions,
                          std::span<const std::string>, Terminal& terminal) {
  for (const std::string& line : said_) terminal.say(line);
  return answer(
      how, terminal, [&](const std::string&) { return script_; }, {},
      [&](std::size_t number, const Task&) { return solutions[number]; });
}

}  // namespace wmi::frontends
