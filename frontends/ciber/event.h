#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "encoders/bracket.h"
#include "solver/terms/formula.h"

namespace wmi::frontends {

/// A term that is known, or two that it lies between.
using Term = encoders::Bracket<Polynomial>;

/// What a name stands for; nothing if it stands for nothing.
using Names = std::function<std::optional<Term>(const std::string& name)>;

/// An event about terms that lie between others: it holds wherever `certain` does, and only where
/// `possible` does. Both are the same when the terms are known.
struct Event {
  Formula certain, possible;

  bool exact() const { return certain == possible; }
  Event operator!() const { return {!possible, !certain}; }

  friend bool operator==(const Event&, const Event&) = default;
};

/// An event as people write it: `out[0] > out[1]`, `0 <= 2*out[0] - 1 < 3 and not fc1.bias[0] > 0`.
///
///     formula    = conjunct { "or" conjunct } ;   conjunct = literal { "and" literal } ;
///     literal    = [ "not" ] sum compare sum { compare sum } ;
///     sum        = product { ("+" | "-") product } ;   product = factor { ("*" | "/") factor } ;
///     factor     = number | name | "(" sum ")" | "-" factor ;   compare = < <= > >= = != ;
///
/// Throws Error that says where it stops making sense.
Event parse_event(std::string_view text, Terms& terms, const Names& names);

}  // namespace wmi::frontends
