#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontends/cli/setting.h"

namespace wmi::frontends {

/// The options and words of a command line, over those of a `--config FILE` if the table has that
/// option: JSON or TOML with the same names (see frontends/cli/config.h). All values are of the
/// kind that the table says.
///
///     constexpr Setting table[] = {{"epochs", "N", "300", "of training", kind::Count{1, 1000}}};
///     const Settings settings("ciber train", table, {"data.csv", "--epochs", "20"});
///     settings.count("epochs");  // 20
///     settings.words();          // data.csv
class Settings {
 public:
  /// The last word of `command` is its table in a configuration file; such a file may have tables
  /// for `sections`, if there are any, and no others. Throws UsageError, naming the option, for
  /// one that is not in the table, lacks its value or has one of another kind.
  Settings(std::string_view command, std::span<const Setting> table,
           const std::vector<std::string>& arguments,
           std::span<const std::string_view> sections = {});

  /// The words that are no options.
  const std::vector<std::string>& words() const { return words_; }
  /// It was given, or has a default.
  bool has(std::string_view name) const { return !text(name).empty(); }
  /// It was given, on the command line or in the configuration.
  bool given(std::string_view name) const;
  bool flag(std::string_view name) const { return text(name) == "true"; }
  /// The value as it is written, or the default; empty if there is neither.
  const std::string& text(std::string_view name) const;
  /// Of an option whose kind is such a number.
  double number(std::string_view name) const;
  std::size_t count(std::string_view name) const;
  std::vector<std::size_t> counts(std::string_view name) const;
  /// In a range that depends on other values. Throws UsageError, naming the option.
  double number(std::string_view name, double least, double most) const;
  std::size_t count(std::string_view name, std::size_t least, std::size_t most) const;

  /// Options that were given and their values, those of the configuration first, each in its
  /// order; the value of a flag is `true`.
  struct Occurrence {
    std::string name;
    std::string value;
  };
  const std::vector<Occurrence>& occurrences() const { return occurrences_; }
  /// The values of an option that may be given several times.
  std::vector<std::string> texts(std::string_view name) const;

  /// All settings as the JSON that `--config` reads.
  std::string json() const;
  /// The same as TOML, each setting below its help.
  std::string toml() const;

 private:
  void read_line(std::string_view command, const std::vector<std::string>& arguments);
  void read_file(const std::string& file, std::string_view command,
                 std::span<const std::string_view> sections);
  void add(const Setting& setting, std::string value);
  std::vector<const Setting*> in_printed_order() const;
  std::string printed_value(const Setting& setting) const;
  std::string printed_words() const;

  std::span<const Setting> table_;
  std::vector<std::string> words_;
  std::vector<Occurrence> occurrences_;
  std::map<std::string, std::string, std::less<>> values_;  // those given, and the defaults
};

}  // namespace wmi::frontends
