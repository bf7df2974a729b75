#pragma once

#include "bnn/training/train.h"
#include "frontends/data/run_directory.h"

namespace wmi::frontends {

/// The recipe that a run was trained by, with what was chosen on validation rows; the usual one for
/// a run that has none.
bnn::Recipe recipe_of(const Run& run);

}  // namespace wmi::frontends
