#include "solver/answers/bounded_query.h"

#include <algorithm>
#include <string>

#include "solver/terms/decimal.h"

namespace wmi {
namespace {

using Rule = BoundedQuery::Rule;

/// How many queries, from this one on, the answer is made of.
std::size_t part_count(const Query& first) {
  if (!first.bounded) return 1;
  switch (first.bounded->rule) {
    case Rule::single:
      return 1;
    case Rule::between:
    case Rule::variance:
      return 2;
    case Rule::ratio:
      return 4;
    case Rule::conditional_probability:
      return 6;
  }
  return 0;
}

/// Rational numbers below and above the root of x >= 0, which differ by a 2^-64th of it or so.
Interval root(const Rational& x) {
  if (x <= 0) return {};
  const auto bits = [](const Integer& n) {
    return static_cast<long>(mpz_sizeinbase(n.get_mpz_t(), 2));
  };
  const long shift =
      std::max(0L, 66 - (bits(x.get_num()) - bits(x.get_den())) / 2);  // of the root, in bits
  Integer scaled = x.get_num() << static_cast<unsigned long>(2 * shift);
  scaled /= x.get_den();
  const Integer below = sqrt(scaled);
  const Integer unit = Integer(1) << static_cast<unsigned long>(shift);
  if (below * below == x * (unit * unit)) return ratio(below, unit);
  return {ratio(below, unit), ratio(below + 1, unit)};
}

/// The variance of y, from that of the midpoint and the mean square distance of its bounds.
Interval variance(const Interval& middle, const Interval& distance) {
  if (distance.upper <= 0) return middle;
  const Rational off = root(distance.upper).upper / 2;
  const Rational least =
      std::max<Rational>(0, root(std::max<Rational>(0, middle.lower)).lower - off);
  const Rational most = root(middle.upper).upper + off;
  return {least * least, most * most};
}

Rational at_least_zero(const Rational& x) { return std::max<Rational>(0, x); }

/// Why an answer under a condition is undefined, given bounds of its probability; or empty.
std::string undefined_under(const Interval& certain, const Interval& possible) {
  if (possible.upper <= 0) return "the condition has probability 0";
  if (certain.lower > 0) return "";
  return "the condition has a probability between 0 and " +
         decimal(possible.upper, 3, Rounding::up) + "; narrower bounds may tell whether it is 0";
}

Answer combined(Rule rule, std::span<const Answer> parts) {
  if (rule == Rule::single) return parts[0];
  Answer result;
  result.assumptions = parts[0].assumptions;
  for (const Answer& part : parts) result.cells += part.cells;
  for (const Answer& part : parts)
    if (!part.refused.empty()) {
      result.refused = part.refused;
      result.gave_up = part.gave_up;
      result.too_wide = part.too_wide;
      return result;
    }
  result.complete = std::ranges::all_of(parts, [](const Answer& part) { return part.complete; });
  if (!result.complete) {
    if (rule == Rule::between) {
      result.lower = parts[0].value ? parts[0].value->lower : parts[0].lower;
      result.upper = parts[1].value ? parts[1].value->upper : parts[1].upper;
    }
    return result;
  }
  for (const Answer& part : parts)
    if (!part.value) {
      result.undefined = part.undefined;
      return result;
    }
  const auto value = [&](std::size_t i) -> const Interval& { return *parts[i].value; };
  switch (rule) {
    case Rule::single:
      break;
    case Rule::between:
      result.value = Interval(value(0).lower, value(1).upper);
      break;
    case Rule::variance:
      result.value = variance(value(0), value(1));
      break;
    case Rule::ratio:
      result.undefined = undefined_under(value(2), value(3));
      if (result.undefined.empty())
        result.value =
            Interval(value(0).lower, value(1).upper) / Interval(value(2).lower, value(3).upper);
      break;
    case Rule::conditional_probability: {
      result.undefined = undefined_under(value(4), value(5));
      if (!result.undefined.empty()) break;
      const Rational least = at_least_zero(value(0).lower), most = at_least_zero(value(1).upper);
      result.value = Interval(least / (least + at_least_zero(value(3).upper)),
                              most / (most + at_least_zero(value(2).lower)));
      break;
    }
  }
  return result;
}

}  // namespace

std::vector<Query> asked(const Task& task) {
  std::vector<Query> result;
  for (std::size_t i = 0; i < task.queries.size(); i += part_count(task.queries[i])) {
    result.push_back(task.queries[i]);
    if (const std::optional<BoundedQuery>& bounded = task.queries[i].bounded)
      result.back().text = bounded->text;
  }
  return result;
}

std::vector<Answer> enclosed(const Task& task, std::vector<Answer> answers) {
  std::vector<Answer> result;
  for (std::size_t i = 0; i < task.queries.size(); i += part_count(task.queries[i])) {
    if (const std::optional<BoundedQuery>& bounded = task.queries[i].bounded)
      result.push_back(
          combined(bounded->rule, std::span(answers).subspan(i, part_count(task.queries[i]))));
    else
      result.push_back(std::move(answers[i]));
  }
  return result;
}

}  // namespace wmi
