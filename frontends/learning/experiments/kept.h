#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frontends/learning/experiments/experiment.h"

namespace wmi::frontends {

/// The numbers that each of `count` tasks finds, in several threads. They are kept in the journal
/// OUT/NAME-seedN.csv, so that a run that was stopped goes on; `setup` says what else decides them.
/// Throws Stopped; then run it again.
std::vector<std::vector<double>> kept_numbers(
    const Conditions& conditions, const std::string& name, const std::string& setup,
    std::size_t count, unsigned threads,
    const std::function<std::vector<double>(std::size_t)>& task);

}  // namespace wmi::frontends
