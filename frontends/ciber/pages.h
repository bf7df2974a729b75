#pragma once

#include <span>
#include <string>
#include <vector>

#include "frontends/cli/manual.h"
#include "frontends/cli/terminal.h"

namespace wmi::frontends {

/// `ciber query` and `ciber encode`: what is asked of a network, and the options of wmi.
ManualPage query_page();
ManualPage encode_page();

/// All options of `ciber query`, or (to write) of `ciber encode`: those of wmi included.
std::vector<ManualOption> network_query_options(bool write);

/// The text of `ciber query --help`, or of encode.
std::string query_help(const ManualPage& page);

/// Every page: wmi, ciber, and its commands, those of learning in full where `learning` has them.
std::vector<ManualPage> all_pages(std::span<const ManualPage> learning);

/// `ciber man [COMMAND]` and `ciber completion SHELL`: prints what the pages say, or writes it all
/// under a directory (`ciber man --write DIR`) as an installation wants it. Throws UsageError.
int manual(const std::vector<std::string>& arguments, std::span<const ManualPage> learning,
           Terminal& terminal);

}  // namespace wmi::frontends
