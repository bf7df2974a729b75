#include "frontends/wmi/answer_files.h"

#include "frontends/wmi/supervised_run.h"

namespace wmi::frontends {

int answer(const Options& options, Terminal& terminal, const AnswerRun::Reader& reader,
           const AnswerRun::Embedder& embedder, const AnswerRun::TaskSolver& solver) {
  Supervisor supervisor(options.limits, options.threads);
  AnswerRun run(options, supervisor, terminal, reader, embedder, solver);
  return supervised_run(run, supervisor, terminal);
}

}  // namespace wmi::frontends
