#pragma once

#include <string>

#include "solver/query.h"

namespace wmi::frontends {

/// The command that asks a query, on one line: `(get-probability (<= x (/ 1 2)))`. What its terms
/// share is bound by `let`, so that the text is never longer than they are.
std::string query_text(const Terms& terms, const Query& query);

/// A formula on one line, likewise.
std::string formula_text(const Terms& terms, Formula formula);

}  // namespace wmi::frontends
