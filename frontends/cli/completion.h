#pragma once

#include <span>
#include <string>
#include <string_view>

#include "frontends/cli/command.h"

namespace wmi::frontends {

/// The shells that have a completion.
inline constexpr std::string_view shells[] = {"bash", "zsh", "fish"};

/// A completion of all these programs and commands, to be sourced by a shell, one of `shells`.
std::string completion(std::string_view shell, std::span<const Command> commands);

}  // namespace wmi::frontends
