#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wmi::frontends {

/// One of the words that a value may be.
struct Choice {
  std::string_view name;
  std::string_view description = {};  // its line of the help; empty: described in the option's help
};

/// The kinds of value that an option may have.
namespace kind {

/// Any text; validated by its reader.
struct Text {};

struct Number {
  double least, most;
};

/// A whole number.
struct Count {
  std::size_t least = 0, most = SIZE_MAX;
};

/// `50,20`: whole numbers above 0.
struct Counts {};

/// One word of a list, `law|wmi`, or of a table.
struct OneOf {
  std::string_view words = {};
  std::vector<Choice> (*table)() = nullptr;
  std::string_view noun = {};  // what a word names: `enumerator`
};

/// The name of a file to write; `-` is standard output. A command with such an option has
/// --overwrite too: without it, a file that is there is replaced only if it starts like an earlier
/// result, and an input of the command never is.
struct Output {
  std::array<std::string_view, 4> beginnings = {};  // of a result, those that are not empty
};

inline constexpr Output svg{{"<svg "}};

}  // namespace kind

using ValueKind =
    std::variant<kind::Text, kind::Number, kind::Count, kind::Counts, kind::OneOf, kind::Output>;

/// What it means that an option is given several times.
enum class Repeat { refused, last_wins, list };

/// The declaration of an option: the command line, the configuration file, the help, the manual
/// page and the completion of shells all read it.
///
///     constexpr Setting table[] = {
///         {"epochs", "N", "300", "how often all rows are seen", kind::Count{1, 1'000'000}},
///         {"retrain", "yes|no", "yes", "after choosing, train on all rows"},
///         {"json", "", "", "one JSON object per query"},
///     };
struct Setting {
  std::string_view name;      // without dashes
  std::string_view argument;  // what the help calls its value; empty: a flag, without a value
  std::string_view standard;  // the default; empty: none
  std::string_view description;
  ValueKind value = kind::Text{};  // of an argument like `yes|no`: one of these words
  Repeat repeat = Repeat::refused;
  std::string_view group = {};  // the program it comes from, whose help describes it; empty: own
};

/// The setting of this name, or null.
const Setting* find(std::span<const Setting> table, std::string_view name);

/// What the value may be; empty: the kind has no such list.
std::vector<Choice> choices(const Setting& setting);

/// The choices of a table whose entries have a name and a description: `choices_of<enumerators>`.
template <auto table>
std::vector<Choice> choices_of() {
  std::vector<Choice> result;
  for (const auto& entry : table()) result.push_back({entry.name, entry.description});
  return result;
}

/// The same without the descriptions, for an option whose own help has them.
template <auto table>
std::vector<Choice> names_of() {
  std::vector<Choice> result;
  for (const auto& entry : table()) result.push_back({entry.name});
  return result;
}

/// What is wrong with a value, in words that follow the option's name, or nullopt.
std::optional<std::string> mistake(const Setting& setting, const std::string& value);

/// The lines of a description: of the setting, and of the choices that are described.
std::string description_text(const Setting& setting);

/// The same with the default: what --help and the manual page say.
std::string help_text(const Setting& setting);

}  // namespace wmi::frontends
