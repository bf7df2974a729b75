#pragma once

#include <filesystem>
#include <string>

#include "tests/process.h"

/// The program under test, as a word of a shell command.
inline const std::string ciber =
    quoted((std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "ciber")
               .string());
