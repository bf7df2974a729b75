#include "solver/enumerator.h"

namespace wmi {

std::span<const EnumeratorEntry> enumerators() {
  static constexpr EnumeratorEntry table[] = {
      {"split", "geometric search, one cut at a time", make_split},
      {"exact-split", "the same in exact numbers, never by messages", make_exact_split},
      {"z3", "AllSMT with Z3, the reference", make_z3},
  };
  return table;
}

}  // namespace wmi
