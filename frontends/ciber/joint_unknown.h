#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "encoders/joint_normal.h"

namespace wmi::frontends {

/// Whether a law is `normal(MEANS, COVARIANCE)`, and not that of a single entry.
bool is_joint_normal(std::string_view law);

/// `fc2.weight[0,0..4]` or `a[0],a[1]`, and `normal(MEANS, COVARIANCE)`: means are `[1,2]`, a
/// covariance is `[[1,0],[0,1]]`, or each the name of a file of numbers, a row in each line, with
/// commas or spaces between them. nullopt for the law of a single entry. Throws Error.
std::optional<encoders::JointNormal> read_joint_normal(std::string_view names,
                                                       std::string_view law);

}  // namespace wmi::frontends
