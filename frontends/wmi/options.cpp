#include "frontends/wmi/options.h"

#include <fmt/format.h>

#include <string_view>

#include "frontends/cli/usage_error.h"
#include "frontends/common/amounts.h"
#include "frontends/common/caps.h"
#include "frontends/common/line.h"
#include "frontends/formats/format.h"
#include "solver/terms/error.h"
#include "solver/terms/rational.h"

namespace wmi::frontends {
namespace {

[[noreturn]] void refuse(std::string_view option, std::string_view what) {
  throw UsageError(fmt::format("--{}: {}", option, what));
}

std::chrono::duration<double> seconds(const std::string& text) {
  if (const std::optional<double> value = parse_seconds(text))
    return std::chrono::duration<double>(*value);
  refuse("timeout", fmt::format("'{}' is no number of seconds above 0 and up to {}", one_line(text),
                                most_seconds));
}

/// `1e-6`, `1/1000`
Rational width(const std::string& text) {
  try {
    if (Rational value = parse_fraction(text); value > 0) return value;
  } catch (const Error&) {
  }
  refuse("gap", fmt::format("'{}' is no number above 0, like 1e-6 or 1/1000", one_line(text)));
}

std::size_t bytes(const std::string& text) {
  if (const std::optional<std::size_t> value = parse_bytes(text)) return *value;
  refuse("memory",
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

template <class Entry>
const Entry& named(std::span<const Entry> table, std::string_view name) {
  return *std::ranges::find(table, name, &Entry::name);
}

/// The same table; a repeated option replaces its earlier value.
std::vector<Setting> last_wins(std::vector<Setting> table) {
  for (Setting& setting : table)
    if (setting.repeat == Repeat::refused) setting.repeat = Repeat::last_wins;
  return table;
}

}  // namespace

std::span<const Setting> wmi_settings() {
  static const std::string precision = std::to_string(IntegratorOptions().precision);
  static const std::string decimals =
      fmt::format("significant digits of decimals (default: {})", Style().decimals);
  static const std::string cap =
      "what may be larger than usual in a file, such as\n"
      "digits=20000; several with commas between:\n" +
      cap_names();
  static const std::vector<Setting> table = last_wins({
      {"enumerator", "NAME", enumerators().front().name, "",
       kind::OneOf{.table = choices_of<enumerators>, .noun = "enumerator"}},
      {"integrator", "NAME", integrators().front().name, "",
       kind::OneOf{.table = choices_of<integrators>, .noun = "integrator"}},
      {"precision", "BITS", precision, "mantissa of rounded integrators",
       kind::Count{2, 1'000'000}},
      {"digits", "N", "",
       "so many certified digits are enough: an enclosure where\n"
       "a fraction would take longer",
       kind::Count{1, 1'000}},
      {"gap", "WIDTH", "",
       "stop as soon as each answer is enclosed so narrowly, by\n"
       "upper - lower at most WIDTH: 1e-6, 1/1000; not for\n"
       "weights that may be negative"},
      {"threads", "N", "",
       "worker threads (default: all cores); the answer does\n"
       "not depend on it",
       kind::Count{1, 1'024}},
      {"timeout", "SECONDS", "",
       "stop and print the certified bounds reached so far;\n"
       "for all files together"},
      {"memory", "SIZE", "",
       "likewise, at a resident size in megabytes, or with a\n"
       "unit: 500M, 2G"},
      {"cap", "NAME=N", "", cap, kind::Text{}, Repeat::list},
      {"exact", "", "", "print fractions in full, however long"},
      {"decimals", "N", "", decimals, kind::Count{1, 10'000}},
      {"json", "", "", "one JSON object per query"},
      {"plot", "OUT.svg", "",
       "draw the law of each (get-distribution ...): density and\n"
       "distribution function; further ones into OUT-2.svg, ...",
       kind::svg},
      {"certificate", "OUT", "", "also write a proof of the answers, which wmi-check can check",
       kind::Output{{"wmi-certificate ", "query-certificate "}}},
      {"format", "NAME", "", "of all files (default: recognised by content)",
       kind::OneOf{.table = choices_of<formats>, .noun = "format"}},
      {"explain", "", "",
       "also print which cases of the terms asked about hold\n"
       "together, and their share of the mass"},
      {"stats", "", "", "also print cells, vertices and seconds, to stderr"},
      {"parse-only", "", "", "read the files and report errors, no more"},
      {"write-smtlib", "OUT", "",
       "write the FILE as SMT-LIB instead of answering it;\n"
       "- is standard output",
       kind::Output{{written_by_wmi}}},
      {"pure", "", "", "with --write-smtlib: without our commands, for other\nsolvers"},
      {"version", "", "", "print the version"},
      {"help", "", "", "print this"},
  });
  return table;
}

Options read_options_over(const Settings& settings, Options options) {
  options.style.exact = settings.flag("exact");
  options.style.json = settings.flag("json");
  options.stats = settings.flag("stats");
  if (settings.has("decimals"))
    options.style.decimals = static_cast<int>(settings.count("decimals"));
  if (!settings.given("decimals"))  // show the digits that were asked for
    options.style.decimals = std::max(Style().decimals, static_cast<int>(options.digits) + 2);
  if (settings.given("plot")) options.plot = settings.text("plot");
  options.overwrite = settings.flag("overwrite");
  return options;
}

Options read_options(const Settings& settings) {
  Options options;
  options.files = settings.words();
  options.enumerator = &named(enumerators(), settings.text("enumerator"));
  options.integrator = &named(integrators(), settings.text("integrator"));
  options.format = settings.text("format");

  const auto read = [&](std::string_view name, auto& target) {
    if (settings.has(name))
      target = static_cast<std::remove_reference_t<decltype(target)>>(settings.count(name));
  };
  read("precision", options.integrator_options.precision);
  read("digits", options.digits);
  read("threads", options.threads);
  read("decimals", options.style.decimals);
  if (!settings.given("decimals"))  // show the digits that were asked for
    options.style.decimals = std::max(options.style.decimals, static_cast<int>(options.digits) + 2);
  if (settings.given("gap")) options.gap = width(settings.text("gap"));
  options.integrator_options.wide_cells = options.gap.has_value();
  if (settings.given("timeout")) options.limits.time = seconds(settings.text("timeout"));
  if (settings.given("memory")) options.limits.memory = bytes(settings.text("memory"));

  options.style.exact = settings.flag("exact");
  options.style.json = settings.flag("json");
  options.explain = settings.flag("explain");
  options.stats = settings.flag("stats");
  options.parse_only = settings.flag("parse-only");
  options.pure = settings.flag("pure");
  options.proof = settings.flag("proof");
  options.overwrite = settings.flag("overwrite");
  if (settings.given("plot")) options.plot = settings.text("plot");
  if (settings.given("certificate")) options.certificate = settings.text("certificate");
  if (settings.given("write-smtlib")) options.write_smtlib = settings.text("write-smtlib");
  return options;
}

void check(const Options& options) {
  if (options.plot && !options.plot->ends_with(".svg"))
    refuse("plot", "needs the name of a file that ends in .svg");
  if (options.files.empty()) throw UsageError("no FILE given; see --help");
  if (options.digits > 0 && options.integrator->make != make_auto)
    refuse("digits", "needs --integrator auto, which it is by default");
  if (options.pure && !options.write_smtlib) refuse("pure", "needs --write-smtlib OUT");
  if (options.write_smtlib && options.files.size() > 1)
    refuse("write-smtlib", "takes one FILE at a time");
  if (options.certificate && options.files.size() > 1)
    refuse("certificate", "takes one FILE at a time");
}

SolveOptions solve_options(const Options& options, const std::stop_token& stop,
                           ProgressObserver* observer) {
  return {.threads = options.threads,
          .digits = static_cast<unsigned>(options.style.decimals) + 2,
          .gap = options.gap,
          .may_be_stopped = options.limits.time.has_value(),
          .stop = stop,
          .observer = observer};
}

}  // namespace wmi::frontends
