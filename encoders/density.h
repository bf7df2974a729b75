#pragma once

#include <span>
#include <string>
#include <string_view>

#include "solver/laws/law.h"
#include "solver/terms/error.h"

namespace wmi::encoders {

/// The law of an unknown: without point masses and of mass 1, or a single point, that is, a number.
struct Density {
  Law law;
  std::string instead_of;  // the law that it approximates, and its error; empty if it is exact
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
