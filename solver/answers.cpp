#include "solver/answers.h"

#include <algorithm>
#include <cassert>

#include "solver/bounds.h"
#include "solver/decimal.h"
#include "solver/error.h"

namespace wmi {
namespace {

/// The first refusal among the sums that an answer needs.
std::string refusal(const Plan::Parts& parts, const std::vector<std::string>& refusals) {
  for (const auto& sum :
       {parts.total, parts.first, parts.second, parts.mass, parts.left, parts.right})
    if (sum && !refusals[*sum].empty()) return refusals[*sum];
  return "";
}

/// How many cells were integrated for an answer.
std::size_t cells_of(const Plan::Parts& parts, const std::vector<std::size_t>& counts) {
  if (parts.first) return counts[*parts.first];
  return parts.right ? std::max(counts[*parts.left], counts[*parts.right]) : 0;
}

bool asks_number(const Query& query) {
  return query.kind != Query::Kind::echo && query.kind != Query::Kind::satisfiable;
}

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
         to_string(query.at) +
         ", so it has no density there; (get-probability (= TERM c)) is the mass at c";
}

Answer answer(const Task& task, const Query& query, const Plan::Parts& parts, const Totals& totals,
              unsigned digits) {
  Answer result;
  if (!asks_number(query)) return result;
  result.cells = cells_of(parts, totals.counts);
  result.refused = refusal(parts, totals.refusals);
  if (!result.refused.empty()) return result;
  if (query.kind == Query::Kind::wmi) {
    result.value = totals.values[*parts.first];
    return result;
  }
  Interval total = totals.values[*parts.total];
  const Law* const law = parts.law ? &totals.laws[*parts.law] : nullptr;
  if (law != nullptr) {
    result.refused = totals.law_refusals[*parts.law];
    if (!result.refused.empty()) return result;
    assert(total.contains(law->mass()));  // two ways to the same number
    total = law->mass();
  }
  if (total == Interval(Rational(0))) {
    result.undefined = no_probability;
    if (mentions_equality(task.problem.terms, query.given))
      result.undefined += "; to condition on the value of a real use (observe x c)";
    return result;
  }
  if (total.contains(0)) {
    result.too_wide = true;
    result.refused = "the normalising integral is only known to be between " +
                     decimal(total.lower, 6, Rounding::down) + " and " +
                     decimal(total.upper, 6, Rounding::up) +
                     "; raise --precision or use an exact integrator";
    return result;
  }
  const auto normalised = [&](std::size_t sum) { return totals.values[sum] / total; };
  switch (query.kind) {
    case Query::Kind::variance:
      result.value = normalised(*parts.second) - power(normalised(*parts.first), 2);
      break;
    case Query::Kind::density:
      if (totals.values[*parts.mass] != Interval(Rational(0))) {
        result.refused = point_mass(query, normalised(*parts.mass));
        break;
      }
      result.value = normalised(*parts.right);
      result.left = normalised(*parts.left);
      break;
    case Query::Kind::distribution:
      result.law = law->normalised();
      result.value = law->mean();
      break;
    case Query::Kind::cdf:
      result.value = Interval(law->cdf(query.at)) / total;
      break;
    case Query::Kind::quantile:
      try {
        result.value = law->quantile(query.at, digits);
      } catch (const Error& error) {
        result.refused = error.what();
      }
      break;
    default:
      result.value = normalised(*parts.first);
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

  /// Also of a density, which has no upper bound, and of what has no sum to know it by.
  Answer ratio(std::optional<std::size_t> sum, std::optional<Rational> upper) const {
    Answer result;
    result.lower = 0;
    result.upper = std::move(upper);
    if (sum && bounds_.most() && *bounds_.most() > 0)
      result.lower = totals_.values[*sum].lower / *bounds_.most();
    return result;
  }

  /// Of a mean or a quantile.
  Answer range(const Polynomial& term) const {
    Answer result;
    if (const std::optional<Interval> range = bounds_.range(term)) {
      result.lower = range->lower;
      result.upper = range->upper;
    }
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
      return partial.wmi(*parts.first);
    case Query::Kind::probability:
      return partial.ratio(*parts.first, Rational(1));
    case Query::Kind::expectation:
    case Query::Kind::moment:
      return partial.mean(*parts.first, *parts.total, power(query.term, query.order));
    case Query::Kind::variance: {
      const Answer mean = partial.mean(*parts.first, *parts.total, query.term);
      const Answer square = partial.mean(*parts.second, *parts.total, power(query.term, 2));
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
      return partial.ratio(*parts.right, std::nullopt);
    case Query::Kind::cdf:
      return partial.ratio(std::nullopt, Rational(1));
    case Query::Kind::distribution:
    case Query::Kind::quantile:
      return partial.range(query.term);
  }
  return {};
}

}  // namespace

Answers::Answers(const Task& task, const Plan& plan, unsigned threads)
    : task_(task), plan_(plan), shares_(threads) {
  clear();
}

void Answers::clear() {
  for (Share& share : shares_) {
    const std::scoped_lock lock(share.mutex);
    share.sums.assign(plan_.sums, Sum());
    share.counts.assign(plan_.sums, 0);
    share.laws.assign(plan_.laws, TruncatedPowers());
  }
  const std::scoped_lock lock(mutex_);
  refusals_.assign(plan_.sums, "");
  cells_ = 0;
}

void Answers::add(const Cell& cell, Evaluation::Result result, unsigned thread) {
  Share& share = shares_[thread];
  const std::scoped_lock lock(share.mutex);
  for (std::size_t i = 0; i < result.integrals.size(); ++i)
    for (const std::size_t sum : cell.sums[i]) {
      const bool last = sum == cell.sums[i].back();
      share.sums[sum].add(last ? std::move(result.integrals[i]) : result.integrals[i]);
      share.counts[sum] += result.cells;
    }
  for (std::size_t i = 0; i < result.laws.size(); ++i)
    share.laws[cell.images[i].law].add(std::move(result.laws[i]));
  cells_ += result.cells;
}

void Answers::refuse(const Cell& cell, const std::string& reason) {
  const std::scoped_lock lock(mutex_);
  for (const std::vector<std::size_t>& sums : cell.sums)
    for (const std::size_t sum : sums)
      if (refusals_[sum].empty()) refusals_[sum] = reason;
}

void Answers::refuse(const std::string& reason) {
  const std::scoped_lock lock(mutex_);
  for (std::string& refusal : refusals_)
    if (refusal.empty()) refusal = reason;
}

bool Answers::hopeless() const {
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < task_.queries.size(); ++i)
    if (asks_number(task_.queries[i]) && refusal(plan_.parts[i], refusals_).empty()) return false;
  return true;
}

std::size_t Answers::cells() const { return cells_; }

Totals Answers::totals() const {
  Totals result{
      std::vector<Interval>(plan_.sums), std::vector<std::size_t>(plan_.sums), {}, {}, {}};
  for (const Share& share : shares_) {
    const std::scoped_lock lock(share.mutex);
    for (std::size_t i = 0; i < plan_.sums; ++i) {
      result.values[i] = result.values[i] + share.sums[i].total();
      result.counts[i] += share.counts[i];
    }
  }
  const std::scoped_lock lock(mutex_);
  result.refusals = refusals_;
  return result;
}

/// A law that is too long is refused by itself.
void Answers::find_laws(Totals& totals) const {
  std::vector<TruncatedPowers> powers(plan_.laws);
  for (const Share& share : shares_) {
    const std::scoped_lock lock(share.mutex);
    for (std::size_t i = 0; i < plan_.laws; ++i) powers[i].add(share.laws[i]);
  }
  for (TruncatedPowers& measure : powers) {
    totals.law_refusals.emplace_back();
    totals.laws.emplace_back();
    try {
      totals.laws.back() = Law(std::move(measure));
    } catch (const Error& error) {
      totals.law_refusals.back() = error.what();
    }
  }
}

std::vector<Answer> Answers::finish(unsigned digits) const {
  Totals found = totals();
  find_laws(found);
  std::vector<Answer> result;
  for (std::size_t i = 0; i < task_.queries.size(); ++i)
    result.push_back(answer(task_, task_.queries[i], plan_.parts[i], found, digits));
  return result;
}

std::vector<Answer> Answers::bounds() const {
  const Totals found = totals();
  const Bounds bounds(task_.problem);
  const Partial partial(bounds, plan_, found);
  std::vector<Answer> result;
  for (std::size_t i = 0; i < task_.queries.size(); ++i) {
    const Plan::Parts& parts = plan_.parts[i];
    Answer known =
        bounds.non_negative() ? partial_answer(partial, task_.queries[i], parts) : Answer{};
    known.complete = false;
    known.cells = cells_of(parts, found.counts);
    known.refused = refusal(parts, found.refusals);
    result.push_back(std::move(known));
  }
  return result;
}

}  // namespace wmi
