#pragma once

#include <optional>
#include <span>
#include <string>

#include "bnn/training/train.h"

namespace wmi::frontends {

/// Writes the state of an unfinished training to a file; every number is read back exactly.
void write_checkpoint(const std::string& path, const bnn::Checkpoint& checkpoint);
/// Nullopt if there is no such file. Throws Error, naming it, if it is not a checkpoint.
std::optional<bnn::Checkpoint> read_checkpoint(const std::string& path);

/// The lines of metrics.csv for one trajectory. Epochs that do not sample have this phase.
std::string metrics_lines(std::size_t trajectory, const std::string& phase,
                          std::span<const bnn::Epoch> metrics);
inline constexpr std::string_view metrics_header = "trajectory,epoch,phase,rate,loss,validation\n";

}  // namespace wmi::frontends
