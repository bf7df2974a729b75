#pragma once

#include <string>

#include "solver/terms/query.h"

namespace wmi::python {

/// The tasks of a file or a text.
struct ReadScript {
  Script tasks;

  /// Throws Error whose message has the location: `square.smt2:7:9: weight of 'A' uses 'z', ...`.
  /// With an empty format, it is recognised by content.
  static ReadScript of(const std::string& name, const std::string& text, const std::string& format);
  static ReadScript of_file(const std::string& path, const std::string& format);
};

}  // namespace wmi::python
