#include "frontends/ciber/job_table.h"

#include <vector>

#include "frontends/ciber/network_commands.h"
#include "frontends/ciber/verify/verify_command.h"

namespace wmi::frontends {

namespace {

std::vector<JobCommand>& table() {
  static std::vector<JobCommand> commands{{"query", read_query_job}, {"verify", read_verify_job}};
  return commands;
}

}  // namespace

std::span<const JobCommand> ciber_job_commands() { return table(); }

void add_job_commands(std::span<const JobCommand> commands) {
  table().insert(table().end(), commands.begin(), commands.end());
}

}  // namespace wmi::frontends
