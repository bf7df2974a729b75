#include "frontends/learning/commands.h"

#include <vector>

namespace wmi::frontends {

std::span<const Command> commands() {
  static const std::vector<Command> table = {
      train_command(),  sample_command(),   predict_command(), explain_command(),
      encode_command(), evaluate_command(), report_command(),  demo_command(),
  };
  return table;
}

}  // namespace wmi::frontends
