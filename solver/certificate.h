#pragma once

#include <ostream>
#include <span>
#include <stop_token>
#include <string_view>

#include "solver/answer.h"
#include "solver/query.h"

namespace wmi {

/// What every certificate starts with: a name and the version of the format.
inline constexpr std::string_view certificate_mark = "wmi-certificate 2\n";

/// Can the answer to such a query be certified? An echo, sat, laws and quantiles cannot.
bool certifiable(const Query& query);

/// Writes a proof of the answers that `wmi-check` accepts: a tree of splits whose leaves are false,
/// thin, or cells with their vertices (docs/certificate.md). It is found by a search of its
/// own, and streamed: memory is that of a path.
///
/// One call for each task of a script, in order, after the mark. `answers` are those of `solve`.
/// Throws Error where an answer was refused or there is none; GaveUp where the search finds no
/// proof (a block with too many vertices, a derived real that no equation pins).
void certify(const Task& task, std::span<const Answer> answers, std::ostream& out,
             const std::stop_token& stop = {});

}  // namespace wmi
