// Results that a run left behind, and those of its interrupted training: what is accepted is
// written and read back. An input that begins with '#' is a journal, another a checkpoint.

#include "frontends/data/journal.h"

#include "frontends/data/checkpoint.h"
#include "tests/fuzz/folder.h"
#include "tests/fuzz/target.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

void journal(const std::string& path) {
  Journal found(path, "split,method,score", "toy");
  found.add("new", {"average,1"});
  const std::string written = fuzz::bytes_of(path);
  Journal again(path, "split,method,score", "toy");
  fuzz::require(again.groups() == found.groups(), "a journal is read back");
  again.add("new", {"average,1"});
  fuzz::require(fuzz::bytes_of(path) == written, "a journal is written alike");
}

void checkpoint(const std::string& path) {
  const std::optional<bnn::Checkpoint> found = read_checkpoint(path);
  fuzz::require(found.has_value(), "a file that is there is read");
  write_checkpoint(path, *found);
  const std::string written = fuzz::bytes_of(path);
  write_checkpoint(path, *read_checkpoint(path));
  fuzz::require(fuzz::bytes_of(path) == written, "a checkpoint is read back");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  if (size == 0) return 0;
  const std::string path = folder.file("input", fuzz::text(data, size));
  try {
    if (data[0] == '#')
      journal(path);
    else
      checkpoint(path);
  } catch (const Error&) {
  }
  return 0;
}
