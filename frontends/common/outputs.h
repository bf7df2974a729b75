#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wmi::frontends {

/// Remembers an open file as an input of this process: by device and inode, so that links and
/// other spellings of its name lead to the same one. Pipes and devices are no such inputs.
void note_input(int descriptor);
/// The same for a name; nothing happens if there is no such file.
void note_input(const std::string& file);

/// Throws WriteError if `file` is a noted input: a result never replaces what it was made of.
void refuse_input(const std::string& file);

/// Throws WriteError if `file` is a noted input, or if it is there already and is neither empty nor
/// an earlier result, which starts with one of `beginnings`; `overwrite` allows the latter.
///
///     check_output("law.svg", std::array<std::string_view, 1>{"<svg"}, false);
void check_output(const std::string& file, std::span<const std::string_view> beginnings,
                  bool overwrite);

/// Writes a whole file that is a result: `save`, after `refuse_input`.
void save_result(const std::string& file, std::string_view text);

}  // namespace wmi::frontends
