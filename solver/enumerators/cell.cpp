#include "solver/enumerators/cell.h"

namespace wmi {

std::vector<Halfspace> halfspaces(const CellBounds& bounds) {
  const auto* const given = std::get_if<std::vector<Halfspace>>(&bounds);
  return given != nullptr ? *given : std::get<ProductRegion>(bounds).halfspaces();
}

Region make_region(std::size_t dimension, const CellBounds& bounds) {
  const auto* const given = std::get_if<std::vector<Halfspace>>(&bounds);
  return given != nullptr ? make_region(dimension, *given)
                          : std::get<ProductRegion>(bounds).region();
}

}  // namespace wmi
