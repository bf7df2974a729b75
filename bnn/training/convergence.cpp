#include "bnn/training/convergence.h"

#include <cmath>
#include <limits>

#include "solver/terms/error.h"

namespace wmi::bnn {

double split_r_hat(std::span<const std::vector<double>> chains) {
  if (chains.empty() || chains[0].size() < 4) throw Error("R-hat needs four draws of each chain");
  const std::size_t half = chains[0].size() / 2;
  std::vector<double> means;
  double within = 0;
  for (const std::vector<double>& chain : chains) {
    if (chain.size() != chains[0].size()) throw Error("R-hat needs chains of one length");
    for (const std::size_t from : {std::size_t{0}, chain.size() - half}) {
      double mean = 0, square = 0;
      for (std::size_t i = from; i < from + half; ++i) mean += chain[i];
      mean /= static_cast<double>(half);
      for (std::size_t i = from; i < from + half; ++i)
        square += (chain[i] - mean) * (chain[i] - mean);
      within += square / static_cast<double>(half - 1);
      means.push_back(mean);
    }
  }
  within /= static_cast<double>(means.size());
  double mean = 0, between = 0;
  for (const double m : means) mean += m / static_cast<double>(means.size());
  for (const double m : means) between += (m - mean) * (m - mean);
  between /= static_cast<double>(means.size() - 1);
  if (within == 0) return between == 0 ? 1 : std::numeric_limits<double>::infinity();
  const double share = static_cast<double>(half - 1) / static_cast<double>(half);
  return std::sqrt(share + between / within);
}

}  // namespace wmi::bnn
