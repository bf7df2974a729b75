#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "solver/laws/law.h"
#include "solver/terms/interval.h"

namespace wmi {

/// The answer to one query: a number, or a text (sat, unsat), or why there is none.
struct Answer {
  std::optional<Interval> value;
  std::optional<Interval> left;  // of a density: the limit from below; `value` is the right one
  std::optional<Law> law;        // of a distribution; `value` is its mean
  std::string text;              // of a query that is not answered by a number
  std::string undefined;         // why the number does not exist
  std::string refused;           // why the question is refused: an error of the input
  bool gave_up = false;          // refused because it takes too long: no error of the input
  bool too_wide = false;         // refused only because the enclosures it is made of are too wide
  std::size_t cells = 0;         // how many convex pieces were integrated for it
  std::vector<std::string> assumptions;  // modelling steps that the answer is exact with respect to

  bool within_gap = false;  // an enclosure, because the caller asked for no more

  /// Not finished: then `lower` and `upper` are the certified bounds reached so far.
  bool complete = true;
  std::optional<Rational> lower;
  std::optional<Rational> upper;
};

}  // namespace wmi
