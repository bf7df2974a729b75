#include "solver/integrator.h"

namespace wmi {

std::span<const IntegratorEntry> integrators() {
  static constexpr IntegratorEntry table[] = {
      {"auto", "whichever exact method fits the cell", make_auto},
      {"triangulation", "exact rationals, simplex by simplex", make_triangulation},
      {"face-lattice", "exact rationals, memoised on faces", make_face_lattice},
      {"mpfr", "rounded outwards at a chosen precision", make_mpfr},
  };
  return table;
}

}  // namespace wmi
