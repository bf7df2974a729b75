#pragma once

#include "frontends/cli/terminal.h"
#include "frontends/wmi/options.h"
#include "frontends/wmi/run.h"

namespace wmi::frontends {

/// Answers the files of the options, under their limits; returns the exit status. Files are
/// problems in one of the formats, unless a `reader` makes problems of them.
int answer(const Options& options, Terminal& terminal, const AnswerRun::Reader& reader = {},
           const AnswerRun::Embedder& embedder = {}, const AnswerRun::TaskSolver& solver = {});

}  // namespace wmi::frontends
