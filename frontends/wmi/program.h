#pragma once

#include "frontends/wmi/options.h"
#include "frontends/wmi/run.h"
#include "frontends/wmi/terminal.h"

namespace wmi::frontends {

/// Whatever is opened later must not be taken for a standard stream that was closed.
void occupy_standard_streams();

/// Answers the files of the options, under their limits; returns the exit status.
int answer(const Options& options, Terminal& terminal, const AnswerRun::Reader& reader,
           const AnswerRun::Carrier& carrier = {});

/// What `body` returns, or the exit status for what it throws, which is said in one line.
int guarded(Terminal& terminal, const std::function<int()>& body);

}  // namespace wmi::frontends
