// The run.json of a run directory: what is accepted is written and read back.

#include "frontends/data/run_directory.h"
#include "tests/fuzz/folder.h"
#include "tests/fuzz/target.h"

using namespace wmi;
using namespace wmi::frontends;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  if (size == 0) return 0;
  folder.file("run.json", fuzz::text(data, size));
  Run run;
  try {
    run = read_run(folder.path(""));
  } catch (const Error&) {
    return 0;
  }
  run.path = folder.path("written");
  write_run(run);
  const std::string written = fuzz::bytes_of(folder.path("written/run.json"));
  Run again = read_run(run.path);
  write_run(again);
  fuzz::require(fuzz::bytes_of(folder.path("written/run.json")) == written,
                "what is written is read back");
  return 0;
}
