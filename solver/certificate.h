#pragma once

#include <optional>
#include <ostream>
#include <span>
#include <stop_token>
#include <string_view>

#include "solver/answer.h"
#include "solver/solve.h"
#include "solver/terms/query.h"

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

/// Solves and certifies in one search: the answers are those that its tree proves. Told to stop, it
/// leaves open what it has not come to, and the answers are bounds, with a proof of their own; with
/// a `gap`, it leaves open what need not be known. There is no bound for a density that has a part
/// in what is left open.
///
/// Requires that each query can be certified, or is an echo. Throws as `certify` does, and
/// Unbounded; Stopped, where nothing can be left open: a region that goes on for ever. What has
/// been written is then of no use.
Solution prove(const Task& task, const Integrator& integrator, std::ostream& out,
               const std::stop_token& stop = {}, ProgressObserver* watch = nullptr,
               unsigned digits = 20, const std::optional<Rational>& gap = {});

}  // namespace wmi
