#pragma once

#include <optional>
#include <span>
#include <string>

#include "bnn/training/train.h"

namespace wmi::frontends {

/// The state of an unfinished training in a file of its own; each number comes back as it was.
void write_checkpoint(const std::string& path, const bnn::Checkpoint& checkpoint);
/// Nothing when there is no such file. Throws Error, naming it, for one that is no checkpoint.
std::optional<bnn::Checkpoint> read_checkpoint(const std::string& path);

/// The lines of metrics.csv for one trajectory, under this phase's name if it is no sampling.
std::string metrics_lines(std::size_t trajectory, const std::string& phase,
                          std::span<const bnn::Epoch> metrics);
inline constexpr std::string_view metrics_header = "trajectory,epoch,phase,rate,loss,validation\n";

}  // namespace wmi::frontends
