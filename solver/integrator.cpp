#include "solver/integrator.h"

namespace wmi {

std::span<const IntegratorEntry> integrators() {
  static constexpr IntegratorEntry table[] = {
      {"triangulation", "exact rationals, simplex by simplex", make_triangulation},
      {"auto", "whichever exact method fits the cell", make_auto},
      {"face-lattice", "exact rationals, memoised on faces", make_face_lattice},
      {"mpfr", "rounded outwards at --precision bits", make_mpfr},
  };
  return table;
}

}  // namespace wmi
