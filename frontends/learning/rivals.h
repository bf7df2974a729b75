#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "bnn/data/dataset.h"
#include "bnn/data/forecast.h"

namespace wmi::frontends {

/// The forecasts of another method, or why there are none.
struct Rival {
  std::string name;
  std::vector<bnn::Forecast> forecasts;
  std::string missing;  // the reason
  double seconds = 0;   // of the processor, for training and forecasting
};

/// Rows that rivals are trained on and rows that they forecast.
struct RivalTask {
  std::size_t classes = 0;  // 0: numbers
  std::uint64_t seed = 0;
  bnn::Dataset training;  // standardised
  bnn::Dataset test;      // likewise; with outcomes, which rivals do not see
  bnn::Standardisation standardisation;
};

/// Runs the methods of rivals.py with this Python, in files of this directory: ridge or logistic
/// regression, random forest, boosting, a Gaussian process, networks, and others whose packages are
/// there.
/// Throws Error if the Python cannot be run.
std::vector<Rival> run_rivals(const RivalTask& task, const std::string& python,
                              const std::filesystem::path& directory, const std::stop_token& stop);

}  // namespace wmi::frontends
