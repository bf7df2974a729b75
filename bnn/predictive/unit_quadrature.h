#pragma once

#include <vector>

#include "bnn/collapse/output_law.h"

namespace wmi::bnn {

/// The law of a hidden unit R = max(A, slope * A) as points and masses: Gauss-Legendre nodes, and
/// an atom where a ReLU is dead. Fine enough for averages of e^(iuVR) up to the frequency u =
/// `highest`, V the unit's factor. Returns an estimate of the error: what the masses missed of 1,
/// and the error of the density. Throws GaveUp when too many nodes would be needed.
double make_quadrature(const Unit<double>& unit, double highest, std::vector<double>& points,
                       std::vector<double>& masses);

/// How many standard deviations of the noise, in frequency, the Fourier series of a law goes.
inline constexpr double truncation = 8.5;
/// The most nodes of a unit, and the most coefficients of a series.
inline constexpr std::size_t most_nodes = 200'000;

}  // namespace wmi::bnn
