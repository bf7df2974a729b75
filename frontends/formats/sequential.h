#pragma once

#include <vector>

#include "frontends/formats/format.h"
#include "solver/terms/rational.h"

namespace wmi::frontends {

/// The probability and running time that a sequential file records for a query. Not part of the
/// problem; tests compare with it.
struct StoredAnswer {
  Rational probability;
  Rational seconds;
};

/// The recorded answers of a file, one for each query, in order.
std::vector<StoredAnswer> stored_answers(const Source& source);

}  // namespace wmi::frontends
