#pragma once

#include <memory>

#include "frontends/cli/command.h"
#include "frontends/wmi/jobs/job_subject.h"

namespace wmi::frontends {

/// `ciber verify NET PROPERTY`: how likely a network violates a property, with a verdict.
Command verify_command();

/// The property of a job that `ciber verify` has made. Throws Error.
std::unique_ptr<JobSubject> read_verify_job(const Job& job, Terminal& terminal);

}  // namespace wmi::frontends
