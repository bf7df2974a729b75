#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wmi::frontends {

/// One option of a command: the command line, the configuration file, the help, the manual page
/// and the shell's completion all read this line.
struct Setting {
  std::string_view name;      // without dashes
  std::string_view argument;  // what its value is called; empty: a switch
  std::string_view standard;  // the value without it; empty: none
  std::string_view description;
};

/// What a command was asked: words of the command line, and under them those of `--config FILE`,
/// JSON or TOML with the same names (see frontends/cli/config.h).
///
///     const Settings settings("train", table, {"data.csv", "--epochs", "300"});
///     settings.count("epochs", 1, 1'000'000);  // 300
///     settings.words();                        // data.csv
class Settings {
 public:
  /// Throws UsageError, naming the option, for one that is not in the table or lacks its value.
  Settings(std::string_view command, std::span<const Setting> table,
           const std::vector<std::string>& arguments);

  /// The words that are no options.
  const std::vector<std::string>& words() const { return words_; }
  /// It was given, or has a standard value.
  bool has(std::string_view name) const { return !text(name).empty(); }
  /// It was given, on the command line or in the configuration.
  bool given(std::string_view name) const { return given_.contains(name); }
  bool flag(std::string_view name) const { return text(name) == "true"; }
  /// The value as it stands; empty when there is none.
  const std::string& text(std::string_view name) const;
  /// These throw UsageError, naming the option, for what is no such number.
  double number(std::string_view name, double least, double most) const;
  std::size_t count(std::string_view name, std::size_t least, std::size_t most) const;
  /// `50,20`: counts above 0, separated by commas.
  std::vector<std::size_t> counts(std::string_view name) const;
  /// One of these words.
  std::string choice(std::string_view name, std::span<const std::string_view> choices) const;

  /// All settings as the JSON that `--config` reads.
  std::string json() const;
  /// The same as TOML; every setting stands below what it means.
  std::string toml() const;

 private:
  void set(const std::string& name, std::string value);
  void read_settings(const std::string& file, std::string_view command);
  std::string words_value() const;

  std::span<const Setting> table_;
  std::vector<std::string> words_;
  std::map<std::string, std::string, std::less<>> given_;
  std::map<std::string, std::string, std::less<>> values_;  // those given and the standard ones
};

/// The lines of a help text: two columns, descriptions wrapped.
std::string described(std::span<const Setting> table);

}  // namespace wmi::frontends
