#pragma once

#include <ostream>
#include <span>

#include "solver/answer.h"
#include "solver/terms/query.h"

namespace wmi {

/// Writes the claims of a certificate: the answers to those queries that can be certified.
void write_claims(const Task& task, std::span<const Answer> answers, std::ostream& out);

/// Throws Error if an answer was refused, so that there is nothing to claim.
void check_claimable(const Task& task, std::span<const Answer> answers);

}  // namespace wmi
