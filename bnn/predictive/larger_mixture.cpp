// The logarithm of a mean of n independent draws has the mean log m - s^2 / (2 n m^2) + ..., m and s^2
// those of one draw: the first order in 1/n is eliminated as in Richardson's extrapolation.

#include "bnn/predictive/larger_mixture.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "bnn/predictive/sample_weights.h"

namespace wmi::bnn {
namespace {

/// The columns of each trajectory.
std::vector<std::vector<std::size_t>> columns_of(std::span<const std::size_t> trajectories) {
  std::map<std::size_t, std::vector<std::size_t>> groups;
  for (std::size_t k = 0; k < trajectories.size(); ++k) groups[trajectories[k]].push_back(k);
  std::vector<std::vector<std::size_t>> result;
  for (auto& [trajectory, columns] : groups) result.push_back(std::move(columns));
  return result;
}

}  // namespace

std::vector<double> larger_mixture_logs(const Matrix& logs,
                                        std::span<const std::size_t> trajectories,
                                        std::size_t count) {
  const std::vector<std::vector<std::size_t>> groups = columns_of(trajectories);
  const std::size_t there = groups.size();
  if (there < 2 || count <= there) return mixture_logs(logs, {});
  const std::size_t half = (there + 1) / 2;
  const auto inverse = [](std::size_t n) { return 1 / static_cast<double>(n); };
  const double factor = (inverse(there) - inverse(count)) / (inverse(half) - inverse(there));
  std::vector<double> result(logs.rows()), means(there);
  for (std::size_t i = 0; i < logs.rows(); ++i) {
    const std::span<const double> row = logs.row(i);
    const double most = *std::ranges::max_element(row);
    if (std::isinf(most)) {
      result[i] = most;
      continue;
    }
    double all = 0;
    for (std::size_t g = 0; g < there; ++g) {
      means[g] = 0;
      for (const std::size_t k : groups[g]) means[g] += std::exp(row[k] - most);
      all += means[g];
      means[g] /= static_cast<double>(groups[g].size());
    }
    double halves = 0;  // the mean over neighbours in a circle
    for (std::size_t g = 0; g < there; ++g) {
      double sum = 0;
      for (std::size_t h = 0; h < half; ++h) sum += means[(g + h) % there];
      halves += std::log(std::max(sum / static_cast<double>(half), 1e-300));
    }
    const double whole = std::log(all / static_cast<double>(row.size()));
    const double best = std::log(*std::ranges::max_element(means));
    const double further = factor * std::max(0.0, whole - halves / static_cast<double>(there));
    result[i] = most + std::min(whole + further, std::max(whole, best));
  }
  return result;
}

}  // namespace wmi::bnn
