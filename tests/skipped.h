#pragma once

#include <filesystem>
#include <optional>
#include <string>

/// Says that a test, or the rest of it, is skipped, and why; `./run test` repeats it at its end.
void skipped(const std::string& why);

/// The folder `name` of the data that some tests need: in $WMI_DATA, or else in ../shared/data
/// beside the sources. Where it is absent, says that the test is skipped and returns nullopt.
std::optional<std::filesystem::path> data_folder(const std::string& name);

/// True if the shell finds this program; otherwise says that the test is skipped.
bool installed(const std::string& program);

/// A Python that runs `statement` without an error, as a word of a shell command: that of the
/// build's own virtual environment (venv), which `./run test` makes, or of the system. Otherwise
/// says that the test is skipped for want of `needed` and returns nullopt.
std::optional<std::string> python(const std::string& statement, const std::string& needed);
