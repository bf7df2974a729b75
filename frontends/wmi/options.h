#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "frontends/cli/limits.h"
#include "frontends/cli/settings.h"
#include "frontends/wmi/report.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/solve.h"

namespace wmi::frontends {

/// What the command line of wmi asks for.
struct Options {
  std::vector<std::string> files;  // `-` is stdin
  std::string format;              // empty: recognised by content
  const EnumeratorEntry* enumerator = nullptr;
  const IntegratorEntry* integrator = nullptr;
  IntegratorOptions integrator_options;
  std::optional<Rational> gap;  // an enclosure of this width is enough
  unsigned digits = 0;          // of an answer that are enough; 0: all of them
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  Limits limits;
  Style style;
  bool stats = false;
  bool explain = false;
  bool parse_only = false;
  std::optional<std::string> write_smtlib;  // the file to write; `-` is stdout
  std::optional<std::string> plot;          // the file for pictures of laws
  std::optional<std::string> certificate;   // the file for a proof of the answers
  bool proof = false;                       // of a job: its units are proofs
  bool pure = false;
  bool overwrite = false;  // files that are no earlier results
  std::string unfinished;  // why answers are bounds, if not for a limit: `3 open units`
};

/// The first line of SMT-LIB files that are written.
inline constexpr std::string_view written_by_wmi = "; written by wmi";

/// The options of wmi, in the order of its help.
std::span<const Setting> wmi_settings();

/// The options of a command line that has (some of) these settings. Throws UsageError.
Options read_options(const Settings& settings);

/// The same options with the style, the pictures and the statistics of these settings.
Options read_options_over(const Settings& settings, Options options);

/// Throws UsageError for options that contradict each other.
void check(const Options& options);

/// How a task is solved with these options.
SolveOptions solve_options(const Options& options, const std::stop_token& stop,
                           ProgressObserver* observer);

}  // namespace wmi::frontends
