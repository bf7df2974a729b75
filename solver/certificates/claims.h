#pragma once

#include <ostream>
#include <span>

#include "solver/answer.h"
#include "solver/terms/query.h"

namespace wmi {

/// Writes what a certificate claims: the answers to those queries that can be certified.
void write_claims(const Task& task, std::span<const Answer> answers, std::ostream& out);

/// Throws Error where an answer was refused, and so is nothing that could be claimed.
void check_claimable(const Task& task, std::span<const Answer> answers);

}  // namespace wmi
