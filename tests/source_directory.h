#pragma once

#include <filesystem>

/// Where the project's sources are.
std::filesystem::path source_directory();
