#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "solver/formula.h"

namespace wmi::frontends {

/// What a name stands for; nothing if it stands for nothing.
using Names = std::function<std::optional<Polynomial>(const std::string& name)>;

/// An event as people write it: `out[0] > out[1]`, `0 <= 2*out[0] - 1 < 3 and not fc1.bias[0] > 0`.
///
///     formula    = conjunct { "or" conjunct } ;   conjunct = literal { "and" literal } ;
///     literal    = [ "not" ] sum compare sum { compare sum } ;
///     sum        = product { ("+" | "-") product } ;   product = factor { ("*" | "/") factor } ;
///     factor     = number | name | "(" sum ")" | "-" factor ;   compare = < <= > >= = != ;
///
/// Throws Error that says where it stops making sense.
Formula parse_event(std::string_view text, Terms& terms, const Names& names);

/// A number as it is written in a sum: `0.5`, `1/3`, `-2`.
Rational parse_fraction(std::string_view text);

}  // namespace wmi::frontends
