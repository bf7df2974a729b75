#include "tests/solver/random_law.h"

namespace wmi::tests {

Law random_law(Random& random) {
  const auto place = [&] { return ratio(random.integer(-12, 12), random.integer(1, 4)); };
  std::vector<PointMass> atoms(static_cast<std::size_t>(random.integer(0, 3)));
  for (PointMass& atom : atoms) atom = {place(), ratio(random.integer(1, 5), 6)};
  std::vector<Piece> pieces(static_cast<std::size_t>(random.integer(atoms.empty() ? 1 : 0, 3)));
  for (Piece& piece : pieces) {
    piece.from = place();
    piece.to = piece.from + ratio(random.integer(1, 9), random.integer(1, 5));
    Univariate density = Univariate::constant(ratio(random.integer(1, 5), random.integer(1, 5)));
    for (int factors = random.integer(0, 2); factors > 0; --factors) {
      const Rational root = place();
      switch (random.integer(0, 2)) {
        case 0:
          density = density * Univariate({-piece.from, 1});
          break;
        case 1:
          density = density * Univariate({piece.to, -1});
          break;
        default:
          density = density * Univariate({-root, 1}) * Univariate({-root, 1});
      }
    }
    piece.density = std::move(density);
  }
  return Law(atoms, pieces);
}

}  // namespace wmi::tests
