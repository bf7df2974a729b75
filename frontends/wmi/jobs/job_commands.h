#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontends/cli/command.h"
#include "frontends/wmi/jobs/job.h"
#include "frontends/wmi/jobs/job_work.h"

namespace wmi::frontends {

/// Whether the units of a job are proofs: a setting of the commands that make jobs.
inline constexpr Setting proof_setting = {
    "proof", "", "",
    "of a job: its units are proofs, of which join --certificate OUT makes\none; they take longer"};

/// The commands `part`, `units` and `join` of a program whose table of job commands is given.
std::vector<Command> job_commands(std::string_view program, std::span<const JobCommand> table);

/// Options of a command that makes a job, as they are written into it, but for these; `table` has
/// all options of the command.
std::vector<std::string> job_arguments(const Settings& settings, std::span<const Setting> table,
                                       std::span<const std::string_view> left_out);

/// A job with copies of these files (`beside` are needed by them, and need not exist), divided into
/// `parts`. Returns the exit status.
struct NewJob {
  std::string directory;
  JobDescription description;            // without inputs
  std::vector<std::string> beside = {};  // further files
  /// Names in the job and files, instead of the above: an input may be a directory of files.
  std::vector<std::pair<std::string, std::string>> inputs = {};
};
int make_job(NewJob job, std::span<const JobCommand> table, Terminal& terminal);

/// Throws UsageError for options that do not go with a job.
void check_for_job(const Options& options);

/// The command `wmi split`, and the table of wmi.
Command split_command();
std::span<const JobCommand> wmi_job_commands();

}  // namespace wmi::frontends
