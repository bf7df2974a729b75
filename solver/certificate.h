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

/// The first bytes of every certificate: a name and the version of the format.
inline constexpr std::string_view certificate_mark = "wmi-certificate 2\n";

/// Can the answer to such a query be certified? sat, laws and quantiles cannot.
bool certifiable(const Query& query);

/// Writes a proof of the answers that `wmi-check` accepts: a tree of splits whose leaves are false,
/// thin, or cells with their vertices (docs/certificate.md). It is found by a search of its
/// own, and streamed: memory is that of a path.
///
/// One call for each task of a script, in order, after the mark. `answers` are those of `solve`.
/// Throws Error if an answer was refused or does not exist; GaveUp if the search finds no proof (too
/// many vertices, a derived real that no equation determines).
void certify(const Task& task, std::span<const Answer> answers, std::ostream& out,
             const std::stop_token& stop = {}, ProgressObserver* observer = nullptr);

/// Solves and certifies in one search: the answers are those that its tree proves. A stopped search
/// leaves the rest of the tree open, and the answers are bounds, with a proof of their own; with a
/// `gap`, it leaves open what the answers do not need. A density has no bounds if an open region
/// contributes to it. The search has one thread.
///
/// Requires that each query can be certified. Throws as `certify` does; Unbounded; and Stopped if
/// it was stopped and cannot leave a region open because that is unbounded. The output is then
/// incomplete.
Solution prove(const Task& task, const Integrator& integrator, std::ostream& out,
               const SolveOptions& options = {});

}  // namespace wmi
