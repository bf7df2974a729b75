#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wmi::frontends {

/// One option, as help, manual pages and completions tell it.
struct ManualOption {
  std::string name;      // --json
  std::string argument;  // what its value is called; empty: a switch
  std::string description;
  std::vector<std::string> choices = {};  // what the value may be; empty: anything
};

/// A program, or a command of one, as manual pages and completions tell it.
struct ManualPage {
  std::string name;  // `wmi`, `ciber`, `ciber train`
  std::string summary;
  std::string usage;  // what follows the name
  std::string description;
  std::vector<ManualOption> options = {};
  std::string examples = {};            // a line each
  std::vector<std::string> words = {};  // what may follow the name; empty: files

  /// `ciber-train`: of a file, and of references.
  std::string title() const;
};

/// The lines of a help text: descriptions in a column of their own, which begins at `indent`.
std::string option_lines(std::span<const ManualOption> options, std::size_t indent);

/// The page in roff, for man. `all` are those that it points to.
std::string roff(const ManualPage& page, std::span<const ManualPage> all);

/// The shells that have a completion.
inline constexpr std::string_view shells[] = {"bash", "zsh", "fish"};

/// A completion of all programs and commands of these pages, to be sourced by a shell, one of
/// `shells`.
std::string completion(std::string_view shell, std::span<const ManualPage> pages);

}  // namespace wmi::frontends
