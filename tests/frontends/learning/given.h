#pragma once

#include <string>
#include <vector>

#include "frontends/cli/command.h"

namespace wmi::frontends {

/// The settings of a command that is given these words.
inline Settings given(const Command& command, const std::vector<std::string>& words) {
  return Settings(command.name, command.settings, words);
}

}  // namespace wmi::frontends
