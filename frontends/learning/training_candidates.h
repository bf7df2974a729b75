#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontends/cli/settings.h"

namespace wmi::frontends {

/// Values of options of `ciber train` that were not given: a candidate of its search.
using OptionValues = std::vector<std::pair<std::string, std::string>>;

/// What a search compares, the most promising first: hidden layers, learning rate, weight decay and
/// noise model from a short table, lengths by the number of rows. Options that were given keep
/// their values, and what becomes equal by that is tried once. Inputs, of which there are so many,
/// are not multiplied by bins where they are many already.
std::vector<OptionValues> training_candidates(const Settings& given, std::size_t rows,
                                              std::size_t inputs, bool regression);

/// The settings with these values for options that were not given.
Settings with_values(const Settings& given, const OptionValues& values);

/// The candidate in words: its values of the options in which candidates differ.
std::string candidate_name(const OptionValues& values);

}  // namespace wmi::frontends
