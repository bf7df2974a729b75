#include "frontends/ciber/convert_command.h"

#include <string>
#include <vector>

#include "frontends/ciber/noted_network.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/line.h"
#include "frontends/common/outputs.h"
#include "frontends/common/write_file.h"
#include "frontends/networks/network.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr Setting settings_table[] = {
    {"overwrite", "", "", "replace the new file, if it is there; never the network that is read"},
};

int convert(const Settings& settings, Terminal& terminal) {
  const std::vector<std::string>& words = settings.words();
  if (words.size() != 2)
    throw UsageError("name a network and a new file: ciber convert NET.onnx NET.safetensors");
  std::string file = words[0];
  try {
    refuse_input(words[1]);
    try {
      check_output(words[1], {}, settings.flag("overwrite"));
    } catch (const WriteError& refusal) {
      throw UsageError(std::string(refusal.what()) + ", or give --overwrite");
    }
    const encoders::Network network = read_noted_network(file, terminal);
    file = words[1];
    refuse_input(file);
    write_network(file, network);
    return 0;
  } catch (const Error& error) {
    terminal.say(message(file, error.where(), error.what()));
    return 1;
  }
}

}  // namespace

Command convert_command() {
  return {.name = "convert",
          .usage = "NET.onnx NET.safetensors",
          .description =
              "Writes a network, an ONNX model for example, in the form of docs/network.md:\n"
              "layers with names, and their weights. Nothing is rounded.",
          .settings = settings_table,
          .examples = "  ciber convert net.onnx.gz net.safetensors\n",
          .run = convert,
          .summary = "writes an ONNX model as a network file",
          .configurable = false,
          .inputs = 1};
}

}  // namespace wmi::frontends
