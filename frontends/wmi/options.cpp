// CLI11 takes the command line apart. Values arrive as strings and are checked here, so that a
// mistake is reported in our words; the help is written from the same list of options.
#include "frontends/wmi/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <span>
#include <string_view>

#include "frontends/common/amounts.h"
#include "frontends/common/caps.h"
#include "frontends/common/line.h"
#include "frontends/formats/format.h"
#include "solver/terms/error.h"
#include "solver/terms/rational.h"

#ifndef WMI_VERSION
#define WMI_VERSION "unknown"
#endif

namespace wmi::frontends {
namespace {

constexpr long most_decimals = 10'000;
constexpr long most_precision = 1'000'000;
constexpr long most_digits = 1'000;
constexpr long most_threads = 1'024;

[[noreturn]] void refuse(std::string_view option, std::string_view what) {
  throw UsageError(fmt::format("{}: {}", one_line(option), what));
}

/// `a, b or c`
template <class Entry>
std::string choices(std::span<const Entry> table) {
  std::string result;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (i > 0) result += i + 1 == table.size() ? " or " : ", ";
    result += table[i].name;
  }
  return result;
}

/// The table as help text: a line for each name.
template <class Entry>
std::string described(std::span<const Entry> table, bool first_is_default) {
  std::size_t width = 0;
  for (const Entry& entry : table) width = std::max(width, entry.name.size());
  std::string result;
  for (const Entry& entry : table) {
    if (!result.empty()) result += '\n';
    result += fmt::format("{:<{}}  {}", entry.name, width, entry.description);
    if (first_is_default && &entry == &table.front()) result += " (default)";
  }
  return result;
}

template <class Entry>
const Entry& chosen(std::span<const Entry> table, std::string_view option, std::string_view kind,
                    const std::string& name) {
  for (const Entry& entry : table)
    if (entry.name == name) return entry;
  refuse(option, fmt::format("no {} named '{}'; choose {}", kind, one_line(name), choices(table)));
}

long whole_number(std::string_view option, const std::string& text, long least, long most) {
  long value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < least || value > most)
    refuse(option,
           fmt::format("'{}' is no whole number from {} to {}", one_line(text), least, most));
  return value;
}

std::chrono::duration<double> seconds(const std::string& text) {
  if (const std::optional<double> value = parse_seconds(text))
    return std::chrono::duration<double>(*value);
  refuse("--timeout", fmt::format("'{}' is no number of seconds above 0 and up to {}",
                                  one_line(text), most_seconds));
}

/// `1e-6`, `1/1000`
Rational width(const std::string& text) {
  try {
    if (Rational value = parse_fraction(text); value > 0) return value;
  } catch (const Error&) {
  }
  refuse("--gap", fmt::format("'{}' is no number above 0, like 1e-6 or 1/1000", one_line(text)));
}

std::size_t bytes(const std::string& text) {
  if (const std::optional<std::size_t> value = parse_bytes(text)) return *value;
  refuse("--memory",
         fmt::format("'{}' is no size; write megabytes, or a unit: 500M, 2G", one_line(text)));
}

/// The names of all caps, in lines of a help text.
std::string cap_names() {
  constexpr std::size_t width = 56;
  std::string result, line;
  for (const Cap* cap : all_caps()) {
    if (line.size() + cap->name().size() + 2 > width) {
      result += line + "\n";
      line.clear();
    }
    line += std::string(line.empty() ? "" : " ") + std::string(cap->name()) + ",";
  }
  return result + line.substr(0, line.size() - 1);
}

/// A FILE may look like an option after `--` only; `-` is stdin.
std::vector<std::string> files(const std::vector<std::string>& others) {
  std::vector<std::string> result;
  bool only_files = false;
  for (const std::string& word : others) {
    if (!only_files && word == "--") {
      only_files = true;
    } else if (!only_files && word.size() > 1 && word.front() == '-') {
      refuse(word.substr(0, word.find('=')), "no such option; see --help");
    } else {
      result.push_back(word);
    }
  }
  return result;
}

/// The options of the command line, as CLI11 knows them; flags go straight to `options`.
struct Parser {
  Options options;
  CLI::App app;
  bool show_version = false;
  bool show_help = false;
  const CLI::Option *enumerator, *integrator, *precision, *digits, *gap, *threads, *timeout,
      *memory, *cap, *decimals, *plot, *certificate, *format, *write_smtlib;

