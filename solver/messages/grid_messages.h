#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <vector>

#include "solver/enumerators/goal.h"
#include "solver/messages/message_counts.h"
#include "solver/terms/problem.h"

namespace wmi {

/// When a search is slower: blocks of so many reals have too many vertices.
struct GridRules {
  std::size_t least_reals = 9;
};

/// The integrals of a goal's summands, by messages to two reals: of problems in which all atoms bound
/// a real or the difference of two, by multiples of one number. Reals are integrated over one by one,
/// each related to at most two others then. Returns nullopt for all other problems, and where the
/// messages would have too many cells. Throws Stopped.
///
///     a ladder:  x0 - x1 - x2 - x3      edges are differences that have a bound in tenths: no real
///                 |    |    |    |      separates, but each rung does
///                y0 - y1 - y2 - y3
std::optional<std::vector<Rational>> integrate_on_grid(const Problem& problem, const Goal& goal,
                                                       const std::stop_token& stop,
                                                       MessageCounts& counts,
                                                       const GridRules& rules = {});

}  // namespace wmi
