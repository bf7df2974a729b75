#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "solver/laws/law.h"
#include "solver/terms/error.h"

namespace wmi::encoders {

/// A normal law, whose density is no polynomial.
struct NormalLaw {
  Rational mean, variance;

  friend bool operator==(const NormalLaw&, const NormalLaw&) = default;
};

/// The law of an unknown: without point masses and of mass 1, or a single point, that is, a number.
struct Density {
  Law law;
  std::string instead_of = {};  // the law that it approximates, and its error; empty if it is exact
  /// The unknown has this law, given the support of `law`, which is uniform; everywhere, if `law` is
  /// zero.
  std::optional<NormalLaw> normal = {};

  bool bounded() const { return !normal || !law.zero(); }
  std::optional<Rational> number() const {
    return !normal && law.pieces().empty() ? std::optional(law.atoms().at(0).at) : std::nullopt;
  }
};

struct DensityEntry {
  std::string_view name;
  std::string_view usage;  // `triangular(from, mode, to)`
  Density (*make)(std::span<const Rational> arguments);
};

/// The table of densities: a new one is a file in densities/ and a line in density.cpp.
std::span<const DensityEntry> densities();

/// `[-1, 1]` (uniform), `3/2` (a number), or a name of the table with its arguments:
/// `triangular(-1, 0, 1)`. Throws Error.
Density parse_density(std::string_view text);

}  // namespace wmi::encoders
