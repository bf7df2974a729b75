#pragma once

#include <string>

#include "bnn/training/train.h"
#include "frontends/cli/settings.h"
#include "frontends/data/run_directory.h"

// The recipe of a run: the settings of `ciber train` as run.json records them.

namespace wmi::frontends {

/// The recipe that the settings of `ciber train` describe. Throws UsageError.
bnn::Recipe read_recipe(const Settings& settings);

/// The settings that determine the result, as a JSON object.
std::string recipe_json(const Settings& settings);

/// The JSON object with a member for what was chosen on validation rows.
std::string with_choice(std::string recipe, const bnn::TrainingChoice& choice);

/// Puts a recorded choice into the recipe. False if the run has none yet.
bool read_choice(const Run& run, bnn::Recipe& recipe);

/// The recipe that a run was trained by, with the sampling rate chosen on validation rows; the
/// default recipe if none is recorded.
bnn::Recipe recipe_of(const Run& run);

/// The settings that an unfinished run was started with. Throws UsageError if `now` contradicts
/// them; only the name of the data file may differ, since its content is compared by a hash.
Settings resumed_settings(const Settings& now, const Run& run);

}  // namespace wmi::frontends
