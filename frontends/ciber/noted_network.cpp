#include "frontends/ciber/noted_network.h"

#include <utility>

#include "frontends/common/line.h"
#include "frontends/networks/onnx/network_file.h"

namespace wmi::frontends {

encoders::Network read_noted_network(const std::string& path, Terminal& terminal) {
  onnx::ReadNetwork read = read_any_network(path);
  for (const std::string& note : read.notes)
    terminal.say(printable(path) + ": note: " + one_line(note));
  return std::move(read.network);
}

}  // namespace wmi::frontends
