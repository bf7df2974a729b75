#pragma once

#include <span>
#include <variant>
#include <vector>

#include "solver/laws/independent_sums/independent_sum.h"
#include "solver/laws/law.h"
#include "solver/terms/interval.h"

namespace wmi {

/// A logit: a piecewise polynomial law, or a sum of independent terms.
using Logit = std::variant<Law, IndependentSum>;

/// The expected softmax of independent logits, E[e^(z_k) / (e^(z_1) + ... + e^(z_K))] for every k,
/// each certified to so many significant digits, however small it is.
///
/// Laws are normalised first. The lower ends add up to at most 1, the upper ends to at least 1. The
/// cost is linear in K. Probabilities below 2^-100000 are only bounded by that.
///
///     softmax(std::vector{Law::uniform(0, 1), Law::point(2)}, 12);  // 0.186..., 0.813...
///
/// Throws Error if there are no logits or one is not a law, and GaveUp if a logit is too widely
/// spread.
std::vector<Interval> softmax(std::span<const Logit> logits, unsigned digits);
std::vector<Interval> softmax(std::span<const Law> logits, unsigned digits);

/// The same in doubles, without guarantee: in tests, correct to 11 digits. Underflows to 0. Throws
/// likewise.
std::vector<double> softmax_estimate(std::span<const Logit> logits);
std::vector<double> softmax_estimate(std::span<const Law> logits);

/// Throws Error if there are no logits or one is not a law.
void check_logits(std::span<const Logit> logits);
void check_logits(std::span<const Law> logits);

}  // namespace wmi
