#pragma once

#include <optional>

#include "frontends/formats/smtlib_command.h"
#include "solver/terms/query.h"

namespace wmi::frontends {

/// The query that a command asks, such as `(get-probability (> x 1) :given A)`; nullopt for other
/// commands. Removes its keywords from the command. Throws Error, with its location, for a query
/// that is not well formed.
std::optional<Query> read_query(ScriptCommand& command, TermReader& reader, Terms& terms);

}  // namespace wmi::frontends
