#pragma once

#include <stop_token>

#include "solver/answers/evaluation.h"
#include "solver/enumerator.h"

namespace wmi {

/// Integrates the parts of product cells: each part is enumerated, and its cells are evaluated. The
/// enumerator must outlive the result, which throws Stopped when told to stop.
Evaluation::PartIntegrator enumerate_parts(const Enumerator& enumerator, std::stop_token stop);

}  // namespace wmi
