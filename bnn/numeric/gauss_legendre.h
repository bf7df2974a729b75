#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace wmi::bnn {

/// The nodes and weights of the rule of n points on [-1, 1].
template <std::size_t n>
struct GaussLegendre {
  std::array<double, n> nodes{};
  std::array<double, n> weights{};

  GaussLegendre() {
    for (std::size_t i = 0; i < n; ++i) {
      double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (n + 0.5));
      double slope = 0;
      for (int step = 0; step < 100; ++step) {
        double before = 1, value = x;  // Legendre's polynomials
        for (std::size_t k = 2; k <= n; ++k) {
          const auto order = static_cast<double>(k);
          const double next = ((2 * order - 1) * x * value - (order - 1) * before) / order;
          before = value;
          value = next;
        }
        slope = static_cast<double>(n) * (x * value - before) / (x * x - 1);
        const double change = value / slope;
        x -= change;
        if (std::abs(change) < 1e-15) break;
      }
      nodes[i] = x;
      weights[i] = 2 / ((1 - x * x) * slope * slope);
    }
  }

  static const GaussLegendre& rule() {
    static const GaussLegendre made;
    return made;
  }
};

}  // namespace wmi::bnn
