#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "frontends/cli/limits.h"
#include "frontends/cli/manual.h"
#include "frontends/cli/usage_error.h"
#include "frontends/wmi/report.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"

namespace wmi::frontends {

/// What the command line asks for.
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
  std::optional<std::string> write_smtlib;  // where to; `-` is stdout
  std::optional<std::string> plot;          // where pictures of laws go
  std::optional<std::string> certificate;   // where a proof of the answers goes
  bool pure = false;
};

/// The options, or a text to print instead: the help, the version. Throws UsageError.
std::variant<Options, std::string> read_options(int argc, const char* const* argv);

/// All options, in the order of the help.
std::vector<ManualOption> option_table();

}  // namespace wmi::frontends
