// The reader of a problem in three files, FILE.support, FILE.weights and FILE.query.

#include "tests/fuzz/folder.h"
#include "tests/fuzz/written_again.h"

using namespace wmi;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  std::vector<std::string_view> parts = fuzz::parts(fuzz::text(data, size));
  parts.resize(3);
  folder.file("problem.weights", parts[1]);
  folder.file("problem.query", parts[2]);
  fuzz::require_written_again([&] {
    return frontends::read({folder.path("problem.support"), std::string(parts[0])}, "triple");
  });
  return 0;
}
