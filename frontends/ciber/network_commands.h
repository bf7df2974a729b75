#pragma once

#include <memory>

#include "frontends/cli/command.h"
#include "frontends/wmi/jobs/job_subject.h"

namespace wmi::frontends {

/// `ciber query` and `ciber encode NET`: questions to a partly unknown network, answered or written
/// as a problem. They take the options of wmi as well.
Command query_network_command();
Command encode_network_command();

/// The questions of a job that `ciber query` has made. Throws Error.
std::unique_ptr<JobSubject> read_query_job(const Job& job, Terminal& terminal);

}  // namespace wmi::frontends
