#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/cli/manual.h"
#include "solver/terms/error.h"

namespace wmi::frontends {

/// One setting of a configuration file.
struct ConfigEntry {
  std::string section;  // the command that it is for; empty: for whichever reads it
  std::string name;
  std::vector<std::string> values;  // one, or those of a list
  bool boolean = false;             // its value is true or false, and no word
  Location where;                   // of its name

  friend bool operator==(const ConfigEntry&, const ConfigEntry&) = default;
};

/// The settings in a text, in their order: a JSON object, or TOML 1.0. Names are those of options;
/// a table, or an object in the object, has those of one command:
///
///     seed = 7                                    {"seed": 7,
///     [train]                                      "train": {"target": "price",
///     target = "price"    # dollars                          "hidden": [100, 50]}}
///     hidden = [100, 50]
///
/// Numbers stay the text that they were. Throws Error, with its place, for what is neither, for a
/// name that is given twice, and for values that no option has (dates, tables in tables).
std::vector<ConfigEntry> parse_config(std::string_view text);

/// Those of a file that are for this command. Throws UsageError, with file and place.
std::vector<ConfigEntry> read_config(const std::string& file, std::string_view command);

/// The words of a command line with those of its `--config FILE` before them, as far as the line
/// does not say the same options itself; `known` are the command's options. A list is an option
/// given so often, but of `--input` the numbers. Throws UsageError.
std::vector<std::string> with_config(const std::vector<std::string>& words,
                                     std::string_view command, std::span<const ManualOption> known);

/// These words as the JSON that `--config` reads.
std::string config_json(const std::vector<std::string>& words, std::span<const ManualOption> known);

/// `text` as a value of JSON and of TOML alike: a number that both can write stays one.
std::string config_value(const std::string& text);

/// The name of the setting that holds the words that are no options.
inline constexpr std::string_view words_name = "arguments";

}  // namespace wmi::frontends
