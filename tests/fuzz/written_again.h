#pragma once

#include "frontends/formats/format.h"
#include "tests/fuzz/target.h"

namespace wmi::fuzz {

/// Reads with `reader`. What it accepts can be written as SMT-LIB, unless a query was refused, and
/// that is read back as the same text.
template <typename Reader>
void require_written_again(const Reader& reader) {
  Script script;
  try {
    script = reader();
    for (const Task& task : script) refuse_unanswerable(task);
  } catch (const Error&) {
    return;
  }
  const std::string written = frontends::write_smtlib(script);
  const std::string again =
      frontends::write_smtlib(frontends::read({"written", written}, "smtlib"));
  require(written == again, "what is written is read back");
}

}  // namespace wmi::fuzz
