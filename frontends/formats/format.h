#pragma once

#include <span>
#include <string>
#include <string_view>

#include "solver/terms/error.h"
#include "solver/terms/query.h"

namespace wmi::frontends {

/// A problem text, and its name in messages: its path, or `-`.
struct Source {
  std::string name;
  std::string text;
};

/// An input format. Its reader throws Error, with the location in the text.
struct FormatEntry {
  std::string_view name;
  std::string_view description;
  bool (*recognise)(const Source& source);  // from its beginning; does not throw
  Script (*read)(const Source& source);
};

/// The table of formats, in the order in which they are tried.
std::span<const FormatEntry> formats();

/// No format recognises a text. A caller that lets people name a format says how.
class UnknownFormat : public Error {
 public:
  explicit UnknownFormat(const std::string& choices)
      : Error("the format is not recognised; name it: " + choices, {1, 1}), choices_(choices) {}
  /// With the option that names a format.
  Error with_option(std::string_view option) const {
    return Error(
        "the format is not recognised; name it with " + std::string(option) + ": " + choices_,
        {1, 1});
  }

 private:
  std::string choices_;
};

/// Reads a source in the named format; with an empty name, in the format recognised by content.
/// Throws Error, UnknownFormat among others.
Script read(const Source& source, std::string_view format = {});

Script read_smtlib(const Source& source);
Script read_triple(const Source& source);      // FILE.support, FILE.weights, FILE.query
Script read_wmpy(const Source& source);        // JSON, a list as domain
Script read_pywmi(const Source& source);       // JSON, a dict as domain
Script read_road(const Source& source);        // JSON with support, weight, queries with evidence
Script read_kolb(const Source& source);        // one line (* SUPPORT w1 w2 ...)
Script read_sequential(const Source& source);  // support, weight, then QUERY,probability,seconds

/// The script as SMT-LIB text; `read_smtlib` gives it back. `pure`: without our commands, for
/// other solvers (declarations and assertions only). Throws Error for a query that has no answer.
std::string write_smtlib(const Script& script, bool pure = false);

}  // namespace wmi::frontends
