#pragma once

#include <string_view>
#include <vector>

#include "frontends/cli/config.h"

namespace wmi::frontends {

/// The two languages of a configuration file; see `parse_config`. They throw Error.
std::vector<ConfigEntry> parse_config_json(std::string_view text);
std::vector<ConfigEntry> parse_config_toml(std::string_view text);

}  // namespace wmi::frontends
