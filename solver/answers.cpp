#include "solver/answers.h"

#include <algorithm>

#include "solver/bounds.h"
#include "solver/decimal.h"
#include "solver/error.h"

namespace wmi {
namespace {

/// The sums as they stand.
struct Totals {
  std::vector<Interval> values;
  std::vector<std::size_t> counts;
};

const char* const no_probability = "the condition has probability 0";

bool mentions_equality(const Terms& terms, Formula formula) {
  for (const std::uint32_t node : terms.below(std::span(&formula, 1), {}))
    if (terms.node(node).kind == Kind::atom &&
        terms.atom(terms.node(node).index).comparison == Comparison::equal)
      return true;
  return false;
}

/// A density where the term has a point mass does not exist: the answer says so instead.
std::string point_mass(const Query& query, const Interval& mass) {
  return "the term has a point mass of " +
         (mass.exact() ? to_string(mass.lower) : "about " + decimal(mass.midpoint(), 6)) + " at " +
         to_string(query.at) + ", so it has no density there; ask get-probability of (= TERM " +
         to_string(query.at) + "), or get-distribution for the whole law";
}

Answer answer(const Task& task, const Query& query, const Plan::Parts& parts,
              const Totals& totals) {
  Answer result;
  result.cells = totals.counts[parts.first];
  if (query.kind == Query::Kind::wmi) {
    result.value = totals.values[parts.first];
    return result;
  }
  const Interval& total = totals.values[parts.total];
  if (total == Interval(Rational(0))) {
    result.undefined = no_probability;
    if (mentions_equality(task.problem.terms, query.given))
      result.undefined += "; to condition on the value of a real use (observe x c)";
    return result;
  }
  if (total.contains(0))
    throw Error("the normalising integral is only known to be between " +
                    decimal(total.lower, 6, Rounding::down) + " and " +
                    decimal(total.upper, 6, Rounding::up) +
                    "; raise --precision or use an exact integrator",
                query.where);
  const auto normalised = [&](std::size_t sum) { return totals.values[sum] / total; };
  switch (query.kind) {
    case Query::Kind::variance: {
      const Interval mean = normalised(parts.first);
      result.value = normalised(parts.second) - power(mean, 2);
      break;
    }
    case Query::Kind::density:
      result.cells = std::max(totals.counts[parts.left], totals.counts[parts.right]);
      if (totals.values[parts.mass] != Interval(Rational(0))) {
        result.refused = point_mass(query, normalised(parts.mass));
        break;
      }
      result.value = normalised(parts.right);
      result.left = normalised(parts.left);
      break;
    default:
      result.value = normalised(parts.first);
  }
  return result;
}

/// Bounds while cells are missing, the weights nowhere negative. `most` bounds the whole integral.
///
/// Sums of different goals are not at the same cell: a numerator may lag behind its total. So only
/// a mean whose two sums come from the same cells is narrowed by what is known of them.
class Partial {
 public:
  Partial(const Bounds& bounds, const Plan& plan, const Totals& totals)
      : bounds_(bounds), plan_(plan), totals_(totals) {}

  Answer wmi(std::size_t sum) const {
    Answer result;
    result.lower = totals_.values[sum].lower;
    result.upper = bounds_.most();
    return result;
  }

  /// Also of a density, which has no upper bound.
  Answer ratio(std::size_t sum, std::optional<Rational> upper) const {
    Answer result;
    result.lower = 0;
    result.upper = std::move(upper);
    if (bounds_.most() && *bounds_.most() > 0)
      result.lower = totals_.values[sum].lower / *bounds_.most();
    return result;
  }

