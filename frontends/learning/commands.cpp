#include "frontends/learning/commands.h"

namespace wmi::frontends {

std::span<const Command> commands() {
  static const std::vector<Command> table = {
      train_command(),  sample_command(),   predict_command(), explain_command(),
      encode_command(), evaluate_command(), report_command(),  demo_command(),
  };
  return table;
}

std::vector<Command> described_commands(bool with_experiments) {
  std::vector<Command> result(commands().begin(), commands().end());
  if (with_experiments) result.push_back(reproduce_declaration());
  return result;
}

}  // namespace wmi::frontends
