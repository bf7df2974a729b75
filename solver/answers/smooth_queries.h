#pragma once

#include <functional>

#include "solver/answer.h"
#include "solver/terms/query.h"

namespace wmi {

/// Refuses the distributions of a task with smooth weights, and replaces quantiles, which are found
/// by `smooth_quantile`, by questions that are not asked.
void refuse_laws(Task& task);

/// Encloses P(term <= at).
using EncloseCdf = std::function<Answer(const Rational& at)>;

/// The least number that the term is at most with this probability, enclosed to so many digits, from
/// enclosures of its cdf: where the cdf certainly is below the probability, the quantile is larger.
/// An answer without a value (undefined, refused, stopped) is that of the cdf.
Answer smooth_quantile(const Rational& probability, unsigned digits, const EncloseCdf& cdf);

}  // namespace wmi