  /// (s + t r) / (z + r), with t in the term's range and the missing weight r between 0 and
  /// most - z: monotone in r, so the ends of r tell.
  Answer mean(std::size_t sum, std::size_t total, const Polynomial& term) const {
    Answer result;
    const std::optional<Interval> range = bounds_.range(term);
    if (!range) return result;
    result.lower = range->lower;
    result.upper = range->upper;
    const Interval& z = totals_.values[total];
    if (!bounds_.most() || z.lower <= 0 || !together(sum, total)) return result;
    const Rational missing = std::max(Rational(*bounds_.most() - z.lower), Rational(0));
    const Interval now = totals_.values[sum] / z;
    const Interval end = (totals_.values[sum] + *range * Interval(missing)) / (z + missing);
    result.lower = std::max(range->lower, std::min(now.lower, end.lower));
    result.upper = std::min(range->upper, std::max(now.upper, end.upper));
    return result;
  }

 private:
  bool together(std::size_t a, std::size_t b) const {
    return std::any_of(plan_.goals.begin(), plan_.goals.end(), [&](const Goal& goal) {
      const auto has = [&](std::size_t sum) {
        return std::any_of(goal.summands.begin(), goal.summands.end(),
                           [&](const Summand& summand) { return summand.sum == sum; });
      };
      return has(a) && has(b);
    });
  }

  const Bounds& bounds_;
  const Plan& plan_;
  const Totals& totals_;
};

Answer partial_answer(const Partial& partial, const Query& query, const Plan::Parts& parts) {
  switch (query.kind) {
    case Query::Kind::echo:
    case Query::Kind::satisfiable:
      break;
    case Query::Kind::wmi:
      return partial.wmi(parts.first);
    case Query::Kind::probability:
      return partial.ratio(parts.first, Rational(1));
    case Query::Kind::expectation:
    case Query::Kind::moment:
      return partial.mean(parts.first, parts.total, power(query.term, query.order));
    case Query::Kind::variance: {
      const Answer mean = partial.mean(parts.first, parts.total, query.term);
      const Answer square = partial.mean(parts.second, parts.total, power(query.term, 2));
      Answer result;
      result.lower = 0;
      if (mean.lower && square.lower) {
        const Interval range =
            Interval(*square.lower, *square.upper) - power(Interval(*mean.lower, *mean.upper), 2);
        result.lower = std::max(Rational(0), range.lower);
        result.upper = range.upper;
      }
      return result;
    }
    case Query::Kind::density:
      return partial.ratio(parts.right, std::nullopt);
  }
  return {};
}

}  // namespace

Answers::Answers(const Task& task, const Plan& plan)
    : task_(task), plan_(plan), sums_(plan.sums + 1), counts_(plan.sums + 1) {}

void Answers::add(const Cell& cell, std::span<const Interval> integrals) {
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < integrals.size(); ++i)
    for (const std::size_t sum : cell.sums[i]) {
      sums_[sum].add(integrals[i]);
      ++counts_[sum];
    }
  ++cells_;
}

std::size_t Answers::cells() const {
  const std::scoped_lock lock(mutex_);
  return cells_;
}

std::vector<Answer> Answers::finish() const {
  const std::scoped_lock lock(mutex_);
  Totals totals{{}, counts_};
  for (const Sum& sum : sums_) totals.values.push_back(sum.total());
  std::vector<Answer> result;
  for (std::size_t i = 0; i < task_.queries.size(); ++i) {
    const Query& query = task_.queries[i];
    const bool number = query.kind != Query::Kind::echo && query.kind != Query::Kind::satisfiable;
    result.push_back(number ? answer(task_, query, plan_.parts[i], totals) : Answer{});
  }
  return result;
}

std::vector<Answer> Answers::bounds() const {
  Totals totals;
  {
    const std::scoped_lock lock(mutex_);
    totals.counts = counts_;
    for (const Sum& sum : sums_) totals.values.push_back(sum.total());
  }
  const Bounds bounds(task_.problem);
  const Partial partial(bounds, plan_, totals);
  std::vector<Answer> result;
  for (std::size_t i = 0; i < task_.queries.size(); ++i) {
    const Query& query = task_.queries[i];
    Answer known =
        bounds.non_negative() ? partial_answer(partial, query, plan_.parts[i]) : Answer{};
    known.complete = false;
    known.cells = totals.counts[plan_.parts[i].first];
    result.push_back(std::move(known));
  }
  return result;
}

}  // namespace wmi
