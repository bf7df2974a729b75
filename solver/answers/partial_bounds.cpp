#include "solver/answers/partial_bounds.h"

#include <algorithm>

namespace wmi {
namespace {

void narrow(Answer& answer, const Interval& known) {
  if (!answer.lower || known.lower > *answer.lower) answer.lower = known.lower;
  if (!answer.upper || known.upper < *answer.upper) answer.upper = known.upper;
}

}  // namespace

void narrow(Answer& answer, const Answer& known) {
  if (known.lower && (!answer.lower || *known.lower > *answer.lower)) answer.lower = known.lower;
  if (known.upper && (!answer.upper || *known.upper < *answer.upper)) answer.upper = known.upper;
}

Answer PartialBounds::answer(const Query& query, const Plan::Parts& parts) const {
  switch (query.kind) {
    case Query::Kind::satisfiable:
      break;
    case Query::Kind::wmi:
      return wmi(*parts.first);
    case Query::Kind::probability:
      return ratio(*parts.first, *parts.total, Rational(1));
    case Query::Kind::expectation:
    case Query::Kind::moment:
      return mean(*parts.first, *parts.total, power(query.term, query.order));
    case Query::Kind::variance:
      return variance(query, parts);
    case Query::Kind::density:
      return density(parts);
    case Query::Kind::cdf:
      return cdf(query, parts);
    case Query::Kind::distribution:
    case Query::Kind::quantile:
      return range(query.term);
  }
  return {};
}

Answer PartialBounds::wmi(std::size_t sum) const {
  Answer result;
  result.lower = totals_.values[sum].lower;
  if (missing_[sum].weight) result.upper = totals_.values[sum].upper + *missing_[sum].weight;
  return result;
}

/// The quotient of a sum, which has this known part and at most this much missing, by a total.
Answer PartialBounds::ratio(const Interval& part, const std::optional<Rational>& missing,
                            std::size_t total, const std::optional<Rational>& most) const {
  Answer result;
  result.lower = 0;
  result.upper = most;
  const Interval& z = totals_.values[total];
  const std::optional<Rational>& missing_total = missing_[total].weight;
  if (missing_total && z.upper + *missing_total > 0)
    result.lower = std::max(Rational(0), Rational(part.lower / (z.upper + *missing_total)));
  if (!missing || z.lower <= 0) return result;
  const Rational upper = (part.upper + *missing) / z.lower;
  if (!result.upper || upper < *result.upper) result.upper = upper;
  return result;
}

Answer PartialBounds::ratio(std::size_t sum, std::size_t total,
                            const std::optional<Rational>& most) const {
  return ratio(totals_.values[sum], missing_[sum].weight, total, most);
}

/// Of a mean or a quantile.
Answer PartialBounds::range(const Polynomial& term) const {
  Answer result;
  if (const std::optional<Interval> range = bounds_.range(term)) {
    result.lower = range->lower;
    result.upper = range->upper;
  }
  return result;
}

/// Sums of different goals may have different regions missing, so numerator and total are bounded
/// each on its own. Sums of the same goal miss the same regions: the mean is (s + t r) / (z + r),
/// with t in the range of the term on them and r, the missing weight, between 0 and its upper bound.
/// It is monotone in r, so the ends bound it.
Answer PartialBounds::mean(std::size_t sum, std::size_t total, const Polynomial& term) const {
  Answer result = range(term);
  const Interval &s = totals_.values[sum], &z = totals_.values[total];
  const std::optional<Rational>& missing = missing_[total].weight;
  if (z.lower <= 0 || !missing) return result;
  if (missing_[sum].value) narrow(result, (s + *missing_[sum].value) / (z + Interval(0, *missing)));
  if (!same_goal(sum, total)) return result;
  if (!missing_[sum].any) {
    narrow(result, s / z);
  } else if (missing_[sum].range) {
    const Interval end = (s + *missing_[sum].range * Interval(*missing)) / (z + *missing);
    narrow(result, hull(s / z, end));
  }
  return result;
}

Answer PartialBounds::variance(const Query& query, const Plan::Parts& parts) const {
  const Answer first = mean(*parts.first, *parts.total, query.term);
  const Answer square = mean(*parts.second, *parts.total, power(query.term, 2));
  Answer result;
  result.lower = 0;
  if (first.lower && square.lower) {
    const Interval range =
        Interval(*square.lower, *square.upper) - power(Interval(*first.lower, *first.upper), 2);
    result.lower = std::max(Rational(0), range.lower);
    result.upper = std::max(Rational(0), range.upper);
  }
  return result;
}

Answer PartialBounds::density(const Plan::Parts& parts) const {
  Answer result = ratio(*parts.right, *parts.total, std::nullopt);
  const Answer left = ratio(*parts.left, *parts.total, std::nullopt);
  if (left.upper) result.left = Interval(*left.lower, *left.upper);
  return result;
}

/// The law is known once all cells are added, open ones included.
Answer PartialBounds::cdf(const Query& query, const Plan::Parts& parts) const {
  if (!parts.law || totals_.laws.empty() || !totals_.law_refusals[*parts.law].empty())
    return ratio(Interval(), std::nullopt, *parts.total, Rational(1));
  return ratio(totals_.laws[*parts.law].cdf(query.at), missing_[*parts.total].weight, *parts.total,
               Rational(1));
}

bool PartialBounds::same_goal(std::size_t a, std::size_t b) const {
  return std::any_of(plan_.goals.begin(), plan_.goals.end(), [&](const Goal& goal) {
    const auto has = [&](std::size_t sum) {
      return std::any_of(goal.summands.begin(), goal.summands.end(),
                         [&](const Summand& summand) { return summand.sum == sum; });
    };
    return has(a) && has(b);
  });
}

}  // namespace wmi
