#pragma once

#include <span>
#include <vector>

#include "solver/interval.h"
#include "solver/law.h"

namespace wmi {

/// The expected softmax of independent logits, E[e^(z_k) / (e^(z_1) + ... + e^(z_K))] for every k,
/// each certified to so many significant digits, however small it is.
///
/// Each logit has its law divided by its mass. The lower ends add up to at most 1, the upper ends
/// to at least 1. The cost grows with K, not with K^2. Probabilities below 2^-100000 are enclosed
/// as that, without digits.
///
///     softmax(std::vector{Law::uniform(0, 1), Law::point(2)}, 12);  // 0.184..., 0.815...
///
/// Throws Error without logits or for one that is no law; GaveUp when logits are spread too far.
std::vector<Interval> softmax(std::span<const Law> logits, unsigned digits);

/// Throws what `softmax` throws for such logits.
void check_logits(std::span<const Law> logits);

/// The same in doubles and without certificate: in tests, right to 11 digits. What is less than
/// the least double comes out as 0.
std::vector<double> softmax_estimate(std::span<const Law> logits);

}  // namespace wmi
