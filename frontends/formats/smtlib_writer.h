#pragma once

#include <span>
#include <string>

#include "solver/terms/query.h"

namespace wmi::frontends {

/// The command that asks a query, on one line: `(get-probability (<= x (/ 1 2)))`. What its terms
/// share is bound by `let`, so that the text is never longer than they are.
std::string query_text(const Terms& terms, const Query& query);

/// A formula on one line, likewise.
std::string formula_text(const Terms& terms, Formula formula);

/// `2`, `(/ 1 3)`, `(- (/ 1 3))`
std::string number_text(const Rational& number);

/// The terms as macros under their names, after those that they share (`r1`, `f1`, ...).
std::string definitions_text(const Terms& terms, std::span<const NamedTerm> named);

/// A task without its declarations, which stand before it together with macros under the names of
/// its derived reals. What is shared has other names than above.
std::string statement_text(const Task& task);

}  // namespace wmi::frontends
