#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontends/cli/limits.h"
#include "frontends/cli/settings.h"
#include "frontends/cli/terminal.h"
#include "frontends/wmi/jobs/job.h"
#include "frontends/wmi/jobs/job_work.h"
#include "frontends/wmi/options.h"

namespace wmi::frontends {

/// Whether the units of a job are proofs: a setting of the commands that make jobs.
inline constexpr Setting proof_setting = {
    "proof", "", "",
    "of a job: its units are proofs, of which join --certificate OUT makes\none; they take longer"};

/// Options of a command that makes a job, as they are written into it, but for these; `table` has
/// all options of the command.
std::vector<std::string> job_arguments(const Settings& settings, std::span<const Setting> table,
                                       std::span<const std::string_view> left_out);

/// Throws UsageError for options that do not go with a job.
void check_for_job(const Options& options);

/// Throws UsageError if an option that has a meaning for jobs alone is given without one.
void check_no_job(const Settings& settings);

/// A job that is to be made, with copies of these files (`beside` are needed by them, and need not
/// exist).
struct NewJob {
  std::string directory;
  JobDescription description;            // without inputs
  std::vector<std::string> beside = {};  // further files
  /// Names in the job and files, instead of the above: an input may be a directory of files.
  std::vector<std::pair<std::string, std::string>> inputs = {};
  Limits limits = {};
};

/// Makes a job and divides it. Returns the exit status.
int make_job(NewJob job, std::span<const JobCommand> table, Terminal& terminal);

}  // namespace wmi::frontends
