#pragma once

#include <span>

#include "frontends/wmi/jobs/new_job.h"

namespace wmi::frontends {

/// The commands of ciber that can make a job, by --job DIR.
std::span<const JobCommand> ciber_job_commands();
/// Adds the commands of another library, before the first use.
void add_job_commands(std::span<const JobCommand> commands);

/// The settings by which they do.
inline constexpr Setting job_settings[] = {
    {"job", "DIR", "",
     "answer nothing, but make a job of work units, which ciber part solves\nand ciber join adds "
     "up"},
    {"parts", "N", "100", "with --job: about so many units", kind::Count{1, 10'000'000}},
    proof_setting,
};

/// Options that are not written into a job: how it is made, and how its answers are printed.
inline constexpr std::string_view not_of_a_job[] = {"job",    "parts",    "config",   "threads",
                                                    "memory", "json",     "exact",    "stats",
                                                    "plot",   "decimals", "overwrite"};

}  // namespace wmi::frontends
