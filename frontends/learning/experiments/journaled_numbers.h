#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frontends/learning/experiments/experiment.h"

namespace wmi::frontends {

/// The numbers computed by each of `count` tasks, in several threads. They are recorded in the
/// journal OUT/NAME-seedN.csv, so that an interrupted run resumes there; `setup` describes all else
/// that determines them. Throws Stopped.
std::vector<std::vector<double>> journaled_numbers(
    const Conditions& conditions, const std::string& name, const std::string& setup,
    std::size_t count, unsigned threads,
    const std::function<std::vector<double>(std::size_t)>& task);

}  // namespace wmi::frontends
