// A problem in three files, FILE.support, FILE.weights and FILE.query. What is accepted can be
// written as SMT-LIB, and that is read back as the same text.

#include "frontends/formats/format.h"
#include "tests/fuzz/folder.h"
#include "tests/fuzz/target.h"

using namespace wmi;
using namespace wmi::frontends;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  std::vector<std::string_view> parts = fuzz::parts(fuzz::text(data, size));
  parts.resize(3);
  folder.file("problem.weights", parts[1]);
  folder.file("problem.query", parts[2]);
  Script script;
  try {
    script = read({folder.path("problem.support"), std::string(parts[0])}, "triple");
  } catch (const Error&) {
    return 0;
  }
  const std::string written = write_smtlib(script);
  const std::string again = write_smtlib(read({"written", written}, "smtlib"));
  fuzz::require(written == again, "what is written is read back");
  return 0;
}
