#pragma once

#include <vector>

namespace wmi::bnn {

/// A discrete law, or another one as a rule of integration: points and their masses.
struct Nodes {
  std::vector<double> points;
  std::vector<double> masses;
};

}  // namespace wmi::bnn