  Parser() {
    app.set_help_flag();
    app.allow_extras();  // the files, which CLI11 would otherwise interpret: [a,b]
    const auto value = [&](const char* name, const char* type, const std::string& description) {
      return app.add_option(name)->description(description)->type_name(type)->take_last();
    };
    const auto flag = [&](const char* name, bool& target, const std::string& description) {
      app.add_flag(name, target, description)->take_last();
    };
    enumerator = value("--enumerator", "NAME", described(enumerators(), true));
    integrator = value("--integrator", "NAME", described(integrators(), true));
    precision = value("--precision", "BITS",
                      fmt::format("mantissa of rounded integrators (default {})",
                                  options.integrator_options.precision));
    digits = value("--digits", "N",
                   "so many certified digits are enough: an enclosure where\n"
                   "a fraction would take longer");
    gap = value("--gap", "WIDTH",
                "stop as soon as each answer is enclosed so narrowly, by\n"
                "upper - lower at most WIDTH: 1e-6, 1/1000; not for\n"
                "weights that may be negative");
    threads = value("--threads", "N",
                    "worker threads (default: all cores); the answer does\n"
                    "not depend on it");
    timeout = value("--timeout", "SECONDS",
                    "stop and print the certified bounds reached so far;\n"
                    "for all files together");
    memory = value("--memory", "SIZE",
                   "likewise, at a resident size in megabytes, or with a\n"
                   "unit: 500M, 2G");
    cap = app.add_option("--cap")
              ->description(
                  "what may be larger than usual in a file, such as\n"
                  "digits=20000; several with commas between:\n" +
                  cap_names())
              ->type_name("NAME=N")
              ->join(',');
    flag("--exact", options.style.exact, "print fractions in full, however long");
    decimals =
        value("--decimals", "N",
              fmt::format("significant digits of decimals (default {})", options.style.decimals));
    flag("--json", options.style.json, "one JSON object per query");
    plot = value("--plot", "OUT.svg",
                 "draw the law of each (get-distribution ...): density and\n"
                 "distribution function; further ones into OUT-2.svg, ...");
    certificate = value("--certificate", "OUT",
                        "also write a proof of the answers, which wmi-check can check");
    format = value("--format", "NAME",
                   "of all files (default: recognised by content)\n" + described(formats(), false));
    flag("--explain", options.explain,
         "also print which cases of the terms asked about hold\n"
         "together, and their share of the mass");
    flag("--stats", options.stats, "also print cells, vertices and seconds, to stderr");
    flag("--parse-only", options.parse_only, "read the files and report errors, no more");
    write_smtlib = value("--write-smtlib", "OUT",
                         "write the FILE as SMT-LIB instead of answering it;\n"
                         "- is standard output");
    flag("--pure", options.pure, "with --write-smtlib: without our commands, for other\nsolvers");
    flag("--version", show_version, "print the version");
    flag("--help,-h", show_help, "print this");
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
};

std::string help() {
  constexpr std::size_t indent = 22;
  return "usage: wmi [options] FILE...\n"
         "Answers the queries of each FILE; without queries, its weighted model integral.\n"
         "FILE may be - for standard input.\n" +
         option_lines(option_table(), indent) +
         "Exit status: 0 answered, 1 bad input, 2 bad usage, 3 stopped by a limit or a signal.\n";
}

}  // namespace

std::vector<ManualOption> option_table() {
  const Parser parser;
  const auto names = [](const auto& table) {
    std::vector<std::string> result;
    for (const auto& entry : table) result.emplace_back(entry.name);
    return result;
  };
  std::vector<ManualOption> result;
  for (const CLI::Option* option : parser.app.get_options()) {
    result.push_back({option->get_name(),
                      option->get_items_expected_max() > 0 ? option->get_type_name() : "",
                      option->get_description(),
                      {}});
    if (option == parser.enumerator) result.back().choices = names(enumerators());
    if (option == parser.integrator) result.back().choices = names(integrators());
    if (option == parser.format) result.back().choices = names(formats());
  }
  return result;
}

std::variant<Options, std::string> read_options(int argc, const char* const* argv) {
  Parser parser;
  auto& [options, app, show_version, show_help, enumerator, integrator, precision, digits, gap,
         threads, timeout, memory, cap, decimals, plot, certificate, format, write_smtlib] = parser;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ArgumentMismatch&) {
    refuse(argv[argc - 1], "needs a value; see --help");
  } catch (const CLI::ParseError& error) {
    throw UsageError(one_line(error.what()) + "; see --help");
  }
  const auto given = [](const CLI::Option* option) { return option->count() > 0; };
  const auto text = [](const CLI::Option* option) { return option->results().back(); };
  if (show_help) return help();
  if (show_version) return "wmi " WMI_VERSION "\n";

  options.files = files(app.remaining());
  const auto named = [&](const auto& table, const CLI::Option* option, std::string_view kind) {
    return given(option) ? &chosen(table, option->get_name(), kind, text(option)) : &table.front();
  };
  options.enumerator = named(enumerators(), enumerator, "enumerator");
  options.integrator = named(integrators(), integrator, "integrator");
  if (given(plot)) {
    options.plot = text(plot);
    if (!options.plot->ends_with(".svg"))
      refuse("--plot", "needs the name of a file that ends in .svg");
  }
  if (given(format)) options.format = named(formats(), format, "format")->name;

  const auto whole = [&](const CLI::Option* option, long least, long most, auto& target) {
    if (given(option))
      target = static_cast<std::remove_reference_t<decltype(target)>>(
          whole_number(option->get_name(), text(option), least, most));
  };
  whole(precision, 2, most_precision, options.integrator_options.precision);
  whole(digits, 1, most_digits, options.digits);
  whole(threads, 1, most_threads, options.threads);
  whole(decimals, 1, most_decimals, options.style.decimals);
  if (!given(decimals))  // show the digits that were asked for
    options.style.decimals = std::max(options.style.decimals, static_cast<int>(options.digits) + 2);
  if (given(gap)) options.gap = width(text(gap));
  if (given(timeout)) options.limits.time = seconds(text(timeout));
  try {
    for (const std::string& each : cap->results()) set_caps(each);
  } catch (const Error& error) {
    refuse("--cap", error.what());
  }
  if (given(memory)) options.limits.memory = bytes(text(memory));

  if (given(certificate)) options.certificate = text(certificate);
  if (given(write_smtlib)) options.write_smtlib = text(write_smtlib);

  if (options.files.empty()) throw UsageError("no FILE given; see --help");
  if (given(digits) && options.integrator->make != make_auto)
    refuse("--digits", "needs --integrator auto, which it is by default");
  if (options.pure && !options.write_smtlib) refuse("--pure", "needs --write-smtlib OUT");
  if (options.write_smtlib && options.files.size() > 1)
    refuse("--write-smtlib", "takes one FILE at a time");
  if (options.certificate && options.files.size() > 1)
    refuse("--certificate", "takes one FILE at a time");
  return options;
}

}  // namespace wmi::frontends
