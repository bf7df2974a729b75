#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solver/terms/error.h"

namespace wmi::frontends {

/// One setting of a configuration file.
struct ConfigEntry {
  std::string section;  // the command that it is for; empty: for every command
  std::string name;
  std::vector<std::string> values;  // one, or those of a list
  bool boolean = false;             // its value is the word true or false, without quotes
  Location where;                   // of its name

  friend bool operator==(const ConfigEntry&, const ConfigEntry&) = default;
};

/// The settings in a text, in their order: a JSON object, or TOML 1.0. Names are those of options;
/// a table of TOML, or an object in the object, has those of one command:
///
/// ```
/// seed = 7                          {"seed": 7,
/// [train]                            "train": {"target": "price",
/// target = "price"    # dollars                "hidden": [100, 50]}}
/// hidden = [100, 50]
/// ```
///
/// The values of numbers are their text, without rounding. Throws Error, with a location, for a
/// text that is neither, a name that occurs twice, and values that no option has (dates, lists in
/// lists, tables in tables).
std::vector<ConfigEntry> parse_config(std::string_view text);

/// The settings of a file that are for this command: those of its own section, then those for
/// every command that it does not have. Throws UsageError, with file and location; also for
/// sections that are not among `sections`, unless that is empty.
std::vector<ConfigEntry> read_config(const std::string& file, std::string_view command,
                                     std::span<const std::string_view> sections = {});

/// `text` as a value of JSON and of TOML alike: a number if both can write it, else a string.
std::string config_value(const std::string& text);

/// The name of the setting that holds the words that are no options.
inline constexpr std::string_view words_name = "arguments";

}  // namespace wmi::frontends
