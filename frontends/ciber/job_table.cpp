#include "frontends/ciber/job_table.h"

#include "frontends/ciber/network_commands.h"
#include "frontends/ciber/verify/verify_command.h"

namespace wmi::frontends {

std::span<const JobCommand> ciber_job_commands() {
  static constexpr JobCommand table[] = {{"query", read_query_job}, {"verify", read_verify_job}};
  return table;
}

}  // namespace wmi::frontends
