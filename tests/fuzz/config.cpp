// The settings of a command in a file, `--config FILE`: what is accepted is printed and read back.

#include "frontends/cli/settings.h"
#include "frontends/cli/usage_error.h"
#include "solver/terms/error.h"
#include "tests/fuzz/folder.h"
#include "tests/fuzz/target.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

constexpr Setting table[] = {
    {"epochs", "N", "300", "of the descent", kind::Count{1, 1'000'000}},
    {"rate", "R", "0.01", "of learning", kind::Number{0, 10}},
    {"hidden", "N,N,...", "50", "units of each layer", kind::Counts{}},
    {"resume", "", "", "go on"},
    {"loss", "nll|beta", "nll", "which"},
    {"ask", "WHAT", "", "a question", kind::Text{}, Repeat::list},
    {"config", "FILE", "", "settings"},
};

Settings settings_of(const std::string& file) {
  return Settings("ciber train", table, {"data.csv", "--config", file});
}

void read(const Settings& settings) {
  settings.count("epochs");
  settings.number("rate");
  settings.counts("hidden");
  settings.flag("resume");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  if (size == 0) return 0;
  const std::string file = folder.file("config.json", fuzz::text(data, size));
  try {
    const std::string json = settings_of(file).json(), toml = settings_of(file).toml();
    for (const std::string& printed : {json, toml}) {
      folder.file("config.json", printed);
      fuzz::require(settings_of(file).json() == json, "what is printed is read back");
    }
    read(settings_of(file));
  } catch (const UsageError&) {
  } catch (const Error&) {
  }
  return 0;
}
