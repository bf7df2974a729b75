#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "frontends/plots/chart.h"

namespace wmi::frontends {

/// The toy regression: ten points of a cubic with a gap between them, and three averages over
/// networks: a few draws of a long Hamiltonian Monte Carlo run with the last layer collapsed, the
/// same draws uncollapsed, and all draws of the long run.
struct ToyOptions {
  std::size_t draws = 2000;
  std::size_t samples = 10;
  std::vector<std::size_t> hidden = {10, 10};
  double noise = 0.1;
  std::uint64_t seed = 1;
  unsigned threads = 1;
  std::stop_token stop = {};
  std::function<void(double share)> progress = {};  // of the long run
};

struct Toy {
  /// The distance of an average from that of all draws: between the means, and between the ends of
  /// the 90 % bands, integrated over the inputs.
  struct Distance {
    double mean = 0;
    double band = 0;
  };
  double acceptance = 0;
  double r_hat = 0;  // of the predictive mean, the largest over the inputs
  std::size_t draws = 0, chains = 0;
  Distance collapsed, plain;
  Chart picture;
};

/// Throws Stopped.
Toy average_toy(const ToyOptions& options);

}  // namespace wmi::frontends
