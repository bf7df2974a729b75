#pragma once

#include <vector>

#include "frontends/formats/format.h"
#include "solver/terms/rational.h"

namespace wmi::frontends {

/// What a sequential file says its query's probability is, and how long its author's solver took.
/// No part of the problem: for tests.
struct StoredAnswer {
  Rational probability;
  Rational seconds;
};

/// One for each query of the file, in order.
std::vector<StoredAnswer> stored_answers(const Source& source);

}  // namespace wmi::frontends
