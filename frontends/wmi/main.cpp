#include <string>
#include <variant>

#include "frontends/cli/program.h"
#include "frontends/common/read_file.h"
#include "frontends/formats/format.h"
#include "frontends/wmi/answer_files.h"
#include "frontends/wmi/options.h"

using namespace wmi::frontends;

int main(int argc, char** argv) {
  occupy_standard_streams();
  Terminal terminal;
  return guarded(terminal, [&] {
    const std::variant<Options, std::string> asked = read_options(argc, argv);
    if (const auto* text = std::get_if<std::string>(&asked)) {
      terminal.print(*text);
      return 0;
    }
    const auto& options = std::get<Options>(asked);
    return answer(options, terminal, [&](const std::string& file) {
      return read({file, read_input(file)}, options.format);
    });
  });
}
