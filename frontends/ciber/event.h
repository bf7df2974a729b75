#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "encoders/bracket.h"
#include "solver/terms/formula.h"

namespace wmi::frontends {

/// A term that is known exactly, or a lower and an upper bound on it.
using Term = encoders::Bracket<Polynomial>;

/// The term of a name; nullopt for an unknown name.
using Names = std::function<std::optional<Term>(const std::string& name)>;

/// An event about bounded terms: true wherever `certain` is, false wherever `possible` is
/// false. The two
/// are equal if the terms are exact.
struct Event {
  Formula certain, possible;

  bool exact() const { return certain == possible; }
  Event operator!() const { return {!possible, !certain}; }

  friend bool operator==(const Event&, const Event&) = default;
};

/// Parses an event: `out[0] > out[1]`, `0 <= 2*out[0] - 1 < 3 and not fc1.bias[0] > 0`.
///
///     formula  = conjunct { "or" conjunct }
///     conjunct = literal { "and" literal }
///     literal  = [ "not" ] sum compare sum { compare sum }
///     sum      = product { ("+" | "-") product }
///     product  = factor { ("*" | "/") factor }
///     factor   = number | name | "(" sum ")" | "-" factor
///     compare  = "<" | "<=" | ">" | ">=" | "=" | "!="
///
/// Throws Error with the position of the first character that does not fit.
Event parse_event(std::string_view text, Terms& terms, const Names& names);

}  // namespace wmi::frontends
