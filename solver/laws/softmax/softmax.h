#pragma once

#include <span>
#include <variant>
#include <vector>

#include "solver/laws/independent_sums/independent_sum.h"
#include "solver/laws/law.h"
#include "solver/terms/interval.h"

namespace wmi {

/// A logit: of any law with polynomial pieces, or a sum of independent terms.
using Logit = std::variant<Law, IndependentSum>;

/// The expected softmax of independent logits, E[e^(z_k) / (e^(z_1) + ... + e^(z_K))] for every k,
/// each certified to so many significant digits, however small it is.
///
/// Each law counts divided by its mass. The lower ends add up to at most 1, the upper ends to at
/// least 1. The cost grows with K, not with K^2. Probabilities below 2^-100000 are enclosed as
/// that, without digits.
///
///     softmax(std::vector{Law::uniform(0, 1), Law::point(2)}, 12);  // 0.186..., 0.813...
///
/// Throws Error without logits or for one that is no law; GaveUp when a logit is spread too far.
std::vector<Interval> softmax(std::span<const Logit> logits, unsigned digits);
std::vector<Interval> softmax(std::span<const Law> logits, unsigned digits);

/// The same in doubles and without certificate: in tests, right to 11 digits. What is less than
/// the least double comes out as 0. Throws likewise.
std::vector<double> softmax_estimate(std::span<const Logit> logits);
std::vector<double> softmax_estimate(std::span<const Law> logits);

/// Throws what both throw for what they cannot take.
void check_logits(std::span<const Logit> logits);
void check_logits(std::span<const Law> logits);

}  // namespace wmi
