#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bnn/training/train.h"
#include "frontends/cli/settings.h"
#include "frontends/data/run_directory.h"
#include "frontends/learning/training_candidates.h"

// The recipe of a run: the settings of `ciber train` as run.json records them.

namespace wmi::frontends {

/// The recipe that the settings of `ciber train` describe. Throws UsageError.
bnn::Recipe read_recipe(const Settings& settings);

/// The settings that determine the result, as a JSON object.
std::string recipe_json(const Settings& settings);

/// What a search has chosen, as run.json records it.
struct RecordedChoice {
  std::size_t candidate = 0;
  OptionValues values;  // of options that were not given
  double sampling_rate = 0;
  std::size_t epochs = 0;           // where the validation loss was smallest
  double score = 0;                 // mean log likelihood of validation rows
  std::vector<std::string> scores;  // of all candidates, in words
};

/// The JSON object with a member for what was chosen on validation rows.
std::string with_choice(std::string recipe, const RecordedChoice& choice);

/// What a run records as chosen; nullopt if it has no choice yet.
std::optional<RecordedChoice> read_choice(const Run& run);

/// The recipe that a run was trained by, with the sampling rate chosen on validation rows; the
/// default recipe if none is recorded.
bnn::Recipe recipe_of(const Run& run);

/// The settings that an unfinished run was started with. Throws UsageError if `now` contradicts
/// them; only the name of the data file may differ, since its content is compared by a hash.
Settings resumed_settings(const Settings& now, const Run& run);

}  // namespace wmi::frontends
