#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bnn/collapse/posterior.h"

namespace wmi::bnn {

/// One entry that may stay unknown: the weight of an input of a unit, or the unit's bias.
struct Candidate {
  std::size_t unit = 0;
  std::size_t input = 0;  // the number of inputs stands for the bias
  Marginal marginal;
  std::string name;     // `fc2.weight[0,3]`
  bool always = false;  // unknown whatever the effects of others are
};

/// The indices of the `most` largest sizes in ascending order; of equal ones the first are taken.
std::vector<std::size_t> largest(std::span<const double> sizes, std::size_t most);

/// The `most` largest of one unit: that whose chosen sizes have the largest sum. Candidates of a
/// unit stand side by side; those with `always` are chosen first.
std::vector<std::size_t> largest_of_one_unit(std::span<const Candidate> candidates,
                                             std::span<const double> sizes, std::size_t most);

}  // namespace wmi::bnn
