#include "solver/answers/unbounded_reason.h"

namespace wmi {

std::string unbounded_reason(const Unbounded& unbounded, const Cell& cell, const Terms& terms) {
  std::size_t i = 0;
  while (unbounded.direction()[i] == 0) ++i;
  return std::string(unbounded.what()) + "; bound '" + terms.real_name(cell.variables[i]) + "' " +
         (unbounded.direction()[i] > 0 ? "above" : "below");
}

}  // namespace wmi
